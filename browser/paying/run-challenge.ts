import { isChallengeDone } from "../protocol/messages.ts";
import { findElement } from "../ui/find-element.ts";
import { html } from "../ui/html.ts";
import type { CallGateway, Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { fitFrame } from "./fit-frame.ts";
import { pause } from "./pause.ts";
import type { Challenge } from "./read-responses.ts";

const TIMEOUT_MS = 45_000;
const MAX_ATTEMPTS = 8;

const PANEL = html`<div class="challenge">
<h1 id="heading" tabindex="-1">Confirm it's you</h1>
<p>Your bank asks you to confirm this payment.</p>
<div class="challenge-frame"><iframe id="challenge-frame"></iframe></div>
<button class="quiet" type="button" id="cancel-challenge">Cancel payment</button>
</div>`.html;

/**
 * Shows the bank's page in a frame until the payer has answered, and returns the gateway's reply. Undefined: the payer
 * cancelled, and the caller must query the outcome.
 */
export function runChallenge(checkout: Checkout, challenge: Challenge): Promise<Reply | undefined> {
  const { page, call, details } = checkout;
  page.showMarkup("challenge", PANEL);
  const frame = findElement<HTMLIFrameElement>(page.panelPlace, "#challenge-frame");
  frame.title = details.mode === "sandbox" ? "Sandbox bank" : "Confirmation by your bank";
  const stopFitting = fitFrame(frame);
  frame.src = challenge.url;

  return new Promise((resolve) => {
    const abandon = (): void => sendAbandon(details.session);
    const close = (): void => {
      stopFitting();
      window.removeEventListener("message", receive);
      window.removeEventListener("pagehide", abandon);
      page.showPanel("processing", { picture: "waiting", heading: "One moment", words: [], busy: true });
    };
    function receive(event: MessageEvent<unknown>): void {
      if (event.source !== frame.contentWindow || event.origin !== window.location.origin) return;
      if (!isChallengeDone(event.data)) return;
      close();
      resolve(continuePayment(call, challenge.sealed));
    }
    window.addEventListener("message", receive);
    window.addEventListener("pagehide", abandon);
    findElement(page.panelPlace, "#cancel-challenge").addEventListener("click", () => {
      close();
      void call("/checkout/abandon", { session: details.session }, TIMEOUT_MS).then(() => resolve(undefined));
    });
  });
}

/**
 * Only this call, with the sealed data, can continue the payment, so a lost one is repeated. The gateway answers a repeat
 * with the current state of the attempt.
 */
async function continuePayment(call: CallGateway, sealed: string): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await call("/checkout/continue", { sealed }, TIMEOUT_MS);
    if (reply.kind !== "lost" || attempt === MAX_ATTEMPTS) return reply;
    await pause(attempt * 1_000);
  }
}

/** The page is closing, so the request must outlive it. Browsers around Chrome 60 refuse a JSON beacon. */
function sendAbandon(session: string): void {
  const body = JSON.stringify({ session });
  try {
    if (navigator.sendBeacon("/checkout/abandon", new Blob([body], { type: "application/json" }))) return;
  } catch (_refused) {
    // Falls through to a synchronous request.
  }
  const request = new XMLHttpRequest();
  request.open("POST", "/checkout/abandon", false);
  request.setRequestHeader("Content-Type", "application/json");
  request.send(body);
}
