import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill, type Speech } from "../../src/kernel/languages/speech.ts";
import type { ProcessStatus } from "../paying/checkout.ts";
import type { Page } from "../paying/page.ts";
import type { Attempt, CheckoutDetails } from "../paying/read-responses.ts";
import type { EventResult } from "../protocol/client-events.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { declineWords, retryWords } from "../ui/decline-words.ts";
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

export function showApproved(
  page: Page,
  { words, money }: Speech,
  { amount, merchantName: merchant }: CheckoutDetails,
  total: number,
): void {
  page.dropForm();
  if (amount === 0) {
    const sentence = fill(words.cardSavedBy, { merchant });
    page.showPanel("approved", { picture: "good", heading: words.cardSaved, words: [sentence] });
    return;
  }
  page.showPanel("approved", {
    picture: "good",
    heading: words.approved,
    amount: money(total),
    words: [fill(words.paidTo, { merchant })],
  });
}

export function showDeclined(
  page: Page,
  words: CheckoutWords,
  { amount, merchantName: merchant }: CheckoutDetails,
  attempt: Attempt,
): void {
  const { reason, advice } = declineWords(words, attempt.codes);
  page.dropForm();
  page.showPanel("declined", {
    picture: "bad",
    heading: amount === 0 ? words.cardNotSaved : words.declined,
    words: [
      fill(words.declinedBecause, { reason }),
      advice,
      fill(amount === 0 ? words.saveAnew : words.payAnew, { merchant }),
    ],
  });
}

/** The form for another attempt, with name and expiry kept. */
export function showRetry(
  page: Page,
  words: CheckoutWords,
  form: PayFormControl,
  { codes, attemptsLeft }: Attempt,
): void {
  form.reopen();
  page.showForm("declined");
  form.showNotice(retryWords(words, codes, attemptsLeft));
}
