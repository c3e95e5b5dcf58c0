import { bankingDayFrom, isBankingDay } from "../../../kernel/banking-days.ts";
import { decline } from "../../../kernel/codes/outcomes.ts";
import type { Id } from "../../../kernel/ids.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import { type CalendarDay, dayInZone } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import { type Merchant, zoneOf } from "../../merchants/index.ts";
import { applyState } from "../apply-state.ts";
import { type Batch, batchLifecycle, clearedOn, countryOf } from "../direct-debit.ts";
import { FOLLOW_DEBIT_JOB } from "../follow-debit.ts";
import { findBatch, listUnsent, lockBatch, markSubmitted, updateBatch } from "../queries.ts";
import { listMissing } from "./list-missing.ts";

export type ConfirmProblem =
  | "no_such_file"
  | "not_written"
  | "empty"
  | "confirmed_before"
  | "not_a_banking_day"
  | "before_the_file"
  | "missing_undecided"
  | "not_missing";

/**
 * Of debits whose account was deleted: whether the file that the bank took has them. A list names those that it does not
 * have.
 */
export type MissingTaken = "taken" | "not-taken" | readonly Id<"transaction">[];

export type ConfirmInput = {
  readonly day?: CalendarDay | undefined;
  readonly missing?: MissingTaken | undefined;
};

export type Confirmed = {
  readonly batch: Batch;
  readonly clearedOn: CalendarDay;
  /** Debits that the bank's file does not have: they are declined. */
  readonly notTaken: readonly Id<"transaction">[];
};

/**
 * Records that the bank has the file and processes it on that day, by default the file's day or, if that is over, the next
 * banking day. The clearing days of its debits count from then. Debits that the bank's file does not have are declined
 * first; only the operator knows which these are once an account was deleted.
 */
export async function confirmFile(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
  { day, missing }: ConfirmInput = {},
): Promise<Confirmed | ConfirmProblem> {
  const batch = await findBatch(ctx.db, merchant.id, batchId);
  const planned = planConfirm(ctx, merchant, batch, day);
  if (typeof planned === "string") return planned;
  const notTaken = await decideMissing(ctx, merchant, batchId, missing);
  if (typeof notTaken === "string") return notTaken;
  for (const id of notTaken) await applyState(ctx, merchant, id, decline("target_account_invalid"));
  return ctx.db.transaction(async (tx) => {
    const locked = await lockBatch(tx, merchant.id, batchId);
    const confirmed = planConfirm(ctx, merchant, locked, day);
    if (typeof confirmed === "string") return confirmed;
    const ids = (await listUnsent(tx, merchant.id, batchId)).map(({ transactionId }) => transactionId);
    const dropped = locked && nextState(batchLifecycle, locked.status, "drop");
    const isDropped = ids.length === 0 && notTaken.length > 0 && dropped !== undefined;
    const after: Batch = isDropped ? { ...confirmed, status: dropped, processingDay: null } : confirmed;
    await updateBatch(tx, after);
    const now = clockOf(ctx, merchant);
    await markSubmitted(tx, merchant.id, ids, { now, job: { kind: FOLLOW_DEBIT_JOB, due: ctx.now() } });
    return { batch: after, clearedOn: clearedOn(after), notTaken };
  });
}

/** The batch once it is confirmed, or why it can't be. */
function planConfirm(
  ctx: Context,
  merchant: Merchant,
  batch: Batch | undefined,
  day: CalendarDay | undefined,
): Batch | ConfirmProblem {
  if (batch?.rail !== "file") return "no_such_file";
  if (batch.status === "submitted") return "confirmed_before";
  const status = nextState(batchLifecycle, batch.status, "confirm");
  if (status === undefined) return "not_written";
  const processingDay = day ?? expectedDay(batch, dayInZone(clockOf(ctx, merchant), zoneOf(merchant)));
  return dayProblem(merchant, batch, processingDay) ?? { ...batch, status, processingDay };
}

/** The debits that the bank's file does not have. A debit whose account still exists is in every file of its batch. */
export async function decideMissing(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
  decided: MissingTaken | undefined,
): Promise<readonly Id<"transaction">[] | ConfirmProblem> {
  if (decided === "taken") return [];
  const missing = (await listMissing(ctx, merchant, batchId)).map(({ transactionId }) => transactionId);
  if (decided === undefined) return missing.length === 0 ? [] : "missing_undecided";
  if (decided === "not-taken") return missing;
  return decided.every((id) => missing.includes(id)) ? decided : "not_missing";
}

/** What is wrong with the day on which the bank is said to process a file. */
export function dayProblem(merchant: Merchant, batch: Batch, day: CalendarDay): ConfirmProblem | undefined {
  if (!isBankingDay(day, countryOf(batch))) return "not_a_banking_day";
  return day < dayInZone(batch.createdAt, zoneOf(merchant)) ? "before_the_file" : undefined;
}

function expectedDay(batch: Batch, today: CalendarDay): CalendarDay {
  const next = bankingDayFrom(today, countryOf(batch));
  return batch.day > next ? batch.day : next;
}
