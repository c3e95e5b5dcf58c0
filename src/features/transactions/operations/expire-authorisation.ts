import type { Id } from "../../../kernel/ids.ts";
import { cents } from "../../../kernel/money.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { NextRun } from "../../../platform/jobs/job.ts";
import type { Merchant } from "../../merchants/index.ts";
import { lockTransaction } from "../queries.ts";
import { isOpenAuthorisation } from "../transaction-rules.ts";
import { findPendingOperation, findRefusedExpiries, followByExpiry } from "./queries.ts";
import { type BegunOperation, beginOperation, overdueAfter, runOperation } from "./run-operation.ts";

const UNFINISHED = { retry: "an authorisation is not expired: an operation on it is unfinished" };
const DECLINED = { retry: "an authorisation is not expired: the acquirer declined" };

/**
 * Releases the hold of an authorisation that was not captured in time. The job stays until that is done: while the acquirer
 * refuses or does not answer, an operator has to know. Acquirers answer the same operation from their records, so another
 * try is a new one; each waits as long as all before it took, so that they stay few. An unfinished operation comes first: its
 * own job sees to its end, which writes this job anew.
 */
export async function expireAuthorisation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<NextRun> {
  const overdueAfterMs = await overdueAfter(ctx, merchant, id);
  const begun = await ctx.db.transaction(async (tx): Promise<BegunOperation | "declined" | undefined> => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOpenAuthorisation(transaction)) return undefined;
    const unfinished = await findPendingOperation(tx, merchant.id, id);
    if (unfinished !== undefined) {
      await followByExpiry(tx, unfinished);
      return undefined;
    }
    const tries = await findRefusedExpiries(tx, merchant.id, id);
    if (tries !== undefined && clockOf(ctx, merchant) - tries.last < tries.last - tries.first)
      return "declined";
    const decide = () => ({ kind: "expire", amount: cents(0) }) as const;
    return beginOperation(ctx, tx, merchant, { transactionId: id, overdueAfterMs, decide });
  });
  if (begun === undefined) return undefined;
  if (begun === "declined") return DECLINED;
  const { status } = await runOperation(ctx, merchant, begun);
  if (status === "done") return undefined;
  return status === "pending" ? UNFINISHED : DECLINED;
}
