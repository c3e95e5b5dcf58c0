import type { MaskedCard } from "../../kernel/masked-card.ts";
import { DAY, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { eraseInstrument } from "./delete-instrument.ts";
import { cardEnd, type PaymentInstrument } from "./payment-instrument.ts";
import { findLastUse, listForPurge } from "./queries.ts";

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
      if (instrument.type !== "card" || instrument.deletedAt !== null) continue;
      const { merchantId } = instrument;
      if (!merchants.has(merchantId)) merchants.set(merchantId, await findMerchant(ctx.db, merchantId));
      const merchant = merchants.get(merchantId);
      if (merchant === undefined) continue;
      const lastUsedAt = (await findLastUse(ctx.db, merchantId, instrument.id)) ?? instrument.createdAt;
      const reason = reasonOf(instrument.card, lastUsedAt, retention, clockOf(ctx, merchant));
      if (reason !== undefined) yield { instrument, merchant, lastUsedAt, reason };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
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

/** Deletes the instrument and erases its number, as its merchant could. False if it is gone already. */
export async function purgeCard(ctx: Context, { instrument, merchant }: PurgeCandidate): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const { customerId, id: paymentInstrumentId } = instrument;
    return eraseInstrument(ctx, tx, merchant, { customerId, paymentInstrumentId });
  });
}
