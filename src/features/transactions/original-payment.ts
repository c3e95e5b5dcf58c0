import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { CardAcquirer, OriginalPayment } from "../../connectors/ports/card-acquirer.ts";
import type { Id } from "../../kernel/ids.ts";
import { HOUR, later } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { SecretPlace } from "../../platform/vault/queries.ts";
import type { Use } from "../../platform/vault/vault.ts";
import type { Merchant } from "../merchants/index.ts";
import { findPendingOperation } from "./operations/queries.ts";
import { hasReversalJob, lockTransaction, REVERSAL_JOBS } from "./queries.ts";
import type { Transaction } from "./transaction.ts";
import { authorisedOf, isCaptured } from "./transaction-rules.ts";

/** Erases the number of a payment that was reversed. */
export const ERASE_CARD_JOB = "transaction_erase_card";
const KEPT_AFTER_REVERSAL = HOUR;

export const [REVERSE_AGAIN_JOB, REVERSE_REFUND_JOB] = REVERSAL_JOBS;

/** Calls an acquirer about an earlier payment, with the card's number where the acquirer wants it in every message. */
export async function aboutPayment<Answer>(
  ctx: Context,
  transaction: Transaction,
  { host, ...use }: Use & { readonly host: CardAcquirer },
  call: (payment: OriginalPayment) => Promise<Answer>,
): Promise<Answer> {
  const { id: reference, currency, captureStatus, captureType, origin, card, lateApproval } = transaction;
  const { connector: _, ...known } = transaction.acquirer ?? { connector: "" };
  const { responseCode: __, ...withoutCode } = known;
  const payment = {
    reference,
    amount: authorisedOf(transaction),
    currency,
    isCaptured: captureType === "auto" || captureStatus === "captured",
    origin,
    // The code of the decline says nothing about an approval that came after it.
    facts: lateApproval === null ? known : withoutCode,
  };
  if (!host.needs.cardNumber || card === null) return call(payment);
  const { expiryMonth, expiryYear } = card;
  const answer = await ctx.vault.use(ctx.db, placeOf(transaction), use, (number) =>
    call({ ...payment, card: { number, expiryMonth, expiryYear } }),
  );
  return answer ?? call(payment);
}

/** Whether an acquirer that may get the payment wants the card's number in later messages. */
export function wantsNumber(acquirers: readonly Acquirer[]): boolean {
  return acquirers.some(({ host }) => host.needs.cardNumber);
}

/**
 * Keeps the number while messages about the payment may follow, once, however many accounts are tried. The caller has
 * prepared the vault.
 */
export async function keepTransactionCard(
  ctx: Context,
  tx: Tx,
  transaction: Transaction,
  number: string,
): Promise<void> {
  const place = placeOf(transaction);
  if (!(await ctx.vault.keeps(tx, place))) await ctx.vault.keep(tx, place, number);
}

/** Nothing more will be sent about the payment. The simulator never wants the number. */
export async function eraseTransactionCard(ctx: Context, tx: Tx, transaction: Transaction): Promise<void> {
  if (transaction.acquirerAccountId !== null) await ctx.vault.erase(tx, placeOf(transaction));
}

/** Of a payment that is refunded in full: a reversal of an earlier refund may still be sent, with the number. */
export async function eraseCardOnceReversed(ctx: Context, tx: Tx, transaction: Transaction): Promise<void> {
  const erase = (await isBeingReversed(tx, transaction)) ? eraseCardLater : eraseTransactionCard;
  await erase(ctx, tx, transaction);
}

/**
 * Erases the number once no reversal is left to be sent. While an acquirer does not confirm one, the number stays, at most
 * until the chore erases those of old payments.
 */
export async function eraseReversedCard(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<NextRun> {
  return ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOver(transaction)) return undefined;
    if (await isBeingReversed(tx, transaction)) return later(ctx.now(), KEPT_AFTER_REVERSAL);
    await eraseTransactionCard(ctx, tx, transaction);
    return undefined;
  });
}

/** Neither captures nor refunds can follow. */
function isOver(transaction: Transaction): boolean {
  const { status, refunded, captured } = transaction;
  return status === "declined" || (isCaptured(transaction) && refunded === captured);
}

async function isBeingReversed(tx: Tx, { merchantId, id }: Transaction): Promise<boolean> {
  if (await findPendingOperation(tx, merchantId, id)) return true;
  return hasReversalJob(tx, merchantId, id);
}

/** After a reversal: an acquirer that approves late gets the reversal once more, with the number. */
export async function eraseCardLater(ctx: Context, tx: Tx, transaction: Transaction): Promise<void> {
  const { merchantId, id: subjectId, acquirerAccountId } = transaction;
  if (acquirerAccountId === null) return;
  const job = { kind: ERASE_CARD_JOB, merchantId, subjectId, realTime: true } as const;
  await insertJob(tx, job, later(ctx.now(), KEPT_AFTER_REVERSAL));
}

function placeOf({ merchantId, id }: Pick<Transaction, "merchantId" | "id">): SecretPlace {
  return { merchantId, instrumentId: id, field: "transaction_card" };
}
