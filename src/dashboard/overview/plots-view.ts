import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { table } from "../shell/parts/table.ts";
import { dayText, hourText } from "../shell/times.ts";
import type { Bucket, Overview } from "./overview.ts";
import { barPlot } from "./plots/bar-plot.ts";
import { linePlot } from "./plots/line-plot.ts";
import { percentText } from "./plots/share-bars.ts";

const wordOf =
  ({ period, buckets }: Overview, zone: string) =>
  ({ start }: Bucket): string =>
    period === "24h" ? hourText(start, zone) : dayText(start, zone, buckets.at(-1)?.start ?? start);

const eachOf = ({ period }: Overview) => (period === "24h" ? "hour" : "day");

/** $0, $500, $1.2k, $3m: what fits beside an axis. */
function axisMoney(cents: number): string {
  const dollars = cents / 100;
  if (dollars >= 1_000_000) return `$${short(dollars / 1_000_000)}m`;
  return dollars >= 1_000 ? `$${short(dollars / 1_000)}k` : `$${short(dollars)}`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function volumePlot(overview: Overview, zone: string): Html {
  const word = wordOf(overview, zone);
  const { buckets, totals, currency } = overview;
  const best = [...buckets].sort((one, other) => other.captured - one.captured)[0];
  const about =
    totals.captured === 0
      ? "Nothing was captured."
      : `${moneyText(totals.captured)} ${currency} captured and ${moneyText(totals.refunded)} refunded. ${best === undefined ? "" : `The most in one ${eachOf(overview)} was ${moneyText(best.captured)}, ${word(best)}.`}`;
  return html`${barPlot({
    id: "volume",
    title: `Volume by ${eachOf(overview)}`,
    about,
    least: 100,
    tickText: axisMoney,
    bars: buckets.map((one) => ({
      word: word(one),
      value: one.captured,
      beside: one.refunded,
      tip: `${word(one)}: ${moneyText(one.captured)} captured, ${moneyText(one.refunded)} refunded`,
    })),
  })}
<p class="legend"><span class="key key-main"></span>Captured <span class="key key-beside"></span>Refunded</p>
${numbers(overview, `Volume by ${eachOf(overview)}`, ["Captured", "Refunded"], (one) => [word(one), moneyText(one.captured), moneyText(one.refunded)])}`;
}

export function approvalPlot(overview: Overview, zone: string): Html {
  const word = wordOf(overview, zone);
  const shareOf = ({ approved, declined }: Bucket) =>
    approved + declined === 0 ? undefined : approved / (approved + declined);
  const text = (one: Bucket) => {
    const share = shareOf(one);
    return share === undefined ? "–" : percentText(share);
  };
  const { approvalRate, totals, buckets } = overview;
  return html`${linePlot({
    id: "approval",
    title: `Approval rate by ${eachOf(overview)}`,
    about:
      approvalRate === undefined
        ? "No payment was decided."
        : `${percentText(approvalRate)} of ${(totals.approved + totals.declined).toLocaleString("en-AU")} payments were approved.`,
    points: buckets.map((one) => ({
      word: word(one),
      share: shareOf(one),
      tip: `${word(one)}: ${text(one)} of ${(one.approved + one.declined).toLocaleString("en-AU")} approved`,
    })),
  })}
${numbers(overview, `Approval rate by ${eachOf(overview)}`, ["Approved", "Declined", "Rate"], (one) => [word(one), one.approved.toLocaleString("en-AU"), one.declined.toLocaleString("en-AU"), text(one)])}`;
}

/** The same numbers as a table. */
function numbers(
  overview: Overview,
  caption: string,
  heads: readonly string[],
  cells: (one: Bucket) => readonly [string, ...string[]],
): Html {
  const columns = [
    { head: eachOf(overview) === "hour" ? "Hour" : "Day" },
    ...heads.map((head) => ({ head, kind: "number" as const })),
  ];
  const rows = [...overview.buckets].reverse().map(cells);
  return html`<details class="numbers"><summary>Numbers</summary>${table({ caption, captionHidden: true, columns, rows })}</details>`;
}
