import type { Id } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import { claimKey, finishKey } from "../../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../../merchants/index.ts";
import { transactionPath } from "../present.ts";
import { findTransaction } from "../queries.ts";
import { authorisationEnd, type Transaction, totalOf } from "../transaction.ts";
import type { Operation } from "./queries.ts";
import { beginOperation, finishOperation } from "./run-operation.ts";

/** Takes the money of an authorisation, all of it or a part, once. */
export async function captureTransaction(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
  amount: number | undefined,
): Promise<Transaction> {
  return requestOperation(ctx, caller, id, (authorisation) => {
    const total = totalOf(authorisation);
    if (amount !== undefined && amount > total)
      refuse("transaction_capture_amount_conflict", "/payment/amount");
    return { kind: "capture", amount: amount ?? total };
  });
}

/** Gives an authorisation up before anything was taken. */
export async function cancelTransaction(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
): Promise<Transaction> {
  return requestOperation(ctx, caller, id, () => ({ kind: "void", amount: 0 }));
}

async function requestOperation(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
  decide: (authorisation: Transaction) => Pick<Operation, "kind" | "amount">,
): Promise<Transaction> {
  const operation = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    return beginOperation(ctx, tx, caller.merchant, id, (authorisation) => {
      // Its time is over also in the moment before a worker has given it up.
      if (authorisationEnd(authorisation) <= clockOf(ctx, caller.merchant))
        refuse("transaction_capture_state_conflict");
      return decide(authorisation);
    });
  });
  if (await finishOperation(ctx, caller.merchant, operation)) await finishKey(ctx, caller);
  return (await findTransaction(ctx.db, caller.merchantId, id)) ?? refuse("resource_not_found");
}
