import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { findElement } from "../ui/find-element.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { Checkout } from "./checkout.ts";
import { pause } from "./pause.ts";
import { type Attempt, readOutcome } from "./read-responses.ts";

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_000;
const POLL_FOR_MS = 120_000;
const TIMEOUT_MS = 10_000;
/** A request that was under way when the connection broke may still arrive, so a single "none" is not trusted. */
const NONES_REQUIRED = 2;

/** `none`: there was no attempt. `unknown`: the gateway does not know yet. */
export type PolledOutcome = Attempt | "none" | "unknown";

/**
 * Queries the outcome until the gateway knows it. It only reads, so it can't charge the payer twice. `emitted`: the page
 * has the event `pending` already.
 */
export async function pollOutcome(checkout: Checkout, emitted: boolean): Promise<PolledOutcome> {
  let hasEmitted = emitted;
  let nones = 0;
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; waited < POLL_FOR_MS; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
    await pause(wait);
    waited += wait;
    if (checkout.isClosed()) return "unknown";
    const reply = await checkout.call("/checkout/outcome", {}, TIMEOUT_MS);
    if (reply.kind === "refused") break;
    const attempt = reply.kind === "answered" ? readOutcome(reply.body, checkout.previous()) : undefined;
    if (attempt === undefined) continue;
    if (attempt.state === "approved" || attempt.state === "declined") return attempt;
    if (attempt.state === "none") {
      nones += 1;
      if (nones === NONES_REQUIRED) return "none";
    } else if (!hasEmitted) {
      hasEmitted = true;
      checkout.page.showPanel("pending", confirmingPanel(checkout.speech.words));
      checkout.emit("pending", attempt);
    }
  }
  if (!hasEmitted) checkout.emit("pending", { transactionId: undefined, codes: [] });
  return "unknown";
}

export function confirmingPanel({ confirming, confirmingTakes }: CheckoutWords): StatusPanel {
  return { picture: "waiting", heading: confirming, words: [confirmingTakes], busy: true };
}

export function connectionLostPanel({ connectionLost, findingOut }: CheckoutWords): StatusPanel {
  return { picture: "waiting", heading: connectionLost, words: [findingOut], busy: true };
}

export function showStillUnknown({ page, speech: { words } }: Checkout, checkAgain: () => void): void {
  page.showPanel("pending", {
    picture: "waiting",
    heading: words.notConfirmed,
    words: [words.merchantTells],
    action: { id: "recheck", label: words.checkAgain },
  });
  findElement(page.panelPlace, "#recheck").addEventListener("click", () => {
    page.showPanel("pending", confirmingPanel(words));
    checkAgain();
  });
}
