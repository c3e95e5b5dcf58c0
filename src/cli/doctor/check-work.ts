import { readBacklog } from "../../features/deliveries/index.ts";
import type { Context } from "../../platform/context.ts";
import { JOBS_COUNTED, readJobHealth } from "../../platform/jobs/queries.ts";
import { BACKLOG_COUNTED } from "../../platform/metrics/webhook-metrics.ts";
import { type Finding, findings } from "./finding.ts";

/** A delivery that is due for longer than this is a warning. */
const OVERDUE_SECONDS = 60;

/** Checks for overdue jobs and webhook deliveries. */
export async function checkWork({ db, now }: Pick<Context, "db" | "now">): Promise<readonly Finding[]> {
  return [...jobFindings(await readJobHealth(db, now())), webhookFinding(await readBacklog(db))];
}

type Health = Awaited<ReturnType<typeof readJobHealth>>;

function jobFindings({ overdue, failing, needingAttention }: Health): readonly Finding[] {
  const jobs = findings("jobs");
  const found: Finding[] = [];
  if (overdue.count > 0) {
    found.push(
      jobs.warn(
        `${countText(overdue.count, JOBS_COUNTED)} jobs are overdue, the oldest for ${Math.round(overdue.oldestSeconds)} s`,
        "check that a gateway with the role `worker` runs, and read its log",
      ),
    );
  }
  if (needingAttention > 0) {
    found.push(
      jobs.warn(
        `${countText(needingAttention, JOBS_COUNTED)} jobs need attention: they failed again and again`,
        "`tidegate jobs list` shows which and why; `tidegate jobs retry` runs them now",
      ),
    );
  }
  if (found.length > 0) return found;
  return [
    jobs.ok(failing === 0 ? "no job is overdue or failing" : `${failing} jobs failed and will run again`),
  ];
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
