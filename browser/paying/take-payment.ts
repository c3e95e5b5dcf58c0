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

/** Sends the payment once and shows its outcome. Afterwards it only queries the outcome and never sends again. */
export async function takePayment(checkout: Checkout, input: PayInput, controls: PayControls): Promise<void> {
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
  await showOutcome(checkout, reply, input.total, controls);
}

async function showOutcome(
  checkout: Checkout,
  reply: Reply,
  total: number,
  controls: PayControls,
): Promise<void> {
  const answer =
    reply.kind === "refused" && mayBeOwnAttempt(reply) ? await findOwnAttempt(checkout, reply) : reply;
  if (answer.kind === "refused") {
    controls.onOutcome("declined");
    showRefusal(checkout, answer, controls);
    return;
  }
  const attempt = answer.kind === "answered" ? readAttempt(answer.body) : undefined;
  controls.onOutcome(sheetOutcome(attempt));
  if (attempt?.state === "approved") checkout.showApproved(attempt, total);
  else if (attempt?.state === "declined") checkout.showDeclined(attempt);
  else if (attempt?.state === "method" && attempt.bankStep !== undefined) {
    await showOutcome(checkout, await runMethod(checkout, attempt.bankStep), total, controls);
  } else if (attempt?.state === "challenge" && attempt.bankStep !== undefined) {
    const next = await runChallenge(checkout, attempt.bankStep);
    if (next !== undefined) await showOutcome(checkout, next, total, controls);
    else
      await followUp(checkout, {
        total,
        isEmitted: false,
        onNone: () => checkout.showDeclined(CHALLENGE_CANCELLED),
      });
  } else if (attempt?.state === "pending") {
    checkout.page.showPanel("pending", confirmingPanel(checkout.speech.words));
    checkout.emit("pending", attempt);
    await followUp(checkout, { total, isEmitted: true, onNone: () => showNotSent(checkout, controls) });
  } else {
    showConnectionLost(checkout);
    await followUp(checkout, { total, isEmitted: false, onNone: () => showNotSent(checkout, controls) });
  }
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

async function followUp(checkout: Checkout, options: PollOptions): Promise<void> {
  const { total, isEmitted, onNone } = options;
  const outcome = await pollOutcome(checkout, isEmitted);
  if (outcome === "none") onNone();
  else if (outcome === "unknown") {
    showStillUnknown(checkout, () => void followUp(checkout, { ...options, isEmitted: true }));
  } else if (outcome.state === "approved") checkout.showApproved(outcome, total);
  else checkout.showDeclined(outcome);
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
