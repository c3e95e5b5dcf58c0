import { isChallengeDone } from "../protocol/messages.ts";
import { findElement } from "../ui/find-element.ts";
import { html } from "../ui/html.ts";
import type { Challenge } from "./answers.ts";
import type { Reply } from "./ask-gateway.ts";
import type { Checkout } from "./checkout.ts";

const ANSWER_WITHIN_MS = 45_000;

const PANEL = html`<div class="challenge">
<h1 id="heading" tabindex="-1">Confirm it's you</h1>
<p>Your bank asks you to confirm this payment.</p>
<div class="challenge-frame"><iframe id="challenge-frame" title="Confirmation by your bank"></iframe></div>
<button class="quiet" type="button" id="cancel-challenge">Cancel payment</button>
</div>`.html;

/**
 * Shows the bank's page in a frame of its own until the payer has answered, and fetches what came of it. Undefined: the
 * payer turned back; what that did to the payment must be asked.
 */
export function faceChallenge(checkout: Checkout, challenge: Challenge): Promise<Reply | undefined> {
  const { page, ask, opening } = checkout;
  page.showMarkup("challenge", PANEL);
  const frame = findElement<HTMLIFrameElement>(page.panelPlace, "#challenge-frame");
  frame.src = challenge.url;

  return new Promise((resolve) => {
    const leave = (): void => sendAbandon(opening.session);
    const close = (): void => {
      window.removeEventListener("message", receive);
      window.removeEventListener("pagehide", leave);
      page.showPanel("processing", { picture: "waiting", heading: "One moment", words: [], busy: true });
    };
    function receive(event: MessageEvent<unknown>): void {
      if (event.source !== frame.contentWindow || event.origin !== window.location.origin) return;
      if (!isChallengeDone(event.data)) return;
      close();
      resolve(ask("/checkout/continue", { sealed: challenge.sealed }, ANSWER_WITHIN_MS));
    }
    window.addEventListener("message", receive);
    window.addEventListener("pagehide", leave);
    findElement(page.panelPlace, "#cancel-challenge").addEventListener("click", () => {
      close();
      void ask("/checkout/abandon", { session: opening.session }, ANSWER_WITHIN_MS).then(() =>
        resolve(undefined),
      );
    });
  });
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
