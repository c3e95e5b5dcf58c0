import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { relativeTime, timeElement } from "../shell/times.ts";
import { COUNTED_AT_MOST, countText } from "../shell/words.ts";
import type { Overview, OverviewState } from "./overview.ts";
import { percentText } from "./plots/share-bars.ts";
import { DEBITS_ADDED_AT_MOST } from "./queries.ts";

/** The state right now, whatever the period is. */
export function statePanels(visit: MerchantVisit, { state }: Overview): Html {
  return html`${state.jobsInNeed.length > 0 && panel("Needs attention", jobsInNeed(state.jobsInNeed))}
${panel("Webhooks", webhookHealth(visit, state), html`<a href="${visit.base}/events">Events</a>`)}
${panel("Money on its way", moneyOnItsWay(visit, state), html`<a href="${visit.base}/payouts">Payouts</a>`)}`;
}

/** Work for this merchant that failed again and again. The gateway goes on trying. */
function jobsInNeed(jobs: OverviewState["jobsInNeed"]): Html {
  return html`<ul>${jobs.map(({ problem, subjectId }) => html`<li>${problem} <code>${subjectId}</code></li>`)}</ul>`;
}

function webhookHealth({ base, zone, now }: MerchantVisit, state: OverviewState): Html {
  const { newest, failedDeliveries, waitingDeliveries, oldestWaiting } = state;
  const seen = newest.delivered + newest.failed + newest.waiting;
  if (seen === 0) {
    return html`<p class="muted">Nothing was delivered yet.</p><p><a href="${base}/webhooks">Subscribe to events</a></p>`;
  }
  const [word, tone] =
    newest.failed * 20 > seen
      ? (["failing", "bad"] as const)
      : newest.failed > 0 || oldestWaiting !== null
        ? (["some not delivered", "waiting"] as const)
        : (["all delivered", "good"] as const);
  return facts([
    ["Health", badge(word, tone)],
    [
      "Newest deliveries",
      html`${percentText(newest.delivered / seen)} of ${countText(seen, "delivery", "deliveries")} acknowledged${newest.medianMs !== null && html`, half of them within ${newest.medianMs} ms`}`,
    ],
    [
      "Waiting",
      waitingDeliveries === 0
        ? "None"
        : html`${countText(waitingDeliveries, "delivery", "deliveries", COUNTED_AT_MOST)}${oldestWaiting !== null && html`, the oldest from ${timeElement(oldestWaiting, zone, relativeTime(oldestWaiting, now))}`}`,
    ],
    [
      "Failed",
      failedDeliveries === 0
        ? "None"
        : html`<a href="${base}/events?delivery=failed">${countText(failedDeliveries, "delivery", "deliveries", COUNTED_AT_MOST)}</a>`,
    ],
  ]);
}

function moneyOnItsWay({ base }: MerchantVisit, state: OverviewState): Html {
  const held = state.held.filter(({ amount }) => amount !== 0);
  return facts([
    [
      "Next payout",
      held.length === 0
        ? "Nothing is held"
        : html`${held.map(({ currency: its, amount, lines }, at) => html`${at > 0 && html`<br>`}<strong>${moneyText(amount)}</strong> ${its}, ${countText(lines, "line", "lines")}`)}`,
    ],
    ["Debits in processing", debitsInProcessing(base, state.pendingDebits)],
    [
      "Payments in processing",
      state.pendingTransactions === 0
        ? "None"
        : html`<a href="${base}/transactions?status=processing">${countText(state.pendingTransactions, "payment", "payments", COUNTED_AT_MOST)}</a>`,
    ],
    [
      "Open requests",
      state.openRequests === 0
        ? "None"
        : html`<a href="${base}/payment-requests?state=created">${countText(state.openRequests, "request", "requests", COUNTED_AT_MOST)}</a>`,
    ],
  ]);
}

/** One amount for each currency; at the limit none: half a sum is no sum. */
export function debitsInProcessing(base: string, debits: OverviewState["pendingDebits"]): Html | string {
  const count = debits.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return "None";
  const link = html`<a href="${base}/transactions?status=processing&amp;source=direct_debit">${countText(count, "debit", "debits", DEBITS_ADDED_AT_MOST)}</a>`;
  if (count >= DEBITS_ADDED_AT_MOST) return link;
  return html`${link}${debits.map(({ currency, amount }) => html`, ${moneyText(amount)} ${currency}`)}`;
}
