import type { MaskedCard } from "../../kernel/masked-card.ts";
import { DAY, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { eraseInstrument } from "./delete-instrument.ts";
import { cardEnd, type PaymentInstrument } from "./payment-instrument.ts";
import { findLastUse, listForPurge, lockInstrument } from "./queries.ts";

/** How long cards are kept. */
export type Retention = {
  /** Days after the last day of the expiry month. */
  readonly expiredDays: number;
  /** Days since the card was stored or its number last used. */
  readonly unusedDays: number;
};

export type PurgeReason = "expired" | "unused";

export type PurgeCandidate = {
  readonly instrument: PaymentInstrument & { readonly card: MaskedCard };
  readonly merchant: Merchant;
  readonly lastUsedAt: Instant;
  readonly reason: PurgeReason;
};

const PAGE = 500;

/** Walks all instruments, a page at a time, and yields the cards whose time is over on their merchant's clock. */
export async function* cardsToPurge(ctx: Context, retention: Retention): AsyncGenerator<PurgeCandidate> {
  const merchants = new Map<string, Merchant | undefined>();
  let after = { merchantId: "", id: "" };
  for (;;) {
    const page = await listForPurge(ctx.db, after, PAGE);
    for (const instrument of page) {
      const { merchantId } = instrument;
      if (!merchants.has(merchantId)) merchants.set(merchantId, await findMerchant(ctx.db, merchantId));
      const merchant = merchants.get(merchantId);
      const due = merchant && (await judge(ctx, ctx.db, { instrument, merchant }, retention));
      if (due !== undefined) yield due;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
}

/** The card with the reason to remove it; undefined for one that is kept, and for what is no card or was deleted. */
async function judge(
  ctx: Context,
  tx: Tx,
  { instrument, merchant }: { readonly instrument: PaymentInstrument; readonly merchant: Merchant },
  retention: Retention,
): Promise<PurgeCandidate | undefined> {
  if (instrument.type !== "card" || instrument.deletedAt !== null) return undefined;
  const lastUsedAt = (await findLastUse(tx, merchant.id, instrument.id)) ?? instrument.createdAt;
  const reason = reasonOf(instrument.card, lastUsedAt, retention, clockOf(ctx, merchant));
  return reason && { instrument, merchant, lastUsedAt, reason };
}

/** Why a card is not kept any longer; undefined if it is. */
export function reasonOf(
  card: Pick<MaskedCard, "expiryMonth" | "expiryYear">,
  lastUsedAt: Instant,
  { expiredDays, unusedDays }: Retention,
  now: Instant,
): PurgeReason | undefined {
  if (now >= cardEnd(card) + expiredDays * DAY) return "expired";
  return now >= lastUsedAt + unusedDays * DAY ? "unused" : undefined;
}

/**
 * Deletes the instrument and erases its number, as its merchant could. The card is judged again as it is now: undefined if
 * it is gone already, or was renewed or used since it was read.
 */
export async function purgeCard(
  ctx: Context,
  { instrument: { customerId, id }, merchant }: PurgeCandidate,
  retention: Retention,
): Promise<PurgeCandidate | undefined> {
  return ctx.db.transaction(async (tx) => {
    const instrument = await lockInstrument(tx, merchant.id, customerId, id);
    const due = instrument && (await judge(ctx, tx, { instrument, merchant }, retention));
    if (due !== undefined) await eraseInstrument(ctx, tx, merchant, { customerId, paymentInstrumentId: id });
    return due;
  });
}
