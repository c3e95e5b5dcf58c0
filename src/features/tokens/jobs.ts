import { DAY, HOUR } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { retentionChore } from "../../platform/jobs/retention.ts";
import { deleteOldTokens } from "./queries.ts";

/** As long as events: the dashboard's timeline of a payment shows both. A payment with a token ends within minutes. */
const TOKENS_KEPT = 30 * DAY;
const TOKENS_AT_ONCE = 10_000;

export const tokenChores: readonly Chore[] = [
  retentionChore({
    name: "delete expired one-time tokens",
    everyMs: HOUR,
    keptMs: TOKENS_KEPT,
    atOnce: TOKENS_AT_ONCE,
    deletePortion: deleteOldTokens,
  }),
];
