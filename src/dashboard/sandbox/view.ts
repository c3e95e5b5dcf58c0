import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { bankAppLink } from "../../features/hosted-pages/index.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime, spanText } from "../shell/times.ts";
import { countText } from "../shell/words.ts";
import { type OpenPayId, WAITING_COUNTED, type WaitingForSettlement } from "./queries.ts";
import { SCENARIOS } from "./scenarios.ts";

type Shown = {
  readonly payIds: readonly (OpenPayId & { readonly payId: string })[];
  readonly waiting: WaitingForSettlement;
  readonly settings: Settings;
  readonly problems: FieldProblems;
};

type Model = MerchantVisit & Shown & { readonly typed: FormFields };

/** What a sandbox merchant can simulate: payers, banks, and time. */
export function sandboxView(visit: MerchantVisit, shown: Shown): Html {
  const typed = Object.keys(shown.problems).length > 0 ? visit.fields : {};
  const model = { ...visit, ...shown, typed };
  const parts = visit.may("act")
    ? [paymentForm(model), clock(model), payIdForm(model), settlementForm(model)]
    : [clock(model)];
  return html`<p class="lead">No real bank, no real money. The exact amount decides what happens.</p>
<div class="cards">${parts}</div>
${panel("All scenarios", scenarioTable(), html`<a href="${shown.settings.baseUrl}/docs">API reference</a>`)}`;
}

function paymentForm({ base, formToken, typed, problems }: Model): Html {
  return panel(
    "Make a test payment",
    postForm({
      action: `${base}/sandbox/payment`,
      formToken,
      button: "Make the payment",
      content: html`${choice({
        name: "scenario",
        label: "What should happen",
        value: typed["scenario"] ?? "approved",
        problem: problems["scenario"],
        among: SCENARIOS.map(({ id, name, amount }) => ({
          value: id,
          label: `${name} (${moneyText(amount)})`,
        })),
      })}${choice({
        name: "by",
        label: "Who pays",
        value: typed["by"] ?? "sandbox",
        among: [
          { value: "sandbox", label: "The sandbox, at once" },
          { value: "hand", label: "You, on a hosted page" },
        ],
      })}${choice({
        name: "capture",
        label: "Capture",
        value: typed["capture"] ?? "auto",
        among: [
          { value: "auto", label: "At once" },
          { value: "manual", label: "Later, by hand" },
        ],
      })}`,
    }),
  );
}

function payIdForm({ base, formToken, payIds, settings, typed, problems }: Model): Html {
  if (payIds.length === 0) {
    return panel(
      "Pay to a PayID",
      html`${problems["request"] !== undefined && notice({ tone: "bad", words: problems["request"] })}<p class="muted">No PayID waits for a transfer. Make a test payment “PayID: waits for a transfer” first.</p>`,
    );
  }
  return panel(
    "Pay to a PayID",
    postForm({
      action: `${base}/sandbox/transfer`,
      formToken,
      button: "Transfer",
      content: html`${choice({
        name: "request",
        label: "PayID",
        value: typed["request"],
        problem: problems["request"],
        among: payIds.map((one) => ({ value: one.id, label: `${one.payId}, ${moneyText(one.amount)}` })),
      })}${choice({
        name: "how",
        label: "How much, and when",
        value: typed["how"] ?? "exact",
        among: [
          { value: "exact", label: "The exact amount" },
          { value: "short", label: "One dollar short" },
          { value: "over", label: "One dollar over" },
          { value: "late", label: "Too late (moves your clock past the expiry)" },
        ],
      })}<p class="hint">By hand, in the sandbox's bank app: ${payIds.map(
        ({ id, payId }) =>
          html`<a href="${settings.hostedUrl}${bankAppLink(id, payId)}" target="_blank" rel="noreferrer">${payId}</a> `,
      )}</p>`,
    }),
  );
}

function settlementForm({ base, formToken, waiting }: Model): Html {
  const { debits, refunds, held } = waiting;
  const count = (number: number, one: string, many: string) => countText(number, one, many, WAITING_COUNTED);
  return panel(
    "Run settlements",
    postForm({
      action: `${base}/sandbox/settlements`,
      formToken,
      button: "Settle and pay out now",
      content: html`<p>The banks settle what is pending, and everything that is held is paid out.</p><p class="muted">Waiting: ${count(debits, "debit", "debits")}, ${count(refunds, "refund", "refunds")}, ${count(held, "line", "lines")} for the next payout.</p>`,
    }),
  );
}

function clock({ base, formToken, zone, now, merchant, may, typed, problems }: Model): Html {
  const ahead = merchant.clockOffset;
  const offset = ahead < 1_000 ? "It is real time." : `It is ${spanText(ahead)} ahead of real time.`;
  const time = html`<p class="clock">${exactTime(now, zone)}</p><p class="muted">${offset}</p>`;
  if (!may("act")) return panel("The clock", time);
  return panel(
    "The clock",
    html`${time}${postForm({
      action: `${base}/sandbox/clock`,
      formToken,
      button: "Move the clock ahead",
      content: html`<div class="two">${field({
        name: "count",
        label: "Ahead by",
        value: typed["count"] ?? "1",
        inputmode: "numeric",
        problem: problems["count"],
      })}${choice({
        name: "unit",
        label: "Unit",
        value: typed["unit"] ?? "hours",
        among: ["seconds", "minutes", "hours", "days"].map((unit) => ({ value: unit, label: unit })),
      })}</div><p class="hint">Expiry, retries, settlements and payouts happen as if that time had passed. It can't go back.</p>`,
    })}`,
  );
}

function scenarioTable(): Html {
  return html`<details class="numbers"><summary>What each amount does</summary>${table({
    caption: "What each amount does",
    captionHidden: true,
    columns: [
      { head: "What happens" },
      { head: "Amount", kind: "number" },
      { head: "In cents", kind: "number" },
    ],
    rows: SCENARIOS.map(({ name, amount }) => [name, moneyText(amount), String(amount)]),
  })}</details>`;
}
