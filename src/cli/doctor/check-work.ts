import { readBacklog } from "../../features/deliveries/index.ts";
import type { Context } from "../../platform/context.ts";
import { OVERDUE_COUNTED, readOverdue } from "../../platform/jobs/queries.ts";
import { BACKLOG_COUNTED } from "../../platform/metrics/webhook-metrics.ts";
import { type Finding, findings } from "./finding.ts";

/** Deliveries are due now and then; so long is long. */
const WAITED_LONG_SECONDS = 60;

/** What waits longer than it should: timed work, and webhooks. */
export async function checkWork({ db, now }: Pick<Context, "db" | "now">): Promise<readonly Finding[]> {
  return [workFinding(await readOverdue(db, now())), webhookFinding(await readBacklog(db))];
}

function workFinding({ count, oldestSeconds }: Awaited<ReturnType<typeof readOverdue>>): Finding {
  const jobs = findings("timed work");
  if (count === 0) return jobs.ok("nothing is overdue");
  return jobs.warn(
    `${many(count, OVERDUE_COUNTED)} pieces are overdue, the oldest for ${Math.round(oldestSeconds)} s`,
    "see that a gateway with the role `worker` runs, and what its log says",
  );
}

function webhookFinding({ due, oldestSeconds }: Awaited<ReturnType<typeof readBacklog>>): Finding {
  const webhooks = findings("webhooks");
  const says = `${many(due, BACKLOG_COUNTED)} deliveries are due, the oldest for ${Math.round(oldestSeconds)} s`;
  if (oldestSeconds < WAITED_LONG_SECONDS) return webhooks.ok(due === 0 ? "no delivery waits" : says);
  return webhooks.warn(
    says,
    "see that a gateway with the role `webhooks` runs, and by `tidegate events list` whose endpoint does not answer",
  );
}

function many(count: number, counted: number): string {
  return count >= counted ? `${counted} or more` : `${count}`;
}
