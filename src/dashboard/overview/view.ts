import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { panel } from "../shell/parts/facts.ts";
import { emptyState } from "../shell/parts/table.ts";
import { countText, sourceWords } from "../shell/words.ts";
import type { OverviewModel } from "./model.ts";
import { percentText, shareBars } from "./plots/share-bars.ts";
import { approvalPlot, volumePlot } from "./plots-view.ts";
import { statePanels } from "./state-view.ts";

const PERIODS = [
  { value: "24h", name: "24 hours" },
  { value: "7d", name: "7 days" },
  { value: "30d", name: "30 days" },
  { value: "90d", name: "90 days" },
];

export function overviewPage(model: OverviewModel): Html {
  const { base, period, declines, methods } = model;
  const periods = PERIODS.map(
    ({ value, name }) =>
      html`<a href="${base}?period=${value}"${value === period && html` aria-current="true"`}>${name}</a>`,
  );
  return html`<nav class="periods" aria-label="Period">${periods}</nav>
${model.firstSteps !== undefined && emptyState("No payments in this time yet.", html`<p><a class="button" href="${model.firstSteps.href}">${model.firstSteps.words}</a></p>`)}
${metrics(model)}
<div class="panels">
${panel("Volume", volumePlot(model))}
${panel("Approval rate", approvalPlot(model))}
${panel(
  "Declines by reason",
  declines.length === 0
    ? html`<p class="muted">Nothing was declined.</p>`
    : shareBars(
        "Declined payments by reason",
        "Reason",
        declines.map(({ name, words, count }) => ({
          name: words,
          note: name,
          href: `${base}/transactions?status=declined&code=${name}`,
          count,
        })),
      ),
)}
${panel(
  "Payment methods",
  methods.length === 0
    ? html`<p class="muted">Nothing was approved.</p>`
    : shareBars(
        "Approved payments by method",
        "Method",
        methods.map(({ name, count }) => ({
          name: sourceWords(name),
          href: `${base}/transactions?status=approved&source=${name}`,
          count,
        })),
      ),
)}
${statePanels(model)}
</div>`;
}

function metrics({ totals, approvalRate, currency, otherCurrencies }: OverviewModel): Html {
  const net = totals.captured - totals.refunded;
  const items: readonly (readonly [string, string, string])[] = [
    ["Volume", moneyText(totals.captured), `${currency}, captured`],
    [
      "Net of refunds",
      moneyText(net),
      `${moneyText(totals.refunded)} in ${countText(totals.refunds, "refund", "refunds")}`,
    ],
    [
      "Approval rate",
      approvalRate === undefined ? "–" : percentText(approvalRate),
      `${totals.declined.toLocaleString("en-AU")} declined`,
    ],
    [
      "Payments",
      totals.approved.toLocaleString("en-AU"),
      totals.pending === 0 ? "approved" : `approved, ${totals.pending.toLocaleString("en-AU")} pending`,
    ],
  ];
  return html`<dl class="figures">${items.map(
    ([name, value, note]) =>
      html`<div><dt>${name}</dt><dd><strong>${value}</strong><span>${note}</span></dd></div>`,
  )}</dl>${otherCurrencies.length > 0 && html`<p class="muted">Amounts are in ${currency}; payments in ${otherCurrencies.join(" and ")} are counted, not added up.</p>`}`;
}
