import type { Cents } from "../../kernel/money.ts";

/** What the gateway's records say about a payment or refund. */
export type GatewayPosition = {
  readonly reference: string;
  readonly isSettled: boolean;
  readonly approved: Cents;
  readonly captured: Cents;
};

/** What an acquirer's journal says about it. */
type Position = Pick<GatewayPosition, "approved" | "captured"> & { readonly isOpen: boolean };

export type Difference = {
  readonly reference: string;
  readonly about: string;
  readonly gateway: { readonly approved: Cents; readonly captured: Cents } | null;
  readonly journal: { readonly approved: Cents; readonly captured: Cents } | null;
};

/** Compares one record. What the gateway is still settling is no difference. */
export function differenceOf(
  reference: string,
  gateway: GatewayPosition | undefined,
  journal: Position | undefined,
): Difference | undefined {
  if (gateway?.isSettled === false) return undefined;
  const about = problemOf(gateway, journal);
  if (about === undefined) return undefined;
  return { reference, about, gateway: amountsOf(gateway), journal: amountsOf(journal) };
}

function problemOf(gateway: GatewayPosition | undefined, journal: Position | undefined): string | undefined {
  if (journal?.isOpen === true) return "the host has not answered a message";
  if ((gateway?.approved ?? 0) !== (journal?.approved ?? 0)) return "the approved amounts differ";
  return (gateway?.captured ?? 0) === (journal?.captured ?? 0) ? undefined : "the captured amounts differ";
}

function amountsOf(position: Pick<Position, "approved" | "captured"> | undefined): Difference["gateway"] {
  return position === undefined ? null : { approved: position.approved, captured: position.captured };
}
