import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, field, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime, spanText } from "../shell/times.ts";
import { countText } from "../shell/words.ts";

export type SandboxModel = {
  readonly base: string;
  readonly zone: string;
  readonly now: number;
  /** Milliseconds that the merchant's clock is ahead. */
  readonly ahead: number;
  readonly formToken: string;
  readonly mayAct: boolean;
  readonly scenarios: readonly { readonly id: string; readonly name: string; readonly amount: number }[];
  readonly payIds: readonly {
    readonly id: string;
    readonly reference: string;
    readonly amount: number;
    readonly payId: string;
  }[];
  readonly waiting: { readonly debits: number; readonly refunds: number; readonly held: number };
  readonly bankApp: string;
  readonly reference: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string | undefined>>;
};

/** What waits is counted no further. */
const WAITING_COUNTED = 100;

/** Everything that a sandbox merchant can play: payers, banks, and time. */
export function sandboxPage(model: SandboxModel): Html {
  const parts = model.mayAct
    ? [payment(model), clock(model), payId(model), settlements(model)]
    : [clock(model)];
  return html`<p class="lead">No real bank, no real money. What happens goes by the exact amount.</p>
<div class="cards">${parts}</div>
${panel("All scenarios", scenarioTable(model), html`<a href="${model.reference}">API reference</a>`)}`;
}

function payment({ base, formToken, scenarios, typed, problems }: SandboxModel): Html {
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
        among: scenarios.map(({ id, name, amount }) => ({
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

function payId({ base, formToken, payIds, bankApp, typed, problems }: SandboxModel): Html {
  const beside = html`<a href="${bankApp}" target="_blank" rel="noreferrer">Bank app</a>`;
  if (payIds.length === 0) {
    return panel(
      "Pay to a PayID",
      html`<p class="muted">No PayID waits for a transfer. Make a test payment “PayID: waits for a transfer” first.</p>`,
      beside,
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
      })}`,
    }),
    beside,
  );
}

function settlements({ base, formToken, waiting }: SandboxModel): Html {
  const { debits, refunds, held } = waiting;
  const count = (so: number, one: string, many: string) => countText(so, one, many, WAITING_COUNTED);
  return panel(
    "Run settlements",
    postForm({
      action: `${base}/sandbox/settlements`,
      formToken,
      button: "Settle and pay out now",
      content: html`<p>The banks settle what is pending, and everything that is held is paid out.</p><p class="muted">Waiting: ${count(debits, "debit", "debits")}, ${count(refunds, "refund", "refunds")}, ${count(held, "operation", "movements")} for the next payout.</p>`,
    }),
  );
}

function clock({ base, formToken, zone, now, ahead, mayAct, typed, problems }: SandboxModel): Html {
  const offset = ahead < 1_000 ? "It is real time." : `It is ${spanText(ahead)} ahead of real time.`;
  const told = html`<p class="clock">${exactTime(now, zone)}</p><p class="muted">${offset}</p>`;
  if (!mayAct) return panel("The clock", told);
  return panel(
    "The clock",
    html`${told}${postForm({
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

function scenarioTable({ scenarios }: SandboxModel): Html {
  return html`<details class="numbers"><summary>What each amount does</summary>${table({
    caption: "What each amount does",
    captionHidden: true,
    columns: [
      { head: "What happens" },
      { head: "Amount", kind: "number" },
      { head: "In cents", kind: "number" },
    ],
    rows: scenarios.map(({ name, amount }) => [name, moneyText(amount), String(amount)]),
  })}</details>`;
}
