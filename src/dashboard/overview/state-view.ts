import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { badge } from "../shell/parts/badge.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { relativeTime, timeElement } from "../shell/times.ts";
import { countText } from "../shell/words.ts";
import type { OverviewModel } from "./model.ts";
import { percentText } from "./plots/share-bars.ts";

/** How things stand right now, whatever the period is. */
export function statePanels(model: OverviewModel): Html {
  return html`${panel("Webhooks", webhookHealth(model), html`<a href="${model.base}/events">Events</a>`)}
${panel("Money on its way", moneyOnItsWay(model), html`<a href="${model.base}/payouts">Payouts</a>`)}`;
}

function webhookHealth({ state, base, zone, now, countedAtMost }: OverviewModel): Html {
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
      html`${percentText(newest.delivered / seen)} of ${countText(seen, "delivery", "deliveries")} acknowledged, half of them within ${newest.medianMs} ms`,
    ],
    [
      "Waiting",
      waitingDeliveries === 0
        ? "None"
        : html`${countText(waitingDeliveries, "delivery", "deliveries", countedAtMost)}${oldestWaiting !== null && html`, the oldest from ${timeElement(oldestWaiting, zone, relativeTime(oldestWaiting, now))}`}`,
    ],
    [
      "Given up",
      failedDeliveries === 0
        ? "None"
        : html`<a href="${base}/events?delivery=failed">${countText(failedDeliveries, "delivery", "deliveries", countedAtMost)}</a>`,
    ],
  ]);
}

function moneyOnItsWay({ state, base, currency, countedAtMost }: OverviewModel): Html {
  const held = state.held.filter(({ amount }) => amount !== 0);
  return facts([
    [
      "Next payout",
      held.length === 0
        ? "Nothing is held"
        : html`${held.map(({ currency: its, amount, lines }, at) => html`${at > 0 && html`<br>`}<strong>${moneyText(amount)}</strong> ${its}, ${countText(lines, "operation", "movements")}`)}`,
    ],
    [
      "Pending debits",
      state.pendingDebits === 0
        ? "None"
        : html`<a href="${base}/transactions?status=pending&amp;source=direct_debit">${countText(state.pendingDebits, "debit", "debits", countedAtMost)}</a>, ${moneyText(state.pendingDebitAmount)} ${currency}`,
    ],
    [
      "Pending payments",
      state.pendingTransactions === 0
        ? "None"
        : html`<a href="${base}/transactions?status=pending">${countText(state.pendingTransactions, "payment", "payments", countedAtMost)}</a>`,
    ],
    [
      "Open requests",
      state.openRequests === 0
        ? "None"
        : html`<a href="${base}/payment-requests?status=created">${countText(state.openRequests, "request", "requests", countedAtMost)}</a>`,
    ],
  ]);
}
