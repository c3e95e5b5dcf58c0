import { type Id, parseId } from "../../kernel/ids.ts";
import { instant, later, SECOND } from "../../kernel/time.ts";
import type { JobHandler } from "../../platform/jobs/worker.ts";
import { clockOf, connectorsOf } from "../../platform/world.ts";
import { findMerchant } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { abandonAttempt } from "./abandon-attempt.ts";
import { CHALLENGE_LIFE } from "./attempt-deadlines.ts";
import { finishAttempt } from "./finish-attempt.ts";

/**
 * Finds out what became of an attempt that nobody finished, by asking, never by charging again. What the acquirer has
 * never seen is reversed before it is declined: a call that is still on its way can take nothing any more.
 */
export const recoverAttempt: JobHandler = async (world, job) => {
  const merchant = await findMerchant(world.db, job.merchantId as Id<"merchant">);
  const id = parseId("transaction", job.subjectId);
  const attempt = merchant && id && (await findTransaction(world.db, merchant.id, id));
  if (merchant === undefined || attempt === undefined || attempt.status !== "pending") return undefined;

  if (attempt.phase === "authenticating") {
    const deadline = later(attempt.createdAt, CHALLENGE_LIFE);
    if (clockOf(world, merchant) < deadline) return instant(deadline - merchant.clockOffset);
    await abandonAttempt(world, merchant, attempt);
    return undefined;
  }

  const { acquirer } = connectorsOf(world, merchant);
  const seen = await acquirer.inquire(attempt.id);
  if (seen.kind === "unknown") return later(world.now(), 2 * SECOND);
  if (seen.kind === "never_seen") {
    await acquirer.reverse(attempt.id);
    await finishAttempt(world, merchant, attempt, { kind: "declined", code: "D10009" });
    return undefined;
  }
  await finishAttempt(world, merchant, attempt, seen);
  return undefined;
};
