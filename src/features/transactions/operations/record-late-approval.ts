import { newId } from "../../../kernel/ids.ts";
import { approveLate } from "../../../kernel/late-approval.ts";
import type { Cents } from "../../../kernel/money.ts";
import { type Instant, later } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertJob } from "../../../platform/jobs/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { BANK_DEADLINE, BANK_GRACE } from "../call-bank.ts";
import { updateLateApproval } from "../queries.ts";
import type { Transaction } from "../transaction.ts";
import { transactionChange } from "../transaction-change.ts";
import type { Operation } from "./operation.ts";
import { findPendingOperation, insertOperation } from "./queries.ts";
import { OPERATION_JOB } from "./run-operation.ts";

/**
 * Records that the acquirer approved a payment which the gateway had already declined, with its event and the job that
 * reverses it until the acquirer confirms. The caller holds the transaction's row. Undefined when that approval is reversed
 * already: a second report changes nothing.
 */
export async function recordLateApproval(
  ctx: Pick<Context, "now" | "log" | "settings">,
  tx: Tx,
  merchant: Merchant,
  late: { readonly transaction: Transaction; readonly amount: Cents; readonly due?: Instant },
): Promise<Operation | undefined> {
  const { transaction, amount, due = later(ctx.now(), BANK_DEADLINE + BANK_GRACE) } = late;
  const planned = await findPendingOperation(tx, merchant.id, transaction.id);
  if (planned !== undefined) return planned;
  const now = clockOf(ctx, merchant);
  const approved = approveLate(transaction, amount, now);
  if (approved === undefined) return undefined;
  const operation: Operation = {
    id: newId("operation", now),
    merchantId: merchant.id,
    transactionId: transaction.id,
    kind: "reverse",
    amount,
    reference: null,
    status: "pending",
    code: null,
  };
  await insertOperation(tx, operation, now);
  const subjectId = operation.id;
  const job = { kind: OPERATION_JOB, merchantId: merchant.id, subjectId, realTime: true } as const;
  await insertJob(tx, job, due);
  await updateLateApproval(tx, approved, transactionChange(merchant.mode, approved, ctx.settings));
  ctx.log.warn(
    { merchantId: merchant.id, subjectId: transaction.id },
    "the acquirer approved a payment that was already declined: it is reversed",
  );
  return operation;
}
