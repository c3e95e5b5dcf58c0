import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Payer } from "../../connectors/ports/payer.ts";
import type { BrowserData } from "../../connectors/ports/three-d-secure.ts";
import { later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { seal, unseal } from "../../platform/sealing/seal.ts";
import type { Counts } from "../card-testing/index.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import { CHALLENGE_LIFE } from "./attempt-deadlines.ts";

/** What the payer's browser keeps, sealed, while the bank has the payer, so that the gateway stores nothing. */
export type SealedState = {
  readonly card: CardDetails;
  /** What the attempt was counted as, against card testing. */
  readonly counts: Counts;
  /** The 3D Secure connector's own. */
  readonly state?: string;
  readonly browser?: BrowserData;
  /** As the payment began: the bank may send the payer back through another network. */
  readonly payer?: Payer;
};

export async function sealState(
  ctx: Context,
  merchant: Merchant,
  { id }: Transaction,
  state: SealedState,
): Promise<string> {
  const now = clockOf(ctx, merchant);
  return seal(ctx, JSON.stringify(state), id, { now, until: later(now, CHALLENGE_LIFE) });
}

/** Undefined when it was changed, belongs to another attempt, or is too old. */
export async function openState(
  ctx: Context,
  merchant: Merchant,
  { id }: Transaction,
  sealed: string,
): Promise<SealedState | undefined> {
  const text = await unseal(ctx, sealed, id, clockOf(ctx, merchant));
  return text === undefined ? undefined : (JSON.parse(text) as SealedState);
}
