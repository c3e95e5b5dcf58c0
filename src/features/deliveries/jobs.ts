import { DAY, HOUR } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { retentionChore } from "../../platform/jobs/retention.ts";
import { deleteOldEvents } from "./queries.ts";

/** Events and their deliveries are deleted after 30 days. */
const EVENTS_KEPT = 30 * DAY;
const EVENTS_AT_ONCE = 2_000;

export const deliveryChores: readonly Chore[] = [
  retentionChore({
    name: "delete old events",
    everyMs: HOUR,
    keptMs: EVENTS_KEPT,
    atOnce: EVENTS_AT_ONCE,
    deletePortion: deleteOldEvents,
  }),
];
