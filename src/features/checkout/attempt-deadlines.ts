import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import { METHOD_SECONDS } from "../../connectors/ports/three-d-secure.ts";
import { type Instant, later, MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob, type NewJob } from "../../platform/jobs/queries.ts";
import {
  BANK_DEADLINE,
  BANK_GRACE,
  type FollowUp,
  REVERSE_AGAIN_AFTER,
  REVERSE_AGAIN_JOB,
  type Transaction,
} from "../transactions/index.ts";

/**
 * Every phase of an attempt has its own deadline and its own kind of job, written when the phase begins, which finishes an
 * attempt whose process did not. The job of an earlier phase does nothing once the next phase has begun: a slow
 * authentication takes no time away from the acquirer.
 */
export const RECOVER_JOB = "checkout_recover";
export const RECOVER_AUTHENTICATION_JOB = "checkout_recover_authentication";
export const RECOVER_METHOD_JOB = "checkout_recover_method";
export const RECOVER_CHALLENGE_JOB = "checkout_recover_challenge";

/** How long a browser has to come back from the method step, and the bank to answer then, on a slow connection too. */
const METHOD_LIFE = METHOD_SECONDS * SECOND + BANK_DEADLINE + 20 * SECOND;

/** How long a payer has to answer a challenge. */
export const CHALLENGE_LIFE = 15 * MINUTE;

/** The recovery job of a new attempt, due when the bank's answer is overdue. */
export function recoveryOf(
  ctx: Context,
  attempt: Pick<Transaction, "merchantId" | "id" | "phase">,
  acquirers: readonly Acquirer[],
): FollowUp {
  const kind = attempt.phase === "authenticating" ? RECOVER_AUTHENTICATION_JOB : RECOVER_JOB;
  const wait = attempt.phase === "authenticating" ? BANK_DEADLINE : waitFor(acquirers);
  return { job: { ...jobFor(kind, attempt), realTime: true }, due: overdue(ctx, wait) };
}

/** For an attempt whose acquirer is being called. */
export async function recoverLater(
  ctx: Context,
  tx: Tx,
  attempt: Attempt,
  acquirers: readonly Acquirer[],
): Promise<void> {
  const due = overdue(ctx, waitFor(acquirers));
  await insertJob(tx, { ...jobFor(RECOVER_JOB, attempt), realTime: true }, due);
}

/** The acquirers may be called one after another, each with its own deadline. */
function waitFor(acquirers: readonly Acquirer[]): number {
  return acquirers.reduce((total, { host }) => total + host.answersWithinMs, 0);
}

/** Recovers almost at once: the bank's answer did not arrive or could not be recorded. */
export async function recoverSoon(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, { ...jobFor(RECOVER_JOB, attempt), realTime: true }, later(ctx.now(), SECOND));
}

/** Recovers when the browser's time for the method step is over. */
export async function recoverAfterMethod(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  const job = { ...jobFor(RECOVER_METHOD_JOB, attempt), realTime: true } as const;
  await insertJob(tx, job, later(ctx.now(), METHOD_LIFE));
}

/** Recovers when the payer's time for the challenge is over, on the merchant's clock. */
export async function recoverAfterChallenge(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  await insertJob(tx, jobFor(RECOVER_CHALLENGE_JOB, attempt), later(ctx.now(), CHALLENGE_LIFE));
}

export async function reverseAgainLater(ctx: Context, tx: Tx, attempt: Attempt): Promise<void> {
  const job = { ...jobFor(REVERSE_AGAIN_JOB, attempt), realTime: true } as const;
  await insertJob(tx, job, later(ctx.now(), REVERSE_AGAIN_AFTER));
}

function overdue(ctx: Context, waitMs: number): Instant {
  return later(ctx.now(), waitMs + BANK_GRACE);
}

/**
 * Whether a call that begins now can end before the recovery begins. A process that stalled after it entered the phase must
 * not call any more: the recovery declines the attempt.
 */
export function isInTime(sinceMs: number, earlier: readonly Acquirer[]): boolean {
  return sinceMs < waitFor(earlier) + BANK_GRACE;
}

type Attempt = Pick<Transaction, "merchantId" | "id">;

function jobFor(kind: string, { merchantId, id }: Attempt): NewJob {
  return { kind, merchantId, subjectId: id };
}
