import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { fieldProblems } from "../ui/field-problems.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { endingFor, finalPanel } from "./final-panels.ts";
import type { PayControls } from "./pay-controls.ts";

const NOTICES: ReadonlyMap<string, keyof CheckoutWords> = new Map([
  ["checkout_payment_in_progress", "beingPaid"],
  ["checkout_attempts_too_many", "tooMany"],
  ["checkout_saved_card_refused", "cardGone"],
]);

/** Nothing was charged. A final refusal ends the checkout; any other keeps the form and shows what to fix. */
export function showRefusal(
  checkout: Checkout,
  { codes, body }: Extract<Reply, { kind: "refused" }>,
  controls: PayControls,
): void {
  const { page, speech } = checkout;
  const { words } = speech;
  const ending = endingFor(codes, body);
  if (ending !== undefined) {
    page.dropForm();
    checkout.showFinal(finalPanel(words, ending));
    checkout.emit("failed", { transactionId: undefined, codes });
    return;
  }
  const form = checkout.form();
  controls.setBusy(undefined);
  page.showForm("ready");
  const problems = fieldProblems(words, codes);
  const expected = codes.find(({ message }) => message === "checkout_total_changed")?.expected;
  if (expected !== undefined) {
    controls.correctTotal(expected);
    form.showNotice(fill(words.totalIsNow, { total: speech.money(expected), button: controls.button }));
  } else if (Object.keys(problems).length > 0) {
    form.showProblems(problems);
  } else {
    const notice = codes.map(({ message }) => NOTICES.get(message)).find((key) => key !== undefined);
    form.showNotice(words[notice ?? "tryLater"]);
    checkout.emit("failed", { transactionId: undefined, codes });
  }
}
