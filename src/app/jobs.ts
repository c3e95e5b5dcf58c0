import { EXPIRE_JOB, expireWhenDue } from "../features/payment-requests/index.ts";
import { DAY, HOUR, later } from "../kernel/time.ts";
import { deleteKeysBefore } from "../platform/idempotency/queries.ts";
import type { Chore, JobHandler } from "../platform/jobs/worker.ts";

/** Who does which kind of timed work. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [EXPIRE_JOB]: expireWhenDue,
};

/** Keys are remembered for two days; 24 hours are promised. */
const KEYS_REMEMBERED = 2 * DAY;

export const CHORES: readonly Chore[] = [
  {
    name: "forget old idempotency keys",
    everyMs: HOUR,
    run: (world) => deleteKeysBefore(world.db, later(world.now(), -KEYS_REMEMBERED), 10_000),
  },
];
