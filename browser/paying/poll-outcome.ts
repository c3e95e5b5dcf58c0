import { findElement } from "../ui/find-element.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { Checkout } from "./checkout.ts";
import { pause } from "./pause.ts";
import { type Attempt, readAttempt } from "./read-responses.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_000;
const PATIENCE_MS = 120_000;
const ANSWER_WITHIN_MS = 10_000;
/** A request that was under way when the connection broke may still arrive, so one "none" proves nothing. */
const NONES_THAT_PROVE = 2;

/** How a followed attempt ended: with an answer, with proof that there was none, or not yet. */
export type Followed = Attempt | "none" | "unknown";

/** Asks until the gateway knows. Asking is all it does: it can't charge anybody, once or twice. */
export async function followOutcome(checkout: Checkout, pendingEmitted: boolean): Promise<Followed> {
  let told = pendingEmitted;
  let nones = 0;
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; waited < PATIENCE_MS; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    await pause(wait);
    waited += wait;
    if (checkout.isGone()) return "unknown";
    const reply = await checkout.call("/checkout/outcome", {}, ANSWER_WITHIN_MS);
    if (reply.kind === "refused") break;
    const attempt = reply.kind === "answered" ? readAttempt(reply.body) : undefined;
    if (attempt === undefined) continue;
    if (attempt.state === "approved" || attempt.state === "declined") return attempt;
    if (attempt.state === "none") {
      nones += 1;
      if (nones === NONES_THAT_PROVE) return "none";
    } else if (!told) {
      told = true;
      checkout.page.showPanel("pending", CONFIRMING);
      checkout.tell("pending", attempt);
    }
  }
  if (!told) checkout.tell("pending", { transactionId: undefined, codes: [] });
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
  action: { id: "ask-again", label: "Check again" },
};

export function showStillUnknown({ page }: Checkout, askAgain: () => void): void {
  page.showPanel("pending", STILL_UNKNOWN);
  findElement(page.panelPlace, "#ask-again").addEventListener("click", () => {
    page.showPanel("pending", CONFIRMING);
    askAgain();
  });
}
