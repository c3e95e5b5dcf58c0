import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { isObject } from "../protocol/is-object.ts";
import type { PageState } from "../ui/page-state.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { RefusalCode } from "./read-responses.ts";

export type FinalPanel = { readonly state: PageState; readonly panel: StatusPanel };

/** A state, and the keys of its heading and of what the payer can do. */
type Ending = readonly [state: PageState, heading: keyof CheckoutWords, help: keyof CheckoutWords];

/** A used token may have paid already, so this text promises nothing about charges. */
const SESSION_ENDED: Ending = ["error", "openTooLong", "openTooLongHelp"];
const ORIGIN_REFUSED: Ending = ["error", "notHere", "notHereHelp"];
const OPEN_ELSEWHERE: Ending = ["error", "openElsewhere", "openElsewhereHelp"];
const OPENED_AGAIN: Ending = ["error", "openedAgain", "openedAgainHelp"];
const EXPIRED: Ending = ["expired", "expired", "expiredHelp"];
const CANCELLED: Ending = ["cancelled", "cancelled", "cancelledHelp"];
const FINISHED: Ending = ["error", "finished", "finishedHelp"];
const PAID: Ending = ["approved", "paid", "paidHelp"];
export const NOT_LOADED: Ending = ["error", "notLoaded", "notLoadedHelp"];

export function finalPanel(words: CheckoutWords, [state, heading, help]: Ending): FinalPanel {
  const picture = state === "approved" ? "good" : "careful";
  return { state, panel: { picture, heading: words[heading], words: [words[help]] } };
}

/** How a refusal ends the checkout. Undefined: the payer can continue with the form. */
export function endingFor(codes: readonly RefusalCode[], body: unknown): Ending | undefined {
  for (const { message } of codes) {
    if (message === "checkout_token_refused") return SESSION_ENDED;
    if (message === "checkout_session_refused") return OPENED_AGAIN;
    if (message === "checkout_origin_refused") return ORIGIN_REFUSED;
    if (message === "payment_request_state_conflict") return endingOfRequest(isObject(body) ? body : {});
  }
  return undefined;
}

/** The same before there is a form, when a payment in another window ends the checkout too. */
export function endingAtStart(codes: readonly RefusalCode[], body: unknown): Ending {
  const locked = codes.some(({ message }) => message === "checkout_payment_in_progress");
  return endingFor(codes, body) ?? (locked ? OPEN_ELSEWHERE : NOT_LOADED);
}

function endingOfRequest({ paymentRequestStatus, paid }: Readonly<Record<string, unknown>>): Ending {
  if (paymentRequestStatus === "expired") return EXPIRED;
  if (paymentRequestStatus === "cancelled") return CANCELLED;
  return paid === true ? PAID : FINISHED;
}
