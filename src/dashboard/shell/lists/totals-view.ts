import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import { countText } from "../words.ts";
import { TOTALLED_AT_MOST, type Total } from "./queries.ts";

type TotalsModel = {
  /** What a row is called: one and many. */
  readonly rows: readonly [one: string, many: string];
  readonly heads: readonly string[];
};

/** What is filtered, added up. Beyond the limit the sums are left out: half a sum is no sum. */
export function totalsView(totals: readonly Total[], { rows: [one, many], heads }: TotalsModel): Html {
  const count = totals.reduce((sum, total) => sum + total.count, 0);
  const looked = totals.reduce((sum, total) => sum + total.looked, 0);
  if (looked > TOTALLED_AT_MOST) {
    const words =
      count > TOTALLED_AT_MOST
        ? `More than ${countText(TOTALLED_AT_MOST, one, many)}`
        : `At least ${countText(count, one, many)}: those among the newest ${TOTALLED_AT_MOST.toLocaleString("en-AU")} that were searched`;
    return html`<p class="totals">${words}. Choose fewer days to see the total; the CSV has all of them.</p>`;
  }
  const lines = totals
    .filter((total) => total.count > 0)
    .map(
      ({ currency, sums }) =>
        html`${sums.map((sum, at) => (at > 0 && sum === 0 ? html`` : html`<span><span class="muted">${heads[at]}</span> <strong>${moneyText(sum)}</strong> ${currency}</span>`))}`,
    );
  return html`<p class="totals"><span>${countText(count, one, many)}</span>${heads.length > 0 && lines}</p>`;
}
