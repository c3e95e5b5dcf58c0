import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { getElement } from "../ui/get-element.ts";
import { html } from "../ui/html.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { continuePayment } from "./continue-payment.ts";
import { fitFrame } from "./fit-frame.ts";
import { abandonOnLeave } from "./leave-page.ts";
import { openBankFrame } from "./open-bank-frame.ts";
import type { BankStep } from "./read-responses.ts";

const TIMEOUT_MS = 45_000;

/**
 * Shows the bank's page in a frame until the payer has answered, and returns the gateway's reply. Undefined: the payer
 * cancelled, and the caller must query the outcome.
 */
export function runChallenge(checkout: Checkout, challenge: BankStep): Promise<Reply | undefined> {
  const { page, call, details } = checkout;
  const { words } = checkout.speech;
  page.showMarkup("challenge", challengePanel(words));
  const frame = getElement<HTMLIFrameElement>(page.panelPlace, "#challenge-frame");
  frame.title = details.mode === "sandbox" ? words.sandboxBank : words.bankConfirms;
  const stopFitting = fitFrame(frame);
  const stopLeaving = abandonOnLeave(details.session);

  return new Promise((resolve) => {
    const stopListening = openBankFrame(frame, "challenge", challenge, ({ cres }) => {
      close();
      resolve(continuePayment(call, challenge.sealed, cres === undefined ? {} : { cres }));
    });
    function close(): void {
      stopFitting();
      stopListening();
      stopLeaving();
      page.showPanel("processing", { picture: "waiting", heading: words.oneMoment, words: [], busy: true });
    }
    getElement(page.panelPlace, "#cancel-challenge").addEventListener("click", () => {
      close();
      void call("/checkout/abandon", { session: details.session }, TIMEOUT_MS).then(() => resolve(undefined));
    });
  });
}

function challengePanel({ confirmYou, bankAsks, cancelPayment }: CheckoutWords): string {
  return html`<div class="challenge">
<h1 id="heading" tabindex="-1">${confirmYou}</h1>
<p>${bankAsks}</p>
<div class="challenge-frame"><iframe id="challenge-frame"></iframe></div>
<button class="quiet" type="button" id="cancel-challenge">${cancelPayment}</button>
</div>`.html;
}
