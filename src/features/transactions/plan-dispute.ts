import { later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "./transaction.ts";

export const OPEN_DISPUTE_JOB = "dispute_open";

/** In the sandbox a payer disputes an approved payment of a certain amount, one settlement delay later. */
export async function planDispute(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { id, amount, status, acquirerAccountId }: Transaction,
): Promise<void> {
  // Amounts choose no scenario at a bank's test host.
  if (merchant.mode !== "sandbox" || status !== "approved" || acquirerAccountId !== null) return;
  if (ctx.sandbox.disputes.reasonOf(amount) === undefined) return;
  const job = { kind: OPEN_DISPUTE_JOB, merchantId: merchant.id, subjectId: id };
  await insertJob(tx, job, later(ctx.now(), ctx.settings.sandboxSettlementSeconds * SECOND));
}
