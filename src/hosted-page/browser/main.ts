import { createCall } from "../../../browser/paying/call-gateway.ts";
import type { Checkout } from "../../../browser/paying/checkout.ts";
import { offerWallets } from "../../../browser/paying/offer-wallets.ts";
import { openPage } from "../../../browser/paying/page.ts";
import { cardWay } from "../../../browser/paying/pay-controls.ts";
import { followOutcome } from "../../../browser/paying/poll-outcome.ts";
import { readOpening } from "../../../browser/paying/read-responses.ts";
import { takePayment } from "../../../browser/paying/take-payment.ts";
import { watchPress } from "../../../browser/ui/after-click.ts";
import type { PayFormControl } from "../../../browser/ui/control-form.ts";
import { enhancePayForm } from "../../../browser/ui/enhance-pay-form.ts";
import { findElement } from "../../../browser/ui/find-element.ts";
import { dressPage } from "./enhance-page.ts";
import { watchOthers } from "./watch-outcome.ts";

const main = findElement<HTMLElement>(document, "main");
dressPage(document);
const opening = readOpening(readJson(main.getAttribute("data-opening")));
if (opening !== undefined) start(opening);

/** The page stands already; this gives its form manners, and keeps it true while other tabs and devices pay. */
function start(shown: NonNullable<ReturnType<typeof readOpening>>): void {
  const page = openPage();
  const call = createCall(shown.session);
  const formElement = page.formPlace.querySelector("form");
  let gone = false;
  /** How it stands is the server's to say: it shows the page anew, or sends the payer on to the merchant. */
  const conclude = (): void => {
    gone = true;
    others.tell();
    window.location.replace(`${window.location.pathname}?after=${shown.session.slice(-1)}`);
  };
  const others = watchOthers(shown.session, call, () => main.getAttribute("data-state"), conclude);

  let form: PayFormControl | undefined;
  const checkout: Checkout = {
    opening: shown,
    page,
    call,
    form: () => {
      if (form === undefined) throw new Error("this page has no form");
      return form;
    },
    tell: () => undefined,
    emitSurcharge: () => undefined,
    showApproved: conclude,
    showDeclined: conclude,
    showEnding: conclude,
    isGone: () => gone,
  };
  if (formElement !== null) {
    watchPress();
    form = enhancePayForm(formElement, {
      amount: shown.amount,
      rates: shown.rates,
      storeCard: shown.storeCard,
      onPay: (order) => void takePayment(checkout, order, cardWay(checkout.form())),
      onSurcharge: () => undefined,
    });
    void offerWallets(checkout);
    const notice = formElement.querySelector<HTMLElement>("#notice:not([hidden])");
    if (notice !== null) notice.focus();
  } else {
    // A payment is under way, in another tab or from before this page was loaded.
    void followOutcome(checkout, true).then((followed) => {
      if (followed !== "unknown") conclude();
    });
  }
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (_broken) {
    return undefined;
  }
}
