import { ENGLISH_CHECKOUT } from "../../src/kernel/languages/english.ts";
import { speechIn } from "../../src/kernel/languages/speech.ts";
import { createCall } from "../paying/call-gateway.ts";
import type { Checkout } from "../paying/checkout.ts";
import { connectLoader, type Loader } from "../paying/connect-loader.ts";
import {
  endingAtStart,
  type FinalPanel,
  finalPanel,
  NOT_LOADED,
  SESSION_ENDED,
} from "../paying/final-panels.ts";
import { offerWallets } from "../paying/offer-wallets.ts";
import { openPage } from "../paying/page.ts";
import { cardControls } from "../paying/pay-controls.ts";
import { languageOfPage, readLanguage } from "../paying/payers-language.ts";
import { type CheckoutDetails, readCheckoutDetails } from "../paying/read-responses.ts";
import { removeCard } from "../paying/remove-card.ts";
import { reportHeight } from "../paying/report-height.ts";
import { takePayment } from "../paying/take-payment.ts";
import { unreachableCode } from "../protocol/client-codes.ts";
import { isObject } from "../protocol/is-object.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";
import { trackPointer } from "../ui/after-click.ts";
import { applyTheme } from "../ui/apply-theme.ts";
import { getElement } from "../ui/get-element.ts";
import { walletNames } from "../ui/wallet-names.ts";
import { type Emit, openForm } from "./open-form.ts";
import { emitProcess, showApproved, showDeclined, showRetry } from "./show-outcome.ts";

const TIMEOUT_MS = 20_000;

const page = openPage();
const main = getElement<HTMLElement>(document, "main");
let language = languageOfPage(main);
trackPointer();

connectLoader(
  (loader) => {
    applyTheme(loader.connect.ui, JSON.parse(main.getAttribute("data-ui") ?? "null") as object | null);
    reportHeight(main, (height) => loader.send({ type: "height", height }));
    void initialise(loader);
  },
  () => showFinal(finalPanel(language.words, NOT_LOADED), () => location.reload()),
);

function showFinal({ state, panel }: FinalPanel, retry: () => void): void {
  page.showPanel(state, panel);
  page.panelPlace.querySelector("#retry")?.addEventListener("click", retry);
}

/** The payer's language is certain once the gateway has read the payment request. */
function speak(body: unknown, { send }: Loader): void {
  language = readLanguage(isObject(body) ? body["language"] : undefined) ?? language;
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
  document.title = language.words.frameTitle;
  send({ type: "title", title: document.title });
}

async function initialise(loader: Loader): Promise<void> {
  const { connect, parentOrigin, send } = loader;
  const { token, locale } = connect;
  const input = {
    token,
    parentOrigin,
    version: CHECKOUT_VERSION,
    language: language.tag,
    ...(locale && { locale }),
  };
  const reply = await createCall(undefined)("/checkout/initialise", input, TIMEOUT_MS);
  if (reply.kind !== "lost") speak(reply.body, loader);
  const details = reply.kind === "answered" ? readCheckoutDetails(reply.body) : undefined;
  if (details !== undefined) {
    // First: with a saved card the form reports a surcharge at once.
    send({ type: "event", name: "initialise", payload: { result: { status: "ok" } } });
    startCheckout(loader, details);
    return;
  }
  const ending = reply.kind === "refused" ? endingAtStart(reply.codes, reply.body) : NOT_LOADED;
  showFinal(finalPanel(language.words, ending), () => {
    if (ending === SESSION_ENDED) send({ type: "reload" });
    else {
      const heading = language.words.oneMoment;
      page.showPanel("processing", { picture: "waiting", heading, words: [], busy: true });
      void initialise(loader);
    }
  });
  const codes =
    reply.kind !== "answered" && reply.codes.length > 0 ? reply.codes : [unreachableCode(location.origin)];
  send({ type: "event", name: "initialise", payload: { result: { status: "failed", codes } } });
}

function startCheckout({ send, onDestroy }: Loader, details: CheckoutDetails): void {
  const speech = speechIn(language, details.currencyCode);
  let closed = false;
  let previous: string | undefined;
  onDestroy(() => {
    closed = true;
  });
  const emit: Emit = (name, payload) => send({ type: "event", name, payload });
  const emitSurcharge = (surcharge: number): void =>
    emit("surchargeUpdate", { result: { status: "ok" }, surcharge });
  const call = createCall(details.session);
  const form = openForm(page, speech, details, {
    emitSurcharge,
    onPay: (input) => void takePayment(checkout, input, cardControls(speech.words, form)),
    onRemove: (id) => removeCard(call, id),
  });
  const checkout: Checkout = {
    speech,
    details,
    page,
    call,
    form: () => form,
    previous: () => previous,
    emit: (status, facts) => emitProcess(emit, status, facts),
    emitSurcharge,
    showApproved: (attempt, total) => {
      showApproved(page, speech, details, attempt.charged ?? total);
      emitProcess(emit, "approved", attempt);
    },
    showDeclined: (attempt) => {
      if (attempt.attemptsLeft > 0) {
        previous = attempt.transactionId;
        showRetry(page, speech.words, form, attempt);
      } else showDeclined(page, speech.words, details, attempt);
      emitProcess(emit, "declined", attempt);
    },
    showFinal: (final) => showFinal(final, () => send({ type: "reload" })),
    isClosed: () => closed,
  };
  page.showForm("ready");
  void offerWallets(checkout);
  const offered = details.wallets.map(({ type }) => type);
  const withheld = details.requestedWallets.filter((type) => !offered.includes(type));
  if (withheld.length > 0) send({ type: "withheld", wallets: walletNames(ENGLISH_CHECKOUT, withheld) });
}
