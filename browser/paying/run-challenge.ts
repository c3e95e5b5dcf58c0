import { isChallengeDone } from "../protocol/messages.ts";
import { findElement } from "../ui/find-element.ts";
import { html } from "../ui/html.ts";
import type { CallGateway, Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { fitFrame } from "./fit-frame.ts";
import { pause } from "./pause.ts";
import type { Challenge } from "./read-responses.ts";

const ANSWER_WITHIN_MS = 45_000;
const TRIES = 8;

const PANEL = html`<div class="challenge">
<h1 id="heading" tabindex="-1">Confirm it's you</h1>
<p>Your bank asks you to confirm this payment.</p>
<div class="challenge-frame"><iframe id="challenge-frame"></iframe></div>
<button class="quiet" type="button" id="cancel-challenge">Cancel payment</button>
</div>`.html;

/**
 * Shows the bank's page in a frame of its own until the payer has answered, and fetches what came of it. Undefined: the
 * payer turned back; what that did to the payment must be asked.
 */
export function faceChallenge(checkout: Checkout, challenge: Challenge): Promise<Reply | undefined> {
  const { page, call, opening } = checkout;
  page.showMarkup("challenge", PANEL);
  const frame = findElement<HTMLIFrameElement>(page.panelPlace, "#challenge-frame");
  frame.title = opening.mode === "sandbox" ? "Sandbox bank" : "Confirmation by your bank";
  const stopFitting = fitFrame(frame);
  frame.src = challenge.url;

  return new Promise((resolve) => {
    const leave = (): void => sendAbandon(opening.session);
    const close = (): void => {
      stopFitting();
      window.removeEventListener("message", receive);
      window.removeEventListener("pagehide", leave);
      page.showPanel("processing", { picture: "waiting", heading: "One moment", words: [], busy: true });
    };
    function receive(event: MessageEvent<unknown>): void {
      if (event.source !== frame.contentWindow || event.origin !== window.location.origin) return;
      if (!isChallengeDone(event.data)) return;
      close();
      resolve(goOn(call, challenge.sealed));
    }
    window.addEventListener("message", receive);
    window.addEventListener("pagehide", leave);
    findElement(page.panelPlace, "#cancel-challenge").addEventListener("click", () => {
      close();
      void call("/checkout/abandon", { session: opening.session }, ANSWER_WITHIN_MS).then(() =>
        resolve(undefined),
      );
    });
  });
}

/**
 * Goes on after the payer's answer. Only this call can, with what was sealed, so a lost one is sent again: the gateway
 * answers a repeat with the attempt as it stands.
 */
async function goOn(call: CallGateway, sealed: string): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await call("/checkout/continue", { sealed }, ANSWER_WITHIN_MS);
    if (reply.kind !== "lost" || tries === TRIES) return reply;
    await pause(tries * 1_000);
  }
}

/** The page goes away, so the request must outlive it. Browsers around Chrome 60 refuse a beacon of JSON. */
function sendAbandon(session: string): void {
  const body = JSON.stringify({ session });
  try {
    if (navigator.sendBeacon("/checkout/abandon", new Blob([body], { type: "application/json" }))) return;
  } catch (_refused) {
    // Below.
  }
  const request = new XMLHttpRequest();
  request.open("POST", "/checkout/abandon", false);
  request.setRequestHeader("Content-Type", "application/json");
  request.send(body);
}
