import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { isObject } from "../protocol/is-object.ts";
import type { PageState } from "../ui/page-state.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { RefusalCode } from "./read-responses.ts";

export type FinalPanel = { readonly state: PageState; readonly panel: StatusPanel };

/** The key of a heading whose text has another one, of what the payer can do. */
type Heading = {
  [key in keyof CheckoutWords]: `${key}Help` extends keyof CheckoutWords ? key : never;
}[keyof CheckoutWords];

/** `again`: it can end otherwise the next time. */
type Ending = readonly [state: PageState, heading: Heading, again?: true];

/** A used token may be paying, so this text promises nothing about charges. */
export const SESSION_ENDED: Ending = ["error", "openTooLong", true];
const ORIGIN_REFUSED: Ending = ["error", "notHere"];
const OPEN_ELSEWHERE: Ending = ["error", "openOther", true];
const OPENED_AGAIN: Ending = ["error", "openedAgain", true];
const EXPIRED: Ending = ["expired", "expired"];
const CANCELLED: Ending = ["cancelled", "cancelled"];
const FINISHED: Ending = ["error", "finished"];
const PAID: Ending = ["approved", "paid"];
export const CARDS_REFUSED: Ending = ["error", "cantPay"];
export const NOT_LOADED: Ending = ["error", "notLoaded", true];

export function finalPanel(words: CheckoutWords, [state, heading, again]: Ending): FinalPanel {
  const picture = state === "approved" ? "good" : "careful";
  const action = again && { action: { id: "retry", label: words.tryAgain } };
  return { state, panel: { picture, heading: words[heading], words: [words[`${heading}Help`]], ...action } };
}

/** How a refusal ends the checkout. Undefined: the payer can continue with the form. */
export function endingFor(codes: readonly RefusalCode[], body: unknown): Ending | undefined {
  const ended = isObject(body) ? body : {};
  for (const { message } of codes) {
    if (message === "checkout_token_refused")
      return "paymentRequestStatus" in ended ? endingOfRequest(ended) : SESSION_ENDED;
    if (message === "checkout_session_refused") return OPENED_AGAIN;
    if (message === "checkout_origin_refused") return ORIGIN_REFUSED;
    if (message === "checkout_cards_refused") return CARDS_REFUSED;
    if (message === "payment_request_state_conflict") return endingOfRequest(ended);
  }
  return undefined;
}

/**
 * The same before there is a form. Then a payment in another window ends the checkout, too, and so does a merchant without
 * an acquirer; later another card may be of a type that one takes.
 */
export function endingAtStart(codes: readonly RefusalCode[], body: unknown): Ending {
  const has = (name: string) => codes.some(({ message }) => message === name);
  if (has("checkout_payment_in_progress")) return OPEN_ELSEWHERE;
  return has("checkout_acquirer_missing") ? CARDS_REFUSED : (endingFor(codes, body) ?? NOT_LOADED);
}

function endingOfRequest({ paymentRequestStatus, paid }: Readonly<Record<string, unknown>>): Ending {
  if (paymentRequestStatus === "expired") return EXPIRED;
  if (paymentRequestStatus === "cancelled") return CANCELLED;
  return paid === true ? PAID : FINISHED;
}
