import type { Context } from "../../platform/context.ts";
import { type Counts, rememberCode, settleAttempt } from "../card-testing/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { findInstrument } from "../payment-instruments/index.ts";
import type { Transaction } from "../transactions/index.ts";
import type { BegunAttempt } from "./begin-at-once.ts";
import { type CalledCard, callAcquirer } from "./call-acquirer.ts";

/** Calls the acquirer for an attempt that is not counted yet. A decline is counted. */
export async function callUncounted(
  ctx: Context,
  merchant: Merchant,
  { transaction, uncounted }: BegunAttempt,
  { counts, ...called }: CalledCard & { readonly counts: Counts },
): Promise<Transaction> {
  const after = await callAcquirer(ctx, merchant, transaction, called);
  rememberCode(ctx, counts, called.card, after);
  await uncounted.settle(after);
  return after;
}

/** Calls the acquirer. A decline stays counted. */
export async function callCounted(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { counts, ...details }: CalledCard & { readonly counts: Counts },
): Promise<Transaction> {
  const networkTransactionId = await networkTransactionOf(ctx, attempt);
  const after = await callAcquirer(ctx, merchant, attempt, { ...details, networkTransactionId });
  rememberCode(ctx, counts, details.card, after);
  settleAttempt(ctx, merchant, counts, after);
  return after;
}

/** The payment that stored a saved card, by the card scheme's id. */
async function networkTransactionOf(
  ctx: Context,
  { merchantId, customerId, paymentInstrumentId }: Transaction,
): Promise<string | null> {
  if (customerId === null || paymentInstrumentId === null) return null;
  const saved = await findInstrument(ctx.db, merchantId, customerId, paymentInstrumentId);
  return saved?.networkTransactionId ?? null;
}
