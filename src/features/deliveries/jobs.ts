import { DAY, HOUR, later } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { deleteEventsBefore } from "./queries.ts";

/** Events and their deliveries are deleted after 30 days. */
const EVENTS_KEPT = 30 * DAY;
const EVENTS_AT_ONCE = 2_000;

export const deliveryChores: readonly Chore[] = [
  {
    name: "delete old events",
    everyMs: HOUR,
    run: async (ctx) => {
      const before = later(ctx.now(), -EVENTS_KEPT);
      return (await deleteEventsBefore(ctx.db, before, EVENTS_AT_ONCE)) < EVENTS_AT_ONCE ? "done" : "more";
    },
  },
];
