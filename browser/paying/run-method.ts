import { getElement } from "../ui/get-element.ts";
import { html } from "../ui/html.ts";
import { statusPanel } from "../ui/status-panel.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import { continuePayment } from "./continue-payment.ts";
import { abandonOnLeave } from "./leave-page.ts";
import { openBankFrame } from "./open-bank-frame.ts";
import type { BankStep } from "./read-responses.ts";

/** The protocol's limit. A bank that is not done by then goes without. */
const LIMIT_MS = 10_000;

/** Lets the bank look at this browser in a hidden frame, and returns the gateway's reply to what follows. */
export function runMethod({ page, call, details, speech }: Checkout, step: BankStep): Promise<Reply> {
  const { bankChecking, tenSeconds, bankChecks } = speech.words;
  const panel = statusPanel({
    picture: "waiting",
    heading: bankChecking,
    words: [tenSeconds],
    busy: true,
  });
  page.showMarkup(
    "processing",
    panel +
      html`<iframe id="method-frame" class="method-frame" title="${bankChecks}" aria-hidden="true" tabindex="-1"></iframe>`
        .html,
  );
  const frame = getElement<HTMLIFrameElement>(page.panelPlace, "#method-frame");
  const stopLeaving = abandonOnLeave(details.session);
  return new Promise((resolve) => {
    const end = (methodCompletion: "Y" | "N"): void => {
      clearTimeout(limit);
      stopListening();
      frame.parentNode?.removeChild(frame);
      void continuePayment(call, step.sealed, { methodCompletion }).then((reply) => {
        stopLeaving();
        resolve(reply);
      });
    };
    const limit = setTimeout(() => end("N"), LIMIT_MS);
    const stopListening = openBankFrame(frame, "method", step, () => end("Y"));
  });
}
