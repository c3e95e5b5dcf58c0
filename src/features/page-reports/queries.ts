import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { PageReport } from "./page-report.ts";

export type CountedReport = PageReport & {
  readonly reports: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

/** A kind that is known is counted; a new one is stored while there are fewer than `$6`. */
const COUNT = sql(
  "page_report_count",
  `insert into page_reports as r (page, directive, blocked, source, reports, first_at, last_at)
   select $1, $2, $3, $4, 1, $5::timestamptz, $5::timestamptz
   where (select count(*) from (select from page_reports limit $6) as kinds) < $6
     or exists (select from page_reports where page = $1 and directive = $2 and blocked = $3 and source = $4)
   on conflict (page, directive, blocked, source)
   do update set reports = r.reports + 1, last_at = greatest(r.last_at, excluded.last_at)
   returning 1`,
);
const LIST = sql(
  "page_report_list",
  `select page, directive, blocked, source, reports, first_at as "firstAt", last_at as "lastAt"
   from page_reports order by last_at desc, page, directive, blocked, source limit $1`,
);
const DELETE_OLD = sql("page_report_delete_old", "delete from page_reports where last_at < $1");

/** False when there are too many kinds already. */
export async function countReport(
  tx: Tx,
  report: PageReport,
  now: Instant,
  mostKinds: number,
): Promise<boolean> {
  const { page, directive, blocked, source } = report;
  return (await tx.rows(COUNT, [page, directive, blocked, source, at(now), mostKinds])).length === 1;
}

/** The latest first. */
export async function listReports(tx: Tx, limit: number): Promise<readonly CountedReport[]> {
  return tx.rows<CountedReport>(LIST, [limit]);
}

export async function deleteOldReports(tx: Tx, before: Instant): Promise<void> {
  await tx.rows(DELETE_OLD, [at(before)]);
}
