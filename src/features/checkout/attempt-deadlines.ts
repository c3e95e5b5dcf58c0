import { type Instant, later, MINUTE, SECOND } from "../../kernel/time.ts";
import type { World } from "../../platform/world.ts";
import { ACQUIRER_DEADLINE, type Transaction } from "../transactions/index.ts";

/** The job that looks after an attempt that nobody has finished. */
export const RECOVER_JOB = "checkout_recover";

/** A payer has this long to answer a challenge. */
export const CHALLENGE_LIFE = 15 * MINUTE;

/** When that job should look: once nobody can be waiting for an answer any more. */
export function recoveryDue(world: World, transaction: Pick<Transaction, "phase">): Instant {
  const wait = transaction.phase === "authenticating" ? CHALLENGE_LIFE : ACQUIRER_DEADLINE + 5 * SECOND;
  return later(world.now(), wait);
}
