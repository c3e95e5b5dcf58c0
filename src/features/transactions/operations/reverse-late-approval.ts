import { newId } from "../../../kernel/ids.ts";
import type { Cents } from "../../../kernel/money.ts";
import { later, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertJob } from "../../../platform/jobs/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { BANK_DEADLINE } from "../call-bank.ts";
import type { Transaction } from "../transaction.ts";
import type { Operation } from "./operation.ts";
import { findPendingOperation, insertOperation } from "./queries.ts";
import { OPERATION_JOB } from "./run-operation.ts";

/**
 * Records that the acquirer approved a payment which the gateway had already declined, with the job that reverses it until
 * the acquirer confirms. The caller holds the transaction's row. The transaction itself does not change.
 */
export async function planReversal(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { transaction, amount }: { readonly transaction: Transaction; readonly amount: Cents },
): Promise<Operation> {
  const planned = await findPendingOperation(tx, merchant.id, transaction.id);
  if (planned !== undefined) return planned;
  const now = clockOf(ctx, merchant);
  const operation: Operation = {
    id: newId("operation", now),
    merchantId: merchant.id,
    transactionId: transaction.id,
    kind: "reverse",
    amount,
    status: "pending",
    code: null,
  };
  await insertOperation(tx, operation, now);
  const subjectId = operation.id;
  const job = { kind: OPERATION_JOB, merchantId: merchant.id, subjectId, realTime: true } as const;
  await insertJob(tx, job, later(ctx.now(), BANK_DEADLINE + 5 * SECOND));
  ctx.log.warn(
    { merchantId: merchant.id, subjectId: transaction.id },
    "the acquirer approved a payment that was already declined: it is reversed",
  );
  return operation;
}
