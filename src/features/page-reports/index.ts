export { pageReportChores } from "./jobs.ts";
export { type CountedReport, listReports } from "./queries.ts";
export {
  MOST_KINDS,
  mountPageReports,
  REPORT_DIRECTIVES,
  REPORT_HEADERS,
} from "./receive-reports.ts";
