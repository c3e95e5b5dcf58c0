import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { field } from "../shell/parts/form.ts";
import type { AmountAction, AmountForm, AmountStep } from "./amount-actions.ts";

/** The form for the amount. It changes nothing, so it is a GET: the URL has no text that a user typed. A confirmation follows. */
export function amountView(
  action: AmountAction,
  { base }: MerchantVisit,
  { transaction, typed, problem }: AmountForm,
): Html {
  const most = action.atMost(transaction);
  const path = `${base}/transactions/${transaction.id}`;
  const amount = field({
    name: "amount",
    label: "Amount in dollars",
    value: typed["amount"] ?? plainAmount(most),
    inputmode: "decimal",
    hint: `Up to ${moneyText(most)} ${transaction.currency}`,
    problem,
    required: true,
    width: "short",
  });
  return panel(
    "How much?",
    html`${facts([["Transaction", transaction.reference], ...action.facts(transaction)])}<form class="form amount-form" method="get" action="${path}/${action.name}">${amount}<p class="buttons"><button class="button">Continue</button><a href="${path}">Go back</a></p></form>`,
  );
}

/** The exact amount once more, before money moves. */
export function amountStep(
  action: AmountAction,
  { base, formToken }: MerchantVisit,
  { transaction, amount, reference, problem }: AmountStep,
): Html {
  const path = `${base}/transactions/${transaction.id}/${action.name}`;
  const button = `${action.verb} ${moneyText(amount)}`;
  return confirmStep({
    action: path,
    formToken,
    words: [
      `${button} of transaction ${transaction.reference} (${transaction.id}), ${transaction.currency}.`,
      action.warning,
    ],
    button,
    backTo: path,
    fields: { amount: plainAmount(amount) },
    asked:
      action.takesReference &&
      field({ name: "reference", label: "Reference (optional)", value: reference, problem }),
  });
}

/** As people type it: 1234.50. */
function plainAmount(cents: number): string {
  return moneyText(cents).replace(/[$,]/g, "");
}
