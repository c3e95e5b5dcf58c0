import type { EventResult } from "../protocol/client-events.ts";
import { declineWords } from "../ui/decline-words.ts";
import { moneyText } from "../ui/money-text.ts";
import type { Attempt } from "./answers.ts";
import type { Checkout } from "./checkout.ts";

/** Tells the merchant's page how it went. For display only; it fulfils on what its server hears. */
export function tellProcess(
  checkout: Checkout,
  status: "approved" | "declined" | "pending" | "failed",
  { transactionId, codes }: Pick<Attempt, "transactionId" | "codes">,
): void {
  const result: EventResult = codes.length === 0 ? { status } : { status, codes };
  checkout.emit("process", transactionId === undefined ? { result } : { result, transactionId });
}

export function showApproved(checkout: Checkout, attempt: Attempt, total: number): void {
  const { page, opening } = checkout;
  page.dropForm();
  page.showPanel("approved", {
    picture: "good",
    heading: "Payment approved",
    amount: moneyText(total),
    words: [`Paid to ${opening.merchantName}`],
  });
  tellProcess(checkout, "approved", attempt);
}

/** With attempts left the form is there again, empty of the card that was declined. Otherwise this was it. */
export function showDeclined(checkout: Checkout, attempt: Attempt): void {
  const { page, opening } = checkout;
  const { reason, advice } = declineWords(attempt.codes);
  page.dropForm();
  if (attempt.attemptsLeft > 0) {
    checkout.openForm(`${reason} You have not been charged. ${advice}`);
    page.showForm("declined");
    checkout.form().focusNotice();
  } else {
    page.showPanel("declined", {
      picture: "bad",
      heading: "Payment declined",
      words: [
        `${reason} You have not been charged.`,
        advice,
        `To try again, start a new payment with ${opening.merchantName}.`,
      ],
    });
  }
  tellProcess(checkout, "declined", attempt);
}
