import { bankingDayFrom, isBankingDay } from "../../../kernel/banking-days.ts";
import type { Id } from "../../../kernel/ids.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import { type CalendarDay, dayInZone } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import { type Merchant, zoneOf } from "../../merchants/index.ts";
import { type Batch, batchLifecycle, clearedOn, countryOf } from "../direct-debit.ts";
import { FOLLOW_DEBIT_JOB } from "../follow-debit.ts";
import { listBatch, lockBatch, markSubmitted, updateBatch } from "../queries.ts";

export type ConfirmProblem =
  | "no_such_file"
  | "not_written"
  | "confirmed_before"
  | "not_a_banking_day"
  | "before_the_file";

type Confirmed = { readonly batch: Batch; readonly clearedOn: CalendarDay };

/**
 * Records that the bank has the file and processes it on that day, by default the file's day or, if that is over, the next
 * banking day. The clearing days of its debits count from then.
 */
export async function confirmFile(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
  day?: CalendarDay,
): Promise<Confirmed | ConfirmProblem> {
  return ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, batchId);
    if (batch?.rail !== "file") return "no_such_file";
    if (batch.status === "submitted") return "confirmed_before";
    const status = nextState(batchLifecycle, batch.status, "confirm");
    if (status === undefined) return "not_written";
    const now = clockOf(ctx, merchant);
    const processingDay = day ?? expectedDay(batch, dayInZone(now, zoneOf(merchant)));
    const problem = dayProblem(merchant, batch, processingDay);
    if (problem !== undefined) return problem;
    const confirmed: Batch = { ...batch, status, processingDay };
    await updateBatch(tx, confirmed);
    const ids = (await listBatch(tx, merchant.id, batchId)).map(({ transactionId }) => transactionId);
    await markSubmitted(tx, merchant.id, ids, { now, job: { kind: FOLLOW_DEBIT_JOB, due: ctx.now() } });
    return { batch: confirmed, clearedOn: clearedOn(confirmed) };
  });
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
