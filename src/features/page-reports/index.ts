export { pageReportChores } from "./jobs.ts";
export { type CountedReport, listReports } from "./queries.ts";
export {
  MOST_KINDS,
  mountPageReports,
  REPORT_DIRECTIVE,
} from "./receive-reports.ts";
