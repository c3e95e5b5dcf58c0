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
      checkout.page.showPanel("pending", CONFIRMING);
      checkout.emit("pending", attempt);
    }
  }
  if (!hasEmitted) checkout.emit("pending", { transactionId: undefined, codes: [] });
  return "unknown";
}

export const CONFIRMING: StatusPanel = {
  picture: "waiting",
  heading: "We're confirming your payment",
  words: ["This can take a minute. Please keep this page open and don't pay again."],
  busy: true,
};

export const CONNECTION_LOST: StatusPanel = {
  picture: "waiting",
  heading: "The connection was lost",
  words: ["We're finding out whether your payment went through. Please don't pay again."],
  busy: true,
};

const STILL_UNKNOWN: StatusPanel = {
  picture: "waiting",
  heading: "Your payment isn't confirmed yet",
  words: ["Please don't pay again. The merchant will tell you when the payment is through."],
  action: { id: "recheck", label: "Check again" },
};

export function showStillUnknown({ page }: Checkout, checkAgain: () => void): void {
  page.showPanel("pending", STILL_UNKNOWN);
  findElement(page.panelPlace, "#recheck").addEventListener("click", () => {
    page.showPanel("pending", CONFIRMING);
    checkAgain();
  });
}
