import type { Id } from "../../../kernel/ids.ts";
import { cents } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import { claimKey } from "../../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../../merchants/index.ts";
import { transactionPath } from "../present.ts";
import { findTransaction } from "../queries.ts";
import type { Transaction } from "../transaction.ts";
import { authorisationEnd, authorisedOf } from "../transaction-rules.ts";
import type { Decided, OperatedTransaction } from "./operation.ts";
import { beginOperation, overdueAfter, runOperation } from "./run-operation.ts";

/** The full amount unless one is given. */
type CaptureInput = { readonly amount: number | undefined; readonly reference?: string | undefined };

/** Captures an authorisation, in full or in part, once. */
export async function captureTransaction(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
  { amount, reference }: CaptureInput,
): Promise<OperatedTransaction> {
  return requestOperation(ctx, caller, id, (authorisation) => {
    const most = authorisedOf(authorisation);
    if (amount !== undefined && amount > most)
      refuse("transaction_capture_amount_conflict", "/payment/amount");
    return {
      kind: "capture",
      amount: amount === undefined ? most : cents(amount),
      reference: reference ?? null,
    };
  });
}

/** Voids an authorisation that was not captured. */
export async function cancelTransaction(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
): Promise<OperatedTransaction> {
  return requestOperation(ctx, caller, id, () => ({ kind: "void", amount: cents(0) }));
}

async function requestOperation(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"transaction">,
  decide: (authorisation: Transaction) => Decided,
): Promise<OperatedTransaction> {
  const overdueAfterMs = await overdueAfter(ctx, caller.merchant, id);
  const begun = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    return beginOperation(ctx, tx, caller.merchant, {
      transactionId: id,
      overdueAfterMs,
      decide: (authorisation) => {
        // An authorisation ends on time, even if the worker has not expired it yet.
        if (authorisationEnd(authorisation) <= clockOf(ctx, caller.merchant))
          refuse("transaction_capture_state_conflict");
        return decide(authorisation);
      },
    });
  });
  const operation = await runOperation(ctx, caller.merchant, begun);
  const transaction = (await findTransaction(ctx.db, caller.merchantId, id)) ?? refuse("resource_not_found");
  return { transaction, operation };
}
