import { isObject } from "../protocol/is-object.ts";
import type { PageState } from "../ui/page-state.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { RefusalCode } from "./read-responses.ts";

export type Ending = { readonly state: PageState; readonly panel: StatusPanel };

const ended = (state: PageState, heading: string, ...words: readonly string[]): Ending => ({
  state,
  panel: { picture: state === "approved" ? "good" : "careful", heading, words },
});

/** A used token can be one that has paid already, so these words promise nothing about charges. */
const OPEN_TOO_LONG = ended(
  "error",
  "This page has been open too long",
  "Reload it to try again. If you have paid already, check with the merchant first.",
);
const NOT_HERE = ended(
  "error",
  "The payment form can't be shown here",
  "This website isn't allowed to show it. Please contact the merchant.",
);
const ELSEWHERE = ended(
  "error",
  "This payment is open in another window",
  "Finish it there. If it is no longer open, wait a moment and reload this page.",
);
const EXPIRED = ended(
  "expired",
  "This payment has expired",
  "It can't be paid any more. Please go back to the merchant and start again.",
);
const CANCELLED = ended(
  "cancelled",
  "This payment was cancelled",
  "You have not been charged. Please contact the merchant if you didn't expect this.",
);
const FINISHED = ended(
  "error",
  "This payment is already finished",
  "There is nothing left to pay here. Please check with the merchant before you pay again.",
);
const PAID = ended("approved", "This payment is already made", "You don't need to pay again.");

/** Where a refusal ends the checkout, the words for it. Undefined: the form can go on. */
export function endingOf(codes: readonly RefusalCode[], body: unknown): Ending | undefined {
  for (const { message } of codes) {
    if (message === "checkout_token_refused") return OPEN_TOO_LONG;
    if (message === "checkout_origin_refused") return NOT_HERE;
    if (message === "payment_request_state_conflict") return endingOfRequest(isObject(body) ? body : {});
  }
  return undefined;
}

/** The same, before there is a form: then a lock ends it as well. */
export function endingOfOpening(codes: readonly RefusalCode[], body: unknown): Ending {
  const locked = codes.some(({ message }) => message === "checkout_payment_in_progress");
  return endingOf(codes, body) ?? (locked ? ELSEWHERE : NOT_OPENED);
}

export const NOT_OPENED = ended(
  "error",
  "The payment form couldn't be loaded",
  "Check your connection and reload this page.",
);

function endingOfRequest({ paymentRequestStatus, paid }: Readonly<Record<string, unknown>>): Ending {
  if (paymentRequestStatus === "expired") return EXPIRED;
  if (paymentRequestStatus === "cancelled") return CANCELLED;
  return paid === true ? PAID : FINISHED;
}
