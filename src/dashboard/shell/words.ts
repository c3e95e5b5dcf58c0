import type { Capability } from "../../features/merchants/index.ts";
import type { Flow } from "../../features/payment-requests/index.ts";
import { cardTypeNamed, schemeName } from "../../kernel/card-type.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import type { Source } from "../../kernel/source.ts";
import { WALLET_CAPABILITIES, WALLET_NAMES, WALLETS, type WalletCapability } from "../../kernel/wallets.ts";

const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  card: "Card",
  ...WALLET_NAMES,
  direct_debit: "Direct debit",
  payid: "PayID",
};

const WALLET_WORDS = Object.fromEntries(
  WALLETS.map((wallet) => [WALLET_CAPABILITIES[wallet], WALLET_NAMES[wallet]]),
) as Readonly<Record<WalletCapability, string>>;

const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = {
  cardNotPresent: "Cards",
  threeDSecure: "3D Secure",
  ...WALLET_WORDS,
  directDebit: "Direct debit",
  payId: "PayID",
};

const FLOW_WORDS: Readonly<Record<Flow, string>> = {
  checkout: "Embedded checkout",
  hosted_page: "Hosted page",
  payid: "PayID",
};

export function sourceWords(source: string): string {
  return (SOURCE_WORDS as Readonly<Record<string, string>>)[source] ?? source;
}

export function capabilityWords(capability: string): string {
  return (CAPABILITY_WORDS as Readonly<Record<string, string>>)[capability] ?? capability;
}

export function flowWords(flow: string): string {
  return (FLOW_WORDS as Readonly<Record<string, string>>)[flow] ?? flow;
}

export function schemeWords(cardType: string): string {
  const type = cardTypeNamed(cardType);
  return type === undefined ? cardType : schemeName(type);
}

/** A code's message as people read it: `insufficient_funds` is Insufficient funds. */
export function messageWords(message: string): string {
  const words = message.replace(/_/g, " ").replace(/^3d /, "3D ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The message of an outcome's code in words; empty while there is none. */
export function outcomeWords(code: string | null): string {
  return code === null ? "" : messageWords(findOutcome(code) ?? code);
}

/** Counting stops here; pages then say “or more”. */
export const COUNTED_AT_MOST = 1_000;

/** 1 payment, 2 payments; “or more” where counting stopped at the limit. */
export function countText(count: number, one: string, many: string, limit?: number): string {
  const more = limit !== undefined && count >= limit;
  return `${count.toLocaleString("en-AU")}${more ? " or more" : ""} ${count === 1 && !more ? one : many}`;
}
