import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { getElement } from "../ui/get-element.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import type { Checkout } from "./checkout.ts";
import { pause } from "./pause.ts";
import { type Attempt, readOutcome } from "./read-responses.ts";

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_000;
const POLL_FOR_MS = 120_000;
const TIMEOUT_MS = 10_000;
const PRESSED_MS = 500;
/** A request that was under way when the connection broke may still arrive, so a single "none" is not trusted. */
const NONES_REQUIRED = 2;

/** `none`: there was no attempt. `unknown`: the gateway does not know yet. */
export type PolledOutcome = Attempt | "none" | "unknown";

/**
 * Queries the outcome until the gateway knows it. It only reads, so it can't charge the payer twice. `isEmitted`: the page
 * has the event `pending` already.
 */
export async function pollOutcome(checkout: Checkout, isEmitted: boolean): Promise<PolledOutcome> {
  let hasEmitted = isEmitted;
  let nones = 0;
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; waited < POLL_FOR_MS; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
    // The second "none" is not hurried: the request may be under way.
    await (nones > 0 ? pause(wait) : pauseOrPress(checkout, wait));
    waited += wait;
    if (checkout.isClosed()) return "unknown";
    const reply = await checkout.call("/checkout/outcome", {}, TIMEOUT_MS);
    if (reply.kind === "refused") break;
    const attempt = reply.kind === "answered" ? readOutcome(reply.body, checkout.previous()) : undefined;
    if (attempt === undefined) {
      // Also while the bank decides: what the page says stays true, and the payer is not left without a button.
      if (reply.kind === "lost") showConnectionLost(checkout);
      continue;
    }
    if (attempt.state === "approved" || attempt.state === "declined") return attempt;
    if (attempt.state === "none") {
      nones += 1;
      if (nones === NONES_REQUIRED) return "none";
    } else {
      if (!hasEmitted || recheckButton(checkout) !== null)
        checkout.page.showPanel("pending", confirmingPanel(checkout.speech.words));
      if (!hasEmitted) checkout.emit("pending", attempt);
      hasEmitted = true;
    }
  }
  if (!hasEmitted) checkout.emit("pending", { transactionId: undefined, codes: [] });
  return "unknown";
}

export function confirmingPanel({ confirming, confirmingTakes }: CheckoutWords): StatusPanel {
  return { picture: "waiting", heading: confirming, words: [confirmingTakes], busy: true };
}

const RECHECK = "recheck";

const recheckButton = ({ page }: Checkout) => page.panelPlace.querySelector<HTMLButtonElement>(`#${RECHECK}`);

/** The page goes on checking by itself; the button checks at once. */
export function showConnectionLost(checkout: Checkout): void {
  const { connectionLost, findingOut, checkAgain } = checkout.speech.words;
  if (recheckButton(checkout) !== null) return;
  checkout.page.showPanel("pending", {
    picture: "waiting",
    heading: connectionLost,
    words: [findingOut],
    busy: true,
    action: { id: RECHECK, label: checkAgain },
  });
}

/** Ends early if the payer presses the button. */
function pauseOrPress(checkout: Checkout, milliseconds: number): Promise<void> {
  const { checkAgain, oneMoment } = checkout.speech.words;
  const button = recheckButton(checkout);
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    if (button === null) return;
    button.textContent = checkAgain;
    button.onclick = () => {
      // Long enough to be seen: offline, the check fails at once.
      button.textContent = oneMoment;
      setTimeout(resolve, PRESSED_MS);
    };
  });
}

export function showStillUnknown({ page, speech: { words } }: Checkout, checkAgain: () => void): void {
  page.showPanel("pending", {
    picture: "waiting",
    heading: words.notConfirmed,
    words: [words.merchantTells],
    action: { id: RECHECK, label: words.checkAgain },
  });
  getElement(page.panelPlace, `#${RECHECK}`).addEventListener("click", () => {
    page.showPanel("pending", confirmingPanel(words));
    checkAgain();
  });
}
