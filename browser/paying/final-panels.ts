import { isObject } from "../protocol/is-object.ts";
import type { PageState } from "../ui/page-state.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { RefusalCode } from "./read-responses.ts";

export type FinalPanel = { readonly state: PageState; readonly panel: StatusPanel };

const final = (state: PageState, heading: string, ...words: readonly string[]): FinalPanel => ({
  state,
  panel: { picture: state === "approved" ? "good" : "careful", heading, words },
});

/** A used token may have paid already, so this text promises nothing about charges. */
const SESSION_ENDED = final(
  "error",
  "This page has been open too long",
  "Reload it to try again. If you have paid already, check with the merchant first.",
);
const ORIGIN_REFUSED = final(
  "error",
  "The payment form can't be shown here",
  "This website isn't allowed to show it. Please contact the merchant.",
);
const OPEN_ELSEWHERE = final(
  "error",
  "This payment is open in another window",
  "Finish it there. If it is no longer open, wait a moment and reload this page.",
);
const OPENED_AGAIN = final(
  "error",
  "This payment was opened again",
  "Continue where you opened it last, or reload this page. You have not been charged here.",
);
const EXPIRED = final(
  "expired",
  "This payment has expired",
  "It can't be paid any more. Please go back to the merchant and start again.",
);
const CANCELLED = final(
  "cancelled",
  "This payment was cancelled",
  "You have not been charged. Please contact the merchant if you didn't expect this.",
);
const FINISHED = final(
  "error",
  "This payment is already finished",
  "There is nothing left to pay here. Please check with the merchant before you pay again.",
);
const PAID = final("approved", "This payment is already made", "You don't need to pay again.");

/** The panel for a refusal that ends the checkout. Undefined: the payer can continue with the form. */
export function finalPanelFor(codes: readonly RefusalCode[], body: unknown): FinalPanel | undefined {
  for (const { message } of codes) {
    if (message === "checkout_token_refused") return SESSION_ENDED;
    if (message === "checkout_session_refused") return OPENED_AGAIN;
    if (message === "checkout_origin_refused") return ORIGIN_REFUSED;
    if (message === "payment_request_state_conflict") return finalPanelOfRequest(isObject(body) ? body : {});
  }
  return undefined;
}

/** The same before there is a form, when a payment in another window ends the checkout too. */
export function initialiseRefusalPanel(codes: readonly RefusalCode[], body: unknown): FinalPanel {
  const locked = codes.some(({ message }) => message === "checkout_payment_in_progress");
  return finalPanelFor(codes, body) ?? (locked ? OPEN_ELSEWHERE : NOT_LOADED);
}

export const NOT_LOADED = final(
  "error",
  "The payment form couldn't be loaded",
  "Check your connection and reload this page.",
);

function finalPanelOfRequest({ paymentRequestStatus, paid }: Readonly<Record<string, unknown>>): FinalPanel {
  if (paymentRequestStatus === "expired") return EXPIRED;
  if (paymentRequestStatus === "cancelled") return CANCELLED;
  return paid === true ? PAID : FINISHED;
}
