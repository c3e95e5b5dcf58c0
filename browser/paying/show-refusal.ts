import { fieldProblems } from "../ui/field-problems.ts";
import { moneyText } from "../ui/money-text.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { endingOf } from "./final-panels.ts";
import type { PayWay } from "./pay-controls.ts";

const BEING_PAID =
  "This payment is being made in another window. Wait until it is done before you try again.";
const TRY_LATER = "The payment couldn't be taken just now. You have not been charged. Please try again.";

/** Nothing was charged. What can be mended is said at its place, and the form goes on; the rest ends here. */
export function showRefusal(
  checkout: Checkout,
  { codes, body }: Extract<Reply, { kind: "refused" }>,
  way: PayWay,
): void {
  const { page } = checkout;
  const ending = endingOf(codes, body);
  if (ending !== undefined) {
    page.dropForm();
    checkout.showEnding(ending);
    checkout.tell("failed", { transactionId: undefined, codes });
    return;
  }
  const form = checkout.form();
  way.setBusy(undefined);
  page.showForm("ready");
  const problems = fieldProblems(codes);
  const expected = codes.find(({ message }) => message === "checkout_total_changed")?.expected;
  if (expected !== undefined) {
    way.correctTotal(expected);
    form.showNotice(`The total is now ${moneyText(expected)}. Press ${way.button} again to accept it.`);
  } else if (Object.keys(problems).length > 0) {
    form.showProblems(problems);
  } else {
    form.showNotice(
      codes.some(({ message }) => message === "checkout_payment_in_progress") ? BEING_PAID : TRY_LATER,
    );
    checkout.tell("failed", { transactionId: undefined, codes });
  }
}
