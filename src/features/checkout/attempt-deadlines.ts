import { type Instant, later, MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob, type NewJob } from "../../platform/jobs/queries.ts";
import { ACQUIRER_DEADLINE, type Transaction } from "../transactions/index.ts";

/** The job that looks after an attempt that nobody has finished. */
export const RECOVER_JOB = "checkout_recover";

/** A payer has this long to answer a challenge. */
export const CHALLENGE_LIFE = 15 * MINUTE;

/** That job, due once nobody can be waiting for a bank's answer any more. */
export function recovery(ctx: Context, attempt: Attempt): { readonly job: NewJob; readonly due: Instant } {
  const due = later(ctx.now(), ACQUIRER_DEADLINE + 5 * SECOND);
  return { job: { ...jobFor(attempt), realTime: true }, due };
}

export async function recoverLater(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  const { job, due } = recovery(ctx, attempt);
  await insertJob(tx, job, due);
}

/** Has it look at once, when a bank's answer did not come or could not be written down. */
export async function recoverSoon(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, recovery(ctx, attempt).job, later(ctx.now(), SECOND));
}

/** Has it look when the payer's time is over, on the merchant's clock. */
export async function recoverAfterChallenge(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, jobFor(attempt), later(ctx.now(), CHALLENGE_LIFE));
}

type Attempt = Pick<Transaction, "merchantId" | "id">;

function jobFor({ merchantId, id }: Attempt) {
  return { kind: RECOVER_JOB, merchantId, subjectId: id };
}
