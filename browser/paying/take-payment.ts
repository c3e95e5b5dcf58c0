import { notAuthenticatedCode } from "../protocol/client-codes.ts";
import { collectBrowser } from "./browser-data.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import type { PayControls, PayInput, SheetOutcome } from "./pay-controls.ts";
import { confirmingPanel, pollOutcome, showConnectionLost, showStillUnknown } from "./poll-outcome.ts";
import { type Attempt, readAttempt, readOutcome } from "./read-responses.ts";
import { runChallenge } from "./run-challenge.ts";
import { runMethod } from "./run-method.ts";
import { showRefusal } from "./show-refusal.ts";

const TIMEOUT_MS = 45_000;
const OUTCOME_TIMEOUT_MS = 10_000;
const SLOW_AFTER_MS = 6_000;

/** Whether the payer may pay in another way now; false also while the outcome is unknown. */
type IsUnpaid = boolean;

/** Sends the payment once and shows its outcome. Afterwards it only queries the outcome and never sends again. */
export async function takePayment(
  checkout: Checkout,
  input: PayInput,
  controls: PayControls,
): Promise<IsUnpaid> {
  const { page, call } = checkout;
  const { words } = checkout.speech;
  controls.setBusy(words.processing);
  page.setBusy(checkout.details.amount === 0 ? words.checkingCard : words.sending);
  const slowNotice = setTimeout(() => {
    controls.setBusy(words.stillBusy);
    page.announce(words.takesLonger);
  }, SLOW_AFTER_MS);
  const browser = checkout.details.threeDSecure ? { browser: collectBrowser() } : {};
  const previous = checkout.previous();
  const after = previous === undefined ? {} : { previousTransactionId: previous };
  const language = checkout.speech.tag;
  const reply = await call("/checkout/pay", { ...input, language, ...browser, ...after }, TIMEOUT_MS);
  clearTimeout(slowNotice);
  return showOutcome(checkout, reply, input.total, controls);
}

async function showOutcome(
  checkout: Checkout,
  reply: Reply,
  total: number,
  controls: PayControls,
): Promise<IsUnpaid> {
  const answer =
    reply.kind === "refused" && mayBeOwnAttempt(reply) ? await findOwnAttempt(checkout, reply) : reply;
  if (answer.kind === "refused") {
    controls.onOutcome("declined");
    showRefusal(checkout, answer, controls);
    return true;
  }
  const attempt = answer.kind === "answered" ? readAttempt(answer.body) : undefined;
  controls.onOutcome(sheetOutcome(attempt));
  if (attempt?.state === "approved" || attempt?.state === "declined")
    return showEnd(checkout, attempt, total);
  if (attempt?.state === "method" && attempt.bankStep !== undefined) {
    return showOutcome(checkout, await runMethod(checkout, attempt.bankStep), total, controls);
  }
  if (attempt?.state === "challenge" && attempt.bankStep !== undefined) {
    const next = await runChallenge(checkout, attempt.bankStep);
    if (next !== undefined) return showOutcome(checkout, next, total, controls);
    const onNone = () => checkout.showDeclined(CHALLENGE_CANCELLED);
    return followUp(checkout, { total, isEmitted: false, onNone });
  }
  const onNone = () => showNotSent(checkout, controls);
  if (attempt?.state !== "pending") {
    showConnectionLost(checkout);
    return followUp(checkout, { total, isEmitted: false, onNone });
  }
  checkout.page.showPanel("pending", confirmingPanel(checkout.speech.words));
  checkout.emit("pending", attempt);
  return followUp(checkout, { total, isEmitted: true, onNone });
}

function showEnd(checkout: Checkout, attempt: Attempt, total: number): IsUnpaid {
  const isApproved = attempt.state === "approved";
  if (isApproved) checkout.showApproved(attempt, total);
  else checkout.showDeclined(attempt);
  return !isApproved;
}

/**
 * Browsers repeat a request on their own when a kept connection turns out to be closed, so "in progress", "finished"
 * and "token used" can be about this very attempt. This session's attempt is queried before the payer sees a refusal.
 */
async function findOwnAttempt({ call, previous }: Checkout, refusal: Reply): Promise<Reply> {
  const reply = await call("/checkout/outcome", {}, OUTCOME_TIMEOUT_MS);
  const attempt = reply.kind === "answered" ? readOutcome(reply.body, previous()) : undefined;
  return attempt === undefined || attempt.state === "none" ? refusal : reply;
}

function mayBeOwnAttempt({ codes }: Extract<Reply, { kind: "refused" }>): boolean {
  return codes.some(
    ({ message }) =>
      message === "checkout_payment_in_progress" ||
      message === "payment_request_state_conflict" ||
      message === "checkout_token_refused",
  );
}

type PollOptions = { readonly total: number; readonly isEmitted: boolean; readonly onNone: () => void };

async function followUp(checkout: Checkout, options: PollOptions): Promise<IsUnpaid> {
  const { total, isEmitted, onNone } = options;
  const outcome = await pollOutcome(checkout, isEmitted);
  if (outcome === "unknown") {
    showStillUnknown(checkout, () => void followUp(checkout, { ...options, isEmitted: true }));
    return false;
  }
  if (outcome !== "none") return showEnd(checkout, outcome, total);
  onNone();
  return true;
}

function sheetOutcome(attempt: Attempt | undefined): SheetOutcome {
  const state = attempt?.state;
  return state === "approved" || state === "declined" ? state : "unknown";
}

function showNotSent({ form, page, speech }: Checkout, controls: PayControls): void {
  controls.setBusy(undefined);
  page.showForm("ready");
  form().showNotice(speech.words.notSent);
}

/** The payer cancelled the challenge and the gateway knows no attempt: not authenticated, so declined. */
const CHALLENGE_CANCELLED: Attempt = {
  state: "declined",
  transactionId: undefined,
  open: false,
  attemptsLeft: 0,
  bankStep: undefined,
  codes: [notAuthenticatedCode(location.origin)],
};
