import type { ProcessStatus } from "../paying/checkout.ts";
import type { Page } from "../paying/page.ts";
import type { Attempt, CheckoutDetails } from "../paying/read-responses.ts";
import type { EventResult } from "../protocol/client-events.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { attemptsLeftWords, declineWords } from "../ui/decline-words.ts";
import { moneyText } from "../ui/money-text.ts";
import type { Emit } from "./open-form.ts";

/** For display on the merchant's page only: the merchant's server fulfils on the webhook. */
export function emitProcess(
  emit: Emit,
  status: ProcessStatus,
  { transactionId, codes }: Pick<Attempt, "transactionId" | "codes">,
): void {
  const result: EventResult = codes.length === 0 ? { status } : { status, codes };
  emit("process", transactionId === undefined ? { result } : { result, transactionId });
}

export function showApproved(page: Page, { amount, merchantName }: CheckoutDetails, total: number): void {
  page.dropForm();
  if (amount === 0) {
    const words = [`${merchantName} has saved your card. You have not been charged.`];
    page.showPanel("approved", { picture: "good", heading: "Card saved", words });
    return;
  }
  page.showPanel("approved", {
    picture: "good",
    heading: "Payment approved",
    amount: moneyText(total),
    words: [`Paid to ${merchantName}`],
  });
}

export function showDeclined(page: Page, { amount, merchantName }: CheckoutDetails, attempt: Attempt): void {
  const { reason, advice } = declineWords(attempt.codes);
  page.dropForm();
  page.showPanel("declined", {
    picture: "bad",
    heading: amount === 0 ? "Card not saved" : "Payment declined",
    words: [
      `${reason} You have not been charged.`,
      advice,
      amount === 0
        ? `To try again, start again with ${merchantName}.`
        : `To try again, start a new payment with ${merchantName}.`,
    ],
  });
}

/** The form for another attempt, with name and expiry kept. */
export function showRetry(page: Page, form: PayFormControl, { codes, attemptsLeft }: Attempt): void {
  const { reason, advice } = declineWords(codes);
  form.reopen();
  page.showForm("declined");
  form.showNotice(`${reason} You have not been charged. ${advice} ${attemptsLeftWords(attemptsLeft)}`);
}
