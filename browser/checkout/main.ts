import { createCall } from "../paying/call-gateway.ts";
import type { Checkout } from "../paying/checkout.ts";
import { endingOfOpening, NOT_OPENED } from "../paying/final-panels.ts";
import { offerWallets } from "../paying/offer-wallets.ts";
import { openPage } from "../paying/page.ts";
import { cardWay } from "../paying/pay-controls.ts";
import { type Opening, readOpening } from "../paying/read-responses.ts";
import { takePayment } from "../paying/take-payment.ts";
import { ownCode } from "../protocol/client-codes.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";
import { watchPress } from "../ui/after-click.ts";
import { applyTheme } from "../ui/apply-theme.ts";
import { findElement } from "../ui/find-element.ts";
import { walletNames } from "../ui/wallet-names.ts";
import { connectLoader, type Loader } from "./connect-loader.ts";
import { type Emit, openForm } from "./open-form.ts";
import { reportHeight } from "./report-height.ts";
import { emitProcess, showApproved, showDeclined } from "./show-outcome.ts";

const ANSWER_WITHIN_MS = 20_000;

const page = openPage();
watchPress();

connectLoader(
  (loader) => {
    applyTheme(loader.connect.ui);
    reportHeight(findElement(document, "main"), (height) => loader.tell({ type: "height", height }));
    void initialise(loader);
  },
  () => page.showPanel(NOT_OPENED.state, NOT_OPENED.panel),
);

async function initialise(loader: Loader): Promise<void> {
  const { connect, parentOrigin, tell } = loader;
  const question = { token: connect.token, parentOrigin, version: CHECKOUT_VERSION };
  const reply = await createCall(undefined)("/checkout/initialise", question, ANSWER_WITHIN_MS);
  const opening = reply.kind === "answered" ? readOpening(reply.body) : undefined;
  if (opening !== undefined) {
    open(loader, opening);
    tell({ type: "event", name: "initialise", payload: { result: { status: "ok" } } });
    return;
  }
  const ending = reply.kind === "refused" ? endingOfOpening(reply.codes, reply.body) : NOT_OPENED;
  page.showPanel(ending.state, ending.panel);
  const codes =
    reply.kind !== "answered" && reply.codes.length > 0 ? reply.codes : [ownCode("payui_frame_unreachable")];
  tell({ type: "event", name: "initialise", payload: { result: { status: "failed", codes } } });
}

function open({ tell, onDestroy }: Loader, opening: Opening): void {
  let gone = false;
  onDestroy(() => {
    gone = true;
  });
  const emit: Emit = (name, payload) => tell({ type: "event", name, payload });
  const emitSurcharge = (surcharge: number): void =>
    emit("surchargeUpdate", { result: { status: "ok" }, surcharge });
  const form = openForm(page, opening, emitSurcharge, (order) => {
    void takePayment(checkout, order, cardWay(form));
  });
  const checkout: Checkout = {
    opening,
    page,
    call: createCall(opening.session),
    form: () => form,
    tell: (status, facts) => emitProcess(emit, status, facts),
    emitSurcharge,
    showApproved: (attempt, total) => {
      showApproved(page, opening, total);
      emitProcess(emit, "approved", attempt);
    },
    showDeclined: (attempt) => {
      showDeclined(page, opening, attempt);
      emitProcess(emit, "declined", attempt);
    },
    showEnding: ({ state, panel }) => page.showPanel(state, panel),
    isGone: () => gone,
  };
  page.showForm("ready");
  void offerWallets(checkout);
  const offered = opening.wallets.map(({ type }) => type);
  const withheld = opening.walletsAsked.filter((type) => offered.indexOf(type) === -1);
  if (withheld.length > 0) tell({ type: "withheld", wallets: walletNames(withheld) });
}
