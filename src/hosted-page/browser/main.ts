import { type CallGateway, createCall } from "../../../browser/paying/call-gateway.ts";
import type { Checkout } from "../../../browser/paying/checkout.ts";
import { offerWallets } from "../../../browser/paying/offer-wallets.ts";
import { openPage, type Page } from "../../../browser/paying/page.ts";
import { cardControls } from "../../../browser/paying/pay-controls.ts";
import { languageOfPage } from "../../../browser/paying/payers-language.ts";
import { pollOutcome } from "../../../browser/paying/poll-outcome.ts";
import { type CheckoutDetails, readCheckoutDetails } from "../../../browser/paying/read-responses.ts";
import { removeCard } from "../../../browser/paying/remove-card.ts";
import { takePayment } from "../../../browser/paying/take-payment.ts";
import { trackPointer } from "../../../browser/ui/after-click.ts";
import type { PayFormControl } from "../../../browser/ui/control-form.ts";
import { enhancePayForm } from "../../../browser/ui/enhance-pay-form.ts";
import { getElement } from "../../../browser/ui/get-element.ts";
import { speechIn } from "../../kernel/languages/speech.ts";
import { enhancePage } from "./enhance-page.ts";
import { keepEntries, restoreEntries } from "./keep-entries.ts";
import { showSurcharge } from "./show-surcharge.ts";
import { watchOutcome } from "./watch-outcome.ts";

const APP_OPENS_WITHIN_MS = 3_000;

const main = getElement<HTMLElement>(document, "main");
enhancePage(document);
restoreEntries(main);
const details = readCheckoutDetails(readJson(main.getAttribute("data-opening")));
if (details !== undefined) start(details);

/** The server has rendered the page; this enhances its form and keeps it current while other tabs and devices pay. */
function start(details: CheckoutDetails): void {
  const speech = speechIn(languageOfPage(main), details.currencyCode);
  const opened = openPage();
  /** The surcharge that the form's own total includes. */
  let formSurcharge = 0;
  const page: Page = {
    ...opened,
    // After a payment that was refused or not sent, the order shows the form's price again, not the wallet's.
    showForm: (state) => {
      showInOrder(formSurcharge);
      opened.showForm(state);
    },
  };
  const send = createCall(details.session);
  /** A wallet's surcharge is known when its payment is sent. Its sheet, which can still be cancelled, shows its own total. */
  const call: CallGateway = (path, body, timeoutMs) => {
    if (path === "/checkout/pay" && "total" in body) showInOrder(Number(body.total) - details.amount);
    return send(path, body, timeoutMs);
  };
  const formElement = page.formPlace.querySelector("form");
  let closed = false;
  /** The server renders the outcome or redirects the payer to the merchant. */
  const conclude = (): void => {
    closed = true;
    watcher.notify();
    window.location.replace(`${window.location.pathname}?after=${details.session.slice(-1)}`);
    // A redirect to an app leaves this page where it is.
    if (main.hasAttribute("data-opens-app"))
      setTimeout(() => window.location.replace(window.location.pathname), APP_OPENS_WITHIN_MS);
  };
  const watcher = watchOutcome(details.session, call, () => main.getAttribute("data-state"), conclude);

  const showInOrder = (surcharge: number): void => {
    showSurcharge(document, speech.money, details.amount, surcharge);
  };
  let form: PayFormControl | undefined;
  const checkout: Checkout = {
    speech,
    details,
    page,
    call,
    form: () => {
      if (form === undefined) throw new Error("this page has no form");
      return form;
    },
    // Every attempt has a page of its own.
    previous: () => undefined,
    emit: () => undefined,
    emitSurcharge: () => undefined,
    showApproved: conclude,
    showDeclined: ({ open }) => {
      if (open) keepEntries(main);
      conclude();
    },
    showFinal: conclude,
    isClosed: () => closed,
  };
  if (formElement !== null) {
    trackPointer();
    form = enhancePayForm(formElement, {
      speech,
      amount: details.amount,
      rates: details.rates,
      storeCard: details.storeCard,
      savedCards: details.saved.cards,
      onRemove: (id) => removeCard(call, id),
      announce: page.announce,
      onPay: (input) => void takePayment(checkout, input, cardControls(speech.words, checkout.form())),
      onSurcharge: () => undefined,
      onPrice: (surcharge) => {
        formSurcharge = surcharge;
        showInOrder(surcharge);
      },
    });
    void offerWallets(checkout);
    const notice = formElement.querySelector<HTMLElement>("#notice:not([hidden])");
    if (notice !== null) notice.focus();
  } else {
    // A payment is under way, in another tab or from before this page was loaded.
    void pollOutcome(checkout, true).then((outcome) => {
      if (outcome !== "unknown") conclude();
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
