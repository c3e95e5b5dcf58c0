import { CHALLENGE_LIFE } from "../features/checkout/index.ts";
import type { BillingAddress } from "../kernel/billing-address.ts";
import { later } from "../kernel/time.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { seal, unseal } from "../platform/sealing/seal.ts";
import type { PayersView } from "./payers-view.ts";

/** What a payer entered, without card number and security code. */
export type Entries = {
  /** The saved card that the payer had chosen; empty for another card. */
  readonly chosen?: string | undefined;
  readonly name?: string | undefined;
  readonly expiry?: string | undefined;
  readonly address?: BillingAddress | undefined;
  readonly consent?: boolean | undefined;
};

/** Without scripts the payer's browser keeps the entries sealed until the form is shown again. */
export function sealEntries(ctx: Context, view: PayersView, entries: Entries): Promise<string> {
  const now = clockOf(ctx, view.merchant);
  const time = { now, until: later(now, CHALLENGE_LIFE) };
  return seal(ctx, JSON.stringify(entries), sealedFor(view), time);
}

export async function openEntries(ctx: Context, view: PayersView, sealed: string): Promise<Entries> {
  const text = await unseal(ctx, sealed, sealedFor(view), clockOf(ctx, view.merchant));
  return JSON.parse(text ?? "{}") as Entries;
}

function sealedFor({ request }: PayersView): string {
  return `entries ${request.id}`;
}
