import { DAY, HOUR } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { retentionChore } from "../../platform/jobs/retention.ts";
import { deleteFinished } from "./queries.ts";

/** Longer than a payment can be refunded, and than the schemes' time for disputes. */
export const JOURNAL_KEPT = 400 * DAY;

/** What is on record within the time is still there for the reconciliation that began at its end. */
const MARGIN = 10 * DAY;
const AT_ONCE = 2_000;

export const iso8583Chores: readonly Chore[] = [
  retentionChore({
    name: "delete old messages of ISO 8583 hosts",
    everyMs: HOUR,
    keptMs: JOURNAL_KEPT + MARGIN,
    atOnce: AT_ONCE,
    deletePortion: deleteFinished,
  }),
];
