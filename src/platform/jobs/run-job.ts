import { type Instant, later, MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { LogFields } from "../log/log.ts";
import type { JobHandler, Retry } from "./job.ts";
import {
  insertFailedJob,
  type Job,
  type NewJob,
  postponeByMerchantsClock,
  postponeJob,
  retryJob,
} from "./queries.ts";

/** A job that has failed this often is shown to the operator; about twelve minutes have passed by then. */
const ATTENTION_AFTER = 20;
/** Until then it waits less than a minute, so that it ends within a minute of an outage; after that, 15 minutes. */
const LONGEST_WAIT = 45 * SECOND;
const LONGEST_WAIT_WITH_ATTENTION = 15 * MINUTE;

/** Runs one job. True when it is done for good; otherwise its next run is on record. */
export async function runJob(ctx: Context, handler: JobHandler, job: Job): Promise<boolean> {
  const about = { job: job.kind, merchantId: job.merchantId, subjectId: job.subjectId };
  try {
    const next = await handler(ctx, job);
    if (next === undefined) return true;
    if (typeof next === "number") await postponeJob(ctx.db, job, next);
    else if ("onMerchantsClock" in next)
      await postponeByMerchantsClock(ctx.db, job, next.onMerchantsClock, next.clock);
    else await retry(ctx, job, next, about);
  } catch (error) {
    ctx.log.error({ ...about, error }, "job failed");
    const name = error instanceof Error ? error.name : "unknown error";
    await retry(ctx, job, { retry: `failed: ${name}, see the log` }, about);
  }
  return false;
}

async function retry(ctx: Context, job: Job, next: Retry, about: LogFields): Promise<void> {
  const { retry: problem, withinMs } = next;
  const needsAttention = job.tries >= ATTENTION_AFTER;
  if (job.tries === ATTENTION_AFTER) ctx.log.error(about, `job needs attention: ${problem}`);
  const now = ctx.now();
  await retryJob(ctx.db, job, { at: nextTry(now, job.tries, withinMs), problem, needsAttention }, now);
}

/**
 * Writes a job for work that has failed `tries` times without a job of its own that failed: it waits and needs attention as
 * if it had.
 */
export async function insertRetry(
  ctx: Context,
  tx: Tx,
  job: NewJob,
  { problem, tries }: { readonly problem: string; readonly tries: number },
): Promise<void> {
  const about = { job: job.kind, merchantId: job.merchantId, subjectId: job.subjectId };
  if (tries === ATTENTION_AFTER) ctx.log.error(about, `job needs attention: ${problem}`);
  const now = ctx.now();
  const needsAttention = tries >= ATTENTION_AFTER;
  await insertFailedJob(tx, job, { at: nextTry(now, tries), problem, needsAttention, tries }, now);
}

/** 2, 4, 8 … seconds after the first, second, third failure. */
function nextTry(now: Instant, tries: number, withinMs = Number.POSITIVE_INFINITY): Instant {
  const longest = tries >= ATTENTION_AFTER ? LONGEST_WAIT_WITH_ATTENTION : LONGEST_WAIT;
  return later(now, Math.min(2 ** tries * SECOND, longest, withinMs));
}
