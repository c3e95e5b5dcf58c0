import { fieldProblems } from "../ui/field-problems.ts";
import { moneyText } from "../ui/money-text.ts";
import { CARD_GONE } from "../ui/saved-cards.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { finalPanelFor } from "./final-panels.ts";
import type { PayControls } from "./pay-controls.ts";

const BEING_PAID =
  "This payment is being made in another window. Wait until it is done before you try again.";
const TOO_MANY =
  "Too many payments were declined just now. You have not been charged. Please wait a minute and try again.";
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["checkout_payment_in_progress", BEING_PAID],
  ["checkout_attempts_too_many", TOO_MANY],
  ["checkout_saved_card_refused", CARD_GONE],
]);
const TRY_LATER = "The payment couldn't be taken just now. You have not been charged. Please try again.";

/** Nothing was charged. A final refusal ends the checkout; any other keeps the form and shows what to fix. */
export function showRefusal(
  checkout: Checkout,
  { codes, body }: Extract<Reply, { kind: "refused" }>,
  controls: PayControls,
): void {
  const { page } = checkout;
  const final = finalPanelFor(codes, body);
  if (final !== undefined) {
    page.dropForm();
    checkout.showFinal(final);
    checkout.emit("failed", { transactionId: undefined, codes });
    return;
  }
  const form = checkout.form();
  controls.setBusy(undefined);
  page.showForm("ready");
  const problems = fieldProblems(codes);
  const expected = codes.find(({ message }) => message === "checkout_total_changed")?.expected;
  if (expected !== undefined) {
    controls.correctTotal(expected);
    form.showNotice(`The total is now ${moneyText(expected)}. Press ${controls.button} again to accept it.`);
  } else if (Object.keys(problems).length > 0) {
    form.showProblems(problems);
  } else {
    const words = codes.map(({ message }) => NOTICES.get(message)).find((notice) => notice !== undefined);
    form.showNotice(words ?? TRY_LATER);
    checkout.emit("failed", { transactionId: undefined, codes });
  }
}
