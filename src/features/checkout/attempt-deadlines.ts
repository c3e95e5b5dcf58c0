import { later, MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { ACQUIRER_DEADLINE, type FollowUp, type Transaction } from "../transactions/index.ts";

/** Finishes an attempt whose process did not. */
export const RECOVER_JOB = "checkout_recover";

/** How long a payer has to answer a challenge. */
export const CHALLENGE_LIFE = 15 * MINUTE;

/** The recovery job, due when the bank's answer is overdue. */
export function recoveryOf(ctx: Context, attempt: Attempt): FollowUp {
  const due = later(ctx.now(), ACQUIRER_DEADLINE + 5 * SECOND);
  return { job: { ...jobFor(attempt), realTime: true }, due };
}

export async function recoverLater(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  const { job, due } = recoveryOf(ctx, attempt);
  await insertJob(tx, job, due);
}

/** Recovers almost at once: the bank's answer did not arrive or could not be recorded. */
export async function recoverSoon(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, recoveryOf(ctx, attempt).job, later(ctx.now(), SECOND));
}

/** Recovers when the payer's time for the challenge is over, on the merchant's clock. */
export async function recoverAfterChallenge(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, jobFor(attempt), later(ctx.now(), CHALLENGE_LIFE));
}

type Attempt = Pick<Transaction, "merchantId" | "id">;

function jobFor({ merchantId, id }: Attempt) {
  return { kind: RECOVER_JOB, merchantId, subjectId: id };
}
