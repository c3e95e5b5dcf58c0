import type { Id } from "../../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import { lockTransaction } from "../queries.ts";
import { isOpenAuthorisation } from "../transaction.ts";
import { findPendingOperation, type Operation } from "./queries.ts";
import { beginOperation, finishOperation } from "./run-operation.ts";

/** An authorisation that nobody captured in time is given up. */
export const EXPIRE_AUTHORISATION_JOB = "transaction_expire";

export async function expireAuthorisation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<Instant | undefined> {
  const begun = await ctx.db.transaction(async (tx): Promise<Operation | Instant | undefined> => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOpenAuthorisation(transaction)) return undefined;
    if (await findPendingOperation(tx, merchant.id, id)) return later(ctx.now(), 5 * SECOND);
    return beginOperation(ctx, tx, merchant, id, () => ({ kind: "expire", amount: 0 }));
  });
  if (begun === undefined || typeof begun === "number") return begun;
  await finishOperation(ctx, merchant, begun);
  return undefined;
}
