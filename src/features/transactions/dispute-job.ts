import { later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { FollowUp } from "./queries.ts";
import type { Transaction } from "./transaction.ts";

export const OPEN_DISPUTE_JOB = "dispute_open";

/** In the sandbox a payer disputes an approved payment of a certain amount, one settlement delay later. */
export function disputeJobOf(
  ctx: Context,
  merchant: Merchant,
  { id, amount, status, acquirerAccountId }: Transaction,
): FollowUp | undefined {
  // Amounts choose no scenario at a bank's test host.
  if (merchant.mode !== "sandbox" || status !== "approved" || acquirerAccountId !== null) return undefined;
  if (ctx.sandbox.disputes.reasonOf(amount) === undefined) return undefined;
  const job = { kind: OPEN_DISPUTE_JOB, merchantId: merchant.id, subjectId: id };
  return { job, due: later(ctx.now(), ctx.settings.sandboxSettlementSeconds * SECOND) };
}
