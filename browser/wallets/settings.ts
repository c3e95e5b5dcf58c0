import type { OfferedWallet } from "../paying/read-responses.ts";
import { isObject } from "../protocol/is-object.ts";

/** A card of the sandbox's wallet. */
export type SandboxCard = {
  readonly id: string;
  readonly cardType: string;
  readonly last4: string;
  readonly label: string;
};

/** What the vendors' sheets need. Malformed fields are left out. */
export type WalletSettings = {
  readonly sandbox: boolean;
  readonly sandboxCards: readonly SandboxCard[];
  readonly text: (name: string) => string;
  readonly texts: (name: string) => readonly string[];
  readonly agreement: Readonly<Record<string, unknown>> | undefined;
};

export function readSettings({ settings }: OfferedWallet): WalletSettings {
  const { sandbox, sandboxCards, agreement } = settings;
  return {
    sandbox: sandbox === true,
    sandboxCards: (Array.isArray(sandboxCards) ? (sandboxCards as readonly unknown[]) : []).filter(
      isSandboxCard,
    ),
    text: (name) => textOf(settings[name]),
    texts: (name) => {
      const list = settings[name];
      return Array.isArray(list) ? (list as readonly unknown[]).map(textOf) : [];
    },
    agreement: isObject(agreement) ? agreement : undefined,
  };
}

function isSandboxCard(card: unknown): card is SandboxCard {
  return (
    isObject(card) && ["id", "cardType", "last4", "label"].every((name) => typeof card[name] === "string")
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
