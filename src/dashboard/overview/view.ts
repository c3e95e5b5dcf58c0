import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { panel } from "../shell/parts/facts.ts";
import { emptyState } from "../shell/parts/table.ts";
import { wallTime } from "../shell/wall-times.ts";
import { countText, outcomeWords, sourceWords } from "../shell/words.ts";
import { changeText, pointsText } from "./change-words.ts";
import type { Overview, Period } from "./overview.ts";
import { percentText, shareBars } from "./plots/share-bars.ts";
import { approvalPlot, volumePlot } from "./plots-view.ts";
import { statePanels } from "./state-view.ts";

const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

export function overviewView(visit: MerchantVisit, overview: Overview): Html {
  const { base, zone } = visit;
  const { period, totals, declines, methods } = overview;
  const periods = Object.entries(PERIOD_NAMES).map(
    ([value, name]) =>
      html`<a href="${base}?period=${value}"${value === period && html` aria-current="true"`}>${name}</a>`,
  );
  const [first] = overview.buckets;
  const since = first === undefined ? "" : `&from=${wallTime(first.start, zone).slice(0, 10)}`;
  const none = totals.approved + totals.declined + totals.pending === 0;
  const mayTry = visit.merchant.mode === "sandbox" && visit.may("act");
  return html`<nav class="periods" aria-label="Period">${periods}</nav>
${none && mayTry && emptyState("No payments in this time yet.", html`<p><a class="button" href="${base}/sandbox">Make a test payment</a></p>`)}
${metrics(overview)}
<div class="panels">
${panel("Volume", volumePlot(overview, zone))}
${panel("Approval rate", approvalPlot(overview, zone))}
${panel(
  "Declines by reason",
  declines.length === 0
    ? html`<p class="muted">Nothing was declined.</p>`
    : shareBars(
        "Declined payments by reason",
        "Reason",
        declines.map(({ name, count }) => ({
          name: outcomeWords(name),
          note: name,
          href: `${base}/transactions?result=declined&code=${name}${since}`,
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
          href: `${base}/transactions?result=approved&source=${name}${since}`,
          count,
        })),
      ),
)}
${statePanels(visit, overview)}
</div>`;
}

function metrics({ period, totals, approvalRate, previous, currency, otherCurrencies }: Overview): Html {
  const net = totals.captured - totals.refunded;
  const before = previous.totals;
  const span = PERIOD_NAMES[period];
  const items: readonly (readonly [string, string, string, string])[] = [
    [
      "Volume",
      moneyText(totals.captured),
      `${currency}, captured`,
      changeText(totals.captured, before.captured, moneyText),
    ],
    [
      "Net of refunds",
      moneyText(net),
      `${moneyText(totals.refunded)} in ${countText(totals.refunds, "refund", "refunds")}`,
      changeText(net, before.captured - before.refunded, moneyText),
    ],
    [
      "Approval rate",
      approvalRate === undefined ? "–" : percentText(approvalRate),
      `${totals.declined.toLocaleString("en-AU")} declined`,
      pointsText(approvalRate, previous.approvalRate),
    ],
    [
      "Payments",
      totals.approved.toLocaleString("en-AU"),
      totals.pending === 0 ? "approved" : `approved, ${totals.pending.toLocaleString("en-AU")} processing`,
      changeText(totals.approved, before.approved, (count) => count.toLocaleString("en-AU")),
    ],
  ];
  return html`<dl class="metrics">${items.map(
    ([name, value, note, change]) =>
      html`<div><dt>${name}</dt><dd><strong>${value}</strong><span>${note}</span><span class="change">${change}</span></dd></div>`,
  )}</dl><p class="hint">Compared with the ${span} before, up to the same time.</p>${otherCurrencies.length > 0 && html`<p class="muted">Amounts are in ${currency}; payments in ${otherCurrencies.join(" and ")} are counted, not added up.</p>`}`;
}
