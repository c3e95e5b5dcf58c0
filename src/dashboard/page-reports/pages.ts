import { listReports, MOST_KINDS } from "../../features/page-reports/index.ts";
import { type OwnPage, ownPage } from "../shell/page.ts";
import { pageReportsView } from "./view.ts";

/** What browsers blocked on payment pages, for operators. */
export const pageReportPages: readonly OwnPage[] = [
  ownPage({
    method: "GET",
    path: "/page-reports",
    right: "operate",
    run: async (ctx) => ({
      title: "Page reports",
      content: pageReportsView(await listReports(ctx.db, MOST_KINDS)),
    }),
  }),
];
