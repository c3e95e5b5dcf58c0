import { readBacklog } from "../../features/deliveries/index.ts";
import type { Context } from "../../platform/context.ts";
import { OVERDUE_COUNTED, readOverdue } from "../../platform/jobs/queries.ts";
import { BACKLOG_COUNTED } from "../../platform/metrics/webhook-metrics.ts";
import { type Finding, findings } from "./finding.ts";

/** A delivery that is due for longer than this is a warning. */
const OVERDUE_SECONDS = 60;

/** Checks for overdue jobs and webhook deliveries. */
export async function checkWork({ db, now }: Pick<Context, "db" | "now">): Promise<readonly Finding[]> {
  return [workFinding(await readOverdue(db, now())), webhookFinding(await readBacklog(db))];
}

function workFinding({ count, oldestSeconds }: Awaited<ReturnType<typeof readOverdue>>): Finding {
  const jobs = findings("timed work");
  if (count === 0) return jobs.ok("nothing is overdue");
  return jobs.warn(
    `${countText(count, OVERDUE_COUNTED)} jobs are overdue, the oldest for ${Math.round(oldestSeconds)} s`,
    "check that a gateway with the role `worker` runs, and read its log",
  );
}

function webhookFinding({ due, oldestSeconds }: Awaited<ReturnType<typeof readBacklog>>): Finding {
  const webhooks = findings("webhooks");
  const message = `${countText(due, BACKLOG_COUNTED)} deliveries are due, the oldest for ${Math.round(oldestSeconds)} s`;
  if (oldestSeconds < OVERDUE_SECONDS) return webhooks.ok(due === 0 ? "no delivery is due" : message);
  return webhooks.warn(
    message,
    "check that a gateway with the role `webhooks` runs; `tidegate events list` helps to find the endpoint that does not respond",
  );
}

function countText(count: number, counted: number): string {
  return count >= counted ? `${counted} or more` : `${count}`;
}
