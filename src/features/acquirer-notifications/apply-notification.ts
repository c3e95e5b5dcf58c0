import type { FinalAnswer, NotifiedAnswer, NotifiedFact } from "../../connectors/ports/card-acquirer.ts";
import { parseId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { AcquirerAccount } from "../acquirer-accounts/index.ts";
import { finishAttempt } from "../checkout/index.ts";
import { followDispute } from "../disputes/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { findRefund, recordNotifiedRefund } from "../refunds/index.ts";
import {
  declineOfReversed,
  findOperation,
  findPendingOperation,
  findTransaction,
  isCaptured,
  isUnreversed,
  lockTransaction,
  recordOperation,
  type Transaction,
  updateTransaction,
  withAcquirerReference,
} from "../transactions/index.ts";

type Notified = { readonly account: AcquirerAccount; readonly merchant: Merchant };

/** `early`: the gateway lacks an earlier notification, so this one must come again. */
export type Applied = "known" | "unknown" | "early";

/**
 * Applies what an acquirer has notified. Each record changes once, whatever the sender repeats, reorders or drops: every verb
 * here changes a record only in the state that allows it. Unknown: the gateway knows no such record of this account.
 */
export async function applyFact(ctx: Context, notified: Notified, fact: NotifiedFact): Promise<Applied> {
  if (fact.about !== "dispute") return (await applyAnswer(ctx, notified, fact)) ? "known" : "unknown";
  const { about: _, reference, ...notice } = fact;
  const transaction = await findOwn(ctx, notified, reference);
  if (transaction === undefined) return "unknown";
  return (await followDispute(ctx, notified.merchant, transaction, notice)) ? "known" : "early";
}

async function applyAnswer(ctx: Context, notified: Notified, fact: NotifiedAnswer): Promise<boolean> {
  const { about, reference, answer } = fact;
  if (about === "capture" || about === "void") {
    if (await applyToOperation(ctx, notified, reference, answer)) return true;
    return about === "capture" && applyToSale(ctx, notified, reference, answer);
  }
  if (about === "refund") return applyToRefund(ctx, notified, reference, answer);
  const transaction = await findOwn(ctx, notified, reference);
  if (transaction === undefined) return false;
  if (about === "authorisation") {
    await finishAttempt(ctx, notified.merchant, transaction, { answer, isRecovery: true });
  } else {
    await applyReversal(ctx, notified.merchant, transaction, answer);
  }
  return true;
}

/** An account's notifications are about its own payments only. */
async function findOwn(
  ctx: Context,
  { account, merchant }: Notified,
  reference: string,
): Promise<Transaction | undefined> {
  const id = parseId("transaction", reference);
  const transaction = id && (await findTransaction(ctx.db, merchant.id, id));
  return transaction?.acquirerAccountId === account.id ? transaction : undefined;
}

async function applyToOperation(
  ctx: Context,
  notified: Notified,
  reference: string,
  answer: FinalAnswer,
): Promise<boolean> {
  const id = parseId("operation", reference);
  const operation = id && (await findOperation(ctx.db, notified.merchant.id, id));
  if (operation === undefined || !(await findOwn(ctx, notified, operation.transactionId))) return false;
  if (operation.status === "done" && answer.kind === "declined") warnOfTakenBack(ctx, notified, operation.id);
  await recordOperation(ctx, notified.merchant, operation, answer);
  return true;
}

/** The capture of a sale has no reference of its own. */
async function applyToSale(
  ctx: Context,
  notified: Notified,
  reference: string,
  answer: FinalAnswer,
): Promise<boolean> {
  const sale = await findOwn(ctx, notified, reference);
  if (sale === undefined || !isCaptured(sale)) return false;
  if (answer.kind === "declined") warnOfTakenBack(ctx, notified, sale.id);
  return true;
}

async function applyToRefund(
  ctx: Context,
  notified: Notified,
  reference: string,
  answer: FinalAnswer,
): Promise<boolean> {
  const id = parseId("refund", reference);
  if (id === undefined) return applyToReversal(ctx, notified, reference, answer);
  const refund = await findRefund(ctx.db, notified.merchant.id, id);
  if (refund === undefined || !(await findOwn(ctx, notified, refund.transactionId))) return false;
  if (refund.status === "approved" && answer.kind === "declined") warnOfTakenBack(ctx, notified, refund.id);
  await recordNotifiedRefund(ctx, notified.merchant, refund, answer);
  return true;
}

/** A reversal has the reference of its payment. Where that was captured, it was a refund at the acquirer. */
async function applyToReversal(
  ctx: Context,
  notified: Notified,
  reference: string,
  answer: FinalAnswer,
): Promise<boolean> {
  const transaction = await findOwn(ctx, notified, reference);
  if (transaction?.status !== "declined") return false;
  if (answer.kind === "declined") warnOfTakenBack(ctx, notified, transaction.id);
  return true;
}

/** Schemes can reject a capture or a refund days after the acquirer has confirmed it. The record is final by then. */
function warnOfTakenBack(ctx: Context, { merchant }: Notified, subjectId: string): void {
  ctx.log.error(
    { merchantId: merchant.id, subjectId },
    "the acquirer takes back a capture, a refund or a reversal that it had confirmed: settle it with the merchant by hand",
  );
}

/**
 * A refused reversal moves nothing: its job repeats it until an operator looks at it. It may name the payment by the
 * acquirer's own id, which the next one then uses. One that is done names the payment as well, whose approval may be
 * notified after it, even if the gateway had declined the payment before. One that names none found no payment: it says
 * nothing about a payment that the acquirer has since.
 */
async function applyReversal(
  ctx: Context,
  merchant: Merchant,
  { id }: Transaction,
  answer: FinalAnswer,
): Promise<void> {
  const reversed = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, id);
    if (held === undefined) return undefined;
    // That the reversed payment can't be cancelled again is no news of its approval.
    const { acquirerReference: named } = answer.facts ?? {};
    const isReversed = named !== undefined && named === held.acquirer?.reversedReference;
    const transaction = isReversed ? held : withAcquirerReference(held, answer.facts);
    if (transaction !== held) await updateTransaction(tx, transaction);
    if (answer.kind === "declined" || isUnreversed(transaction)) return undefined;
    return { transaction, pending: await findPendingOperation(tx, merchant.id, id) };
  });
  if (reversed === undefined) return;
  const { transaction, pending } = reversed;
  if (transaction.status === "pending") {
    const declined = declineOfReversed(transaction);
    const outcome = { answer: declined, isRecovery: true, unless: isUnreversed };
    await finishAttempt(ctx, merchant, transaction, outcome);
  } else if (pending?.kind === "reverse") await recordOperation(ctx, merchant, pending, answer);
}
