import { type Html, html } from "../../../browser/ui/html.ts";
import type { CountedReport } from "../../features/page-reports/index.ts";
import { toIso } from "../../kernel/time.ts";
import { table } from "../shell/parts/table.ts";

const PAGE_WORDS: Readonly<Record<CountedReport["page"], string>> = {
  hosted_page: "Hosted page",
  checkout_frame: "Checkout frame",
  bank_page: "Bank's page",
  other: "Other",
};

export function pageReportsView(reports: readonly CountedReport[]): Html {
  const about = html`<p>Payers' browsers report what the policy of a payment page blocked. Extensions of a browser cause most
reports. One origin in reports of many payers can be an injected script: run <code>tidegate pages verify</code>.</p>`;
  if (reports.length === 0) return html`${about}<p>No browser has reported anything for 30 days.</p>`;
  const columns = ["Page", "Directive", "Blocked", "Tried by", "Reports", "Last"].map((head) => ({ head }));
  const rows = reports.map(({ page, directive, blocked, source, reports: count, lastAt }) => [
    PAGE_WORDS[page],
    html`<code>${directive}</code>`,
    html`<code>${blocked}</code>`,
    html`<code>${source}</code>`,
    String(count),
    toIso(lastAt),
  ]);
  return html`${about}${table({ caption: "What was blocked on payment pages", columns, rows, stacks: true })}`;
}
