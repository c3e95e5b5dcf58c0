import { createCall } from "../paying/call-gateway.ts";
import type { Checkout } from "../paying/checkout.ts";
import { initialiseRefusalPanel, NOT_LOADED } from "../paying/final-panels.ts";
import { offerWallets } from "../paying/offer-wallets.ts";
import { openPage } from "../paying/page.ts";
import { cardControls } from "../paying/pay-controls.ts";
import { type CheckoutDetails, readCheckoutDetails } from "../paying/read-responses.ts";
import { removeCard } from "../paying/remove-card.ts";
import { takePayment } from "../paying/take-payment.ts";
import { payingCode } from "../protocol/client-codes.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";
import { trackPointer } from "../ui/after-click.ts";
import { applyTheme } from "../ui/apply-theme.ts";
import { findElement } from "../ui/find-element.ts";
import { walletNames } from "../ui/wallet-names.ts";
import { connectLoader, type Loader } from "./connect-loader.ts";
import { type Emit, openForm } from "./open-form.ts";
import { reportHeight } from "./report-height.ts";
import { emitProcess, showApproved, showDeclined, showRetry } from "./show-outcome.ts";

const TIMEOUT_MS = 20_000;

const page = openPage();
trackPointer();

connectLoader(
  (loader) => {
    applyTheme(loader.connect.ui);
    reportHeight(findElement(document, "main"), (height) => loader.send({ type: "height", height }));
    void initialise(loader);
  },
  () => page.showPanel(NOT_LOADED.state, NOT_LOADED.panel),
);

async function initialise(loader: Loader): Promise<void> {
  const { connect, parentOrigin, send } = loader;
  const input = { token: connect.token, parentOrigin, version: CHECKOUT_VERSION };
  const reply = await createCall(undefined)("/checkout/initialise", input, TIMEOUT_MS);
  const details = reply.kind === "answered" ? readCheckoutDetails(reply.body) : undefined;
  if (details !== undefined) {
    // First: with a saved card the form reports a surcharge at once.
    send({ type: "event", name: "initialise", payload: { result: { status: "ok" } } });
    startCheckout(loader, details);
    return;
  }
  const refusal = reply.kind === "refused" ? initialiseRefusalPanel(reply.codes, reply.body) : NOT_LOADED;
  page.showPanel(refusal.state, refusal.panel);
  const codes =
    reply.kind !== "answered" && reply.codes.length > 0
      ? reply.codes
      : [payingCode("payui_frame_unreachable", location.origin)];
  send({ type: "event", name: "initialise", payload: { result: { status: "failed", codes } } });
}

function startCheckout({ send, onDestroy }: Loader, details: CheckoutDetails): void {
  let closed = false;
  let previous: string | undefined;
  onDestroy(() => {
    closed = true;
  });
  const emit: Emit = (name, payload) => send({ type: "event", name, payload });
  const emitSurcharge = (surcharge: number): void =>
    emit("surchargeUpdate", { result: { status: "ok" }, surcharge });
  const call = createCall(details.session);
  const form = openForm(page, details, emitSurcharge, {
    onPay: (input) => void takePayment(checkout, input, cardControls(form)),
    onRemove: (id) => removeCard(call, id),
  });
  const checkout: Checkout = {
    details,
    page,
    call,
    form: () => form,
    previous: () => previous,
    emit: (status, facts) => emitProcess(emit, status, facts),
    emitSurcharge,
    showApproved: (attempt, total) => {
      showApproved(page, details, attempt.charged ?? total);
      emitProcess(emit, "approved", attempt);
    },
    showDeclined: (attempt) => {
      if (attempt.attemptsLeft > 0) {
        previous = attempt.transactionId;
        showRetry(page, form, attempt);
      } else showDeclined(page, details, attempt);
      emitProcess(emit, "declined", attempt);
    },
    showFinal: ({ state, panel }) => page.showPanel(state, panel),
    isClosed: () => closed,
  };
  page.showForm("ready");
  void offerWallets(checkout);
  const offered = details.wallets.map(({ type }) => type);
  const withheld = details.requestedWallets.filter((type) => offered.indexOf(type) === -1);
  if (withheld.length > 0) send({ type: "withheld", wallets: walletNames(withheld) });
}
