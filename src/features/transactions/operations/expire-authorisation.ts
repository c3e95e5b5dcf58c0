import type { Id } from "../../../kernel/ids.ts";
import { cents } from "../../../kernel/money.ts";
import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import { lockTransaction } from "../queries.ts";
import { isOpenAuthorisation } from "../transaction-rules.ts";
import type { Operation } from "./operation.ts";
import { findPendingOperation } from "./queries.ts";
import { beginOperation, finishOperation } from "./run-operation.ts";

export const EXPIRE_AUTHORISATION_JOB = "transaction_expire";

/** Releases the hold of an authorisation that was not captured in time. */
export async function expireAuthorisation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<Instant | undefined> {
  const begun = await ctx.db.transaction(async (tx): Promise<Operation | Instant | undefined> => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOpenAuthorisation(transaction)) return undefined;
    if (await findPendingOperation(tx, merchant.id, id)) return later(ctx.now(), 5 * SECOND);
    const decide = () => ({ kind: "expire", amount: cents(0) }) as const;
    return beginOperation(ctx, tx, merchant, { transactionId: id, decide });
  });
  if (begun === undefined || typeof begun === "number") return begun;
  await finishOperation(ctx, merchant, begun);
  return undefined;
}
