import { type Id, parseId } from "../../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { JobHandler } from "../../../platform/jobs/worker.ts";
import { findMerchant } from "../../merchants/index.ts";
import { lockTransaction } from "../queries.ts";
import { isOpenAuthorisation } from "../transaction.ts";
import { findPendingOperation, type Operation } from "./queries.ts";
import { beginOperation, finishOperation } from "./run-operation.ts";

/** An authorisation that nobody captured in time is given up. */
export const EXPIRE_AUTHORISATION_JOB = "transaction_expire";

export const expireAuthorisation: JobHandler = async (ctx, job) => {
  const merchant = await findMerchant(ctx.db, job.merchantId as Id<"merchant">);
  const id = parseId("transaction", job.subjectId);
  if (merchant === undefined || id === undefined) return undefined;
  const begun = await ctx.db.transaction(async (tx): Promise<Operation | Instant | undefined> => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOpenAuthorisation(transaction)) return undefined;
    if (await findPendingOperation(tx, merchant.id, id)) return later(ctx.now(), 5 * SECOND);
    return beginOperation(ctx, tx, merchant, id, () => ({ kind: "expire", amount: 0 }));
  });
  if (begun === undefined || typeof begun === "number") return begun;
  await finishOperation(ctx, merchant, begun);
  return undefined;
};
