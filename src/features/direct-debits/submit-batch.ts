import type { DebitRequest, DirectDebitBank } from "../../connectors/ports/direct-debit-bank.ts";
import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import type { Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { KeyServiceProblem } from "../../platform/vault/errors.ts";
import type { Merchant } from "../merchants/index.ts";
import { withDeadline } from "../transactions/index.ts";
import { countChange } from "./apply-state.ts";
import {
  type Batch,
  type BatchStatus,
  type BatchTrigger,
  batchLifecycle,
  type DebitToSend,
  underWayUntil,
} from "./direct-debit.ts";
import { type Deleted, endDeleted } from "./end-deleted.ts";
import { FOLLOW_DEBIT_JOB, readDebits } from "./follow-debit.ts";
import { countSent, findBatch, listUnsent, lockBatch, markSubmitted, updateBatch } from "./queries.ts";

const NO_OUTCOME = "a debit batch is not submitted: another process began to do so and recorded no outcome";

const RETRIES: Readonly<Partial<Record<BatchStatus, string>>> = {
  made: NO_OUTCOME,
  submitting: NO_OUTCOME,
  unknown: "a debit batch was handed over, and the bank's answer is not known",
  incomplete: "debits not submitted: account number unreadable, or deleted while the bank may have the debit",
};

/** Hands the batch over, and again later if the outcome is unknown or a number was unreadable. */
export async function submitBatch(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
): Promise<NextRun> {
  const bank = ctx.connectors.findDebitBank(merchant);
  if (bank === undefined) return { retry: "a debit batch is not submitted: the merchant has no connector" };
  const outcome = await handOver(ctx, merchant, bank, batchId);
  if (typeof outcome === "number") return outcome;
  ctx.wakeJobs();
  const retry = RETRIES[outcome];
  return retry === undefined ? undefined : { retry };
}

/**
 * Hands the debits of a batch over that the bank does not have yet, unless another process is doing so: then returns until
 * when that may take. Repeating a hand-over with an unknown outcome is safe: the bank identifies each debit by the
 * transaction's id.
 */
export async function handOver(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  batchId: Id<"debitBatch">,
): Promise<BatchStatus | Instant> {
  const before = await findBatch(ctx.db, merchant.id, batchId);
  if (before?.rail !== "connector") return "empty";
  const obstacle = obstacleTo(before, ctx.now());
  if (obstacle !== undefined) return obstacle;
  const { debits, deleted: ids } = await openDebits(ctx, merchant, batchId);
  const isRead = before.attempts > 0 && ids.length > 0;
  const states = isRead ? await readDebits(ctx, bank, ids, clockOf(ctx, merchant)) : [];
  const begun = await begin(ctx, merchant, { before, ids, states });
  if (typeof begun !== "object") return begun;
  const submit = () => bank.submit({ reference: batchId, debits }).then(() => true);
  const isAccepted = debits.length === 0 || (await withDeadline(ctx, submit, false));
  return isAccepted ? recordAccepted(ctx, merchant, before, debits) : recordLost(ctx, begun);
}

/** Why a hand-over can't begin: until when another process may be doing it, or the batch's status. */
function obstacleTo(batch: Batch, now: Instant): Instant | BatchStatus | undefined {
  const isOpen = nextState(batchLifecycle, batch.status, "begin") !== undefined;
  return underWayUntil(batch, now) ?? (isOpen ? undefined : batch.status);
}

/**
 * Records that a hand-over begins, and what becomes of debits whose account is deleted. Opening the account numbers may take
 * minutes, so it comes before: another process that has begun since may have decided about the debits, and then this one
 * must not begin.
 */
async function begin(
  ctx: Context,
  merchant: Merchant,
  deleted: Deleted,
): Promise<Batch | BatchStatus | Instant> {
  const { before } = deleted;
  const result = await ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, before.id);
    if (batch === undefined) return "empty";
    const now = ctx.now();
    const obstacle = obstacleTo(batch, now);
    if (obstacle !== undefined) return obstacle;
    if (batch.attempts !== before.attempts) return batch.status;
    const begun: Batch = {
      ...batch,
      status: "submitting",
      attempts: batch.attempts + 1,
      submittingSince: now,
    };
    await updateBatch(tx, begun);
    return { begun, changes: await endDeleted(ctx, tx, merchant, deleted) };
  });
  if (typeof result !== "object") return result;
  for (const change of result.changes) countChange(ctx, merchant, change);
  return result.begun;
}

/** What the bank does not have yet, with account numbers, and what has none any more. */
async function openDebits(ctx: Context, merchant: Merchant, batchId: Id<"debitBatch">) {
  const debits: DebitRequest[] = [];
  const deleted: Id<"transaction">[] = [];
  for (const debit of await listUnsent(ctx.db, merchant.id, batchId)) {
    const input = await withNumber(ctx, merchant, debit);
    if (input === "deleted") deleted.push(debit.transactionId);
    else if (input !== undefined) debits.push(input);
  }
  return { debits, deleted };
}

/** The bank has these debits; a job follows each. */
async function recordAccepted(
  ctx: Context,
  merchant: Merchant,
  before: Batch,
  debits: readonly DebitRequest[],
): Promise<BatchStatus> {
  const { merchantId, id } = before;
  return ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchantId, id);
    const ids = debits.map(({ reference }) => reference);
    const job = { kind: FOLLOW_DEBIT_JOB, due: ctx.now() };
    await markSubmitted(tx, merchantId, ids, { now: clockOf(ctx, merchant), job });
    const { sent, unsent } = await countSent(tx, merchantId, id);
    const trigger: BatchTrigger = unsent > 0 ? "leaveOut" : sent > 0 ? "accept" : "drop";
    // Another process may have handed the rest over since.
    const status = batch && nextState(batchLifecycle, batch.status, trigger);
    if (batch === undefined || status === undefined) return batch?.status ?? "empty";
    const { submittingSince } = debits.length === 0 ? before : batch;
    await updateBatch(tx, { ...batch, status, submittingSince });
    return status;
  });
}

async function recordLost(ctx: Context, begun: Batch): Promise<BatchStatus> {
  return ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, begun.merchantId, begun.id);
    const status = batch && nextState(batchLifecycle, batch.status, "lose");
    if (status === undefined || batch?.attempts !== begun.attempts) return batch?.status ?? "empty";
    await updateBatch(tx, { ...batch, status });
    return status;
  });
}

/** The debit with its account number; undefined when that is unreadable. */
async function withNumber(
  ctx: Context,
  merchant: Merchant,
  debit: DebitToSend,
): Promise<DebitRequest | "deleted" | undefined> {
  const { transactionId, amount, currency, requestedAt } = debit;
  const place = {
    merchantId: merchant.id,
    instrumentId: debit.paymentInstrumentId,
    field: "account_number",
  } as const;
  const use = { purpose: "debit", subjectId: transactionId } as const;
  try {
    const input = await ctx.vault.use(ctx.db, place, use, async (number) => ({
      reference: transactionId,
      amount,
      currency,
      requestedAt,
      account: { ...debit.bankAccount, number },
    }));
    return input ?? "deleted";
  } catch (error) {
    // Every number meets that, and the next attempt finds the batch as it is.
    if (error instanceof KeyServiceProblem) throw error;
    // An unreadable number must not delay the other debits.
    ctx.log.error(
      { merchantId: merchant.id, subjectId: transactionId, error },
      "direct debit not submitted: account number unreadable",
    );
    return undefined;
  }
}
