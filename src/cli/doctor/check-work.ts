import { merchantsWithoutThreeDSecure } from "../../features/acquirer-accounts/index.ts";
import { readBacklog } from "../../features/deliveries/index.ts";
import { countUnconfirmed, countWaitingSince } from "../../features/direct-debits/index.ts";
import { type CountedReport, listReports, MOST_KINDS } from "../../features/page-reports/index.ts";
import { DAY, type Instant, later } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { JOBS_COUNTED, readJobHealth } from "../../platform/jobs/health/queries.ts";
import { BACKLOG_COUNTED } from "../../platform/metrics/webhook-metrics.ts";
import { type Finding, findings } from "./finding.ts";

/** A delivery that is due for longer than this is a warning. */
const OVERDUE_SECONDS = 60;

const FILES_COUNTED = 1_000;

/** A direct debit that is in no batch for longer than this is a warning. */
const DEBITS_WAIT_DAYS = 3;
const DEBITS_COUNTED = 10_000;

const MERCHANTS_NAMED = 20;

/** Warns of live merchants whose requests with 3D Secure are refused, because no account of theirs offers it. */
export async function checkThreeDSecure(
  ctx: Pick<Context, "db" | "connectors">,
): Promise<readonly Finding[]> {
  const merchants = await merchantsWithoutThreeDSecure(ctx, MERCHANTS_NAMED);
  if (merchants.length === 0) return [];
  return [
    findings("3D Secure").warn(
      `no active acquirer account of these merchants offers it: ${merchants.join(" ")}`,
      "connect an account that does, such as Adyen's, or switch the capability threeDSecure off; see docs/guides/going-live.md",
    ),
  ];
}

/** Checks for overdue jobs and webhook deliveries, and for debits that no bank is known to have. */
export async function checkWork({ db, now }: Pick<Context, "db" | "now">): Promise<readonly Finding[]> {
  const files = await countUnconfirmed(db, later(now(), -DAY), FILES_COUNTED);
  const debits = await countWaitingSince(db, later(now(), -DEBITS_WAIT_DAYS * DAY), DEBITS_COUNTED);
  return [
    ...jobFindings(await readJobHealth(db, now())),
    webhookFinding(await readBacklog(db)),
    ...(files === 0 ? [] : [fileFinding(files)]),
    ...(debits === 0 ? [] : [waitingFinding(debits)]),
    ...pageFindings(await listReports(db, MOST_KINDS), now()),
  ];
}

function fileFinding(files: number): Finding {
  return findings("debit files").warn(
    `${countText(files, FILES_COUNTED)} files are more than a day old and not written or not confirmed; their debits stay pending`,
    "`tidegate debit batches` shows them; `tidegate debit export --batch` writes one, `tidegate debit confirm` records that the bank took it",
  );
}

function waitingFinding(debits: number): Finding {
  return findings("debits").warn(
    `${countText(debits, DEBITS_COUNTED)} direct debits are in no bank file for more than ${DEBITS_WAIT_DAYS} days`,
    "`tidegate debit export` writes them to one, and names those that a file can't hold; see docs/guides/direct-debit.md",
  );
}

/** Scripts of the last day that came from another origin: an extension's scheme is none. */
function pageFindings(reports: readonly CountedReport[], now: Instant): readonly Finding[] {
  const foreign = reports.filter(
    ({ directive, blocked, lastAt }) =>
      directive.startsWith("script-src") && blocked.startsWith("http") && lastAt > now - DAY,
  );
  if (foreign.length === 0) return [];
  return [
    findings("payment pages").warn(
      `browsers blocked scripts from ${foreign.length} other origins on payment pages within a day`,
      "`tidegate pages reports` lists them; compare the pages by `tidegate pages verify`",
    ),
  ];
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

function webhookFinding({ due, oldestSeconds, failing }: Awaited<ReturnType<typeof readBacklog>>): Finding {
  const webhooks = findings("webhooks");
  const others =
    failing === 0 ? "" : `; ${countText(failing, BACKLOG_COUNTED)} more wait for endpoints that fail`;
  const message = `${countText(due, BACKLOG_COUNTED)} deliveries are due, the oldest for ${Math.round(oldestSeconds)} s${others}`;
  if (oldestSeconds < OVERDUE_SECONDS)
    return webhooks.ok(due === 0 && failing === 0 ? "no delivery is due" : message);
  return webhooks.warn(
    message,
    "check that a gateway with the role `webhooks` runs; `tidegate events list` helps to find the endpoint that does not respond",
  );
}

function countText(count: number, counted: number): string {
  return count >= counted ? `${counted} or more` : `${count}`;
}
