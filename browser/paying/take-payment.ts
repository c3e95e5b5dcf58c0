import { ownCode } from "../protocol/client-codes.ts";
import type { Reply } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import type { PaymentOrder, PayWay, SheetOutcome } from "./pay-controls.ts";
import { CONFIRMING, CONNECTION_LOST, followOutcome, showStillUnknown } from "./poll-outcome.ts";
import { type Attempt, readAttempt } from "./read-responses.ts";
import { faceChallenge } from "./run-challenge.ts";
import { showRefusal } from "./show-refusal.ts";

const ANSWER_WITHIN_MS = 45_000;
const OUTCOME_WITHIN_MS = 10_000;
const LONG_WAIT_MS = 6_000;

/** From the press of the button to an outcome. Sent once; after that only asked. */
export async function takePayment(checkout: Checkout, order: PaymentOrder, way: PayWay): Promise<void> {
  const { page, call } = checkout;
  way.setBusy("Processing…");
  page.hold("Your payment is being sent.");
  const impatience = setTimeout(() => {
    way.setBusy("Still processing…");
    page.announce("This takes longer than usual. Please keep this page open.");
  }, LONG_WAIT_MS);
  const reply = await call("/checkout/pay", order, ANSWER_WITHIN_MS);
  clearTimeout(impatience);
  await settle(checkout, reply, order.total, way);
}

async function settle(checkout: Checkout, reply: Reply, total: number, way: PayWay): Promise<void> {
  const answer = reply.kind === "refused" && saysTaken(reply) ? await ownAttempt(checkout, reply) : reply;
  if (answer.kind === "refused") {
    way.answered("bad");
    showRefusal(checkout, answer, way);
    return;
  }
  const attempt = answer.kind === "answered" ? readAttempt(answer.body) : undefined;
  way.answered(sheetOutcome(attempt));
  if (attempt?.state === "approved") checkout.showApproved(attempt, total);
  else if (attempt?.state === "declined") checkout.showDeclined(attempt);
  else if (attempt?.state === "challenge" && attempt.challenge !== undefined) {
    const next = await faceChallenge(checkout, attempt.challenge);
    if (next !== undefined) await settle(checkout, next, total, way);
    else
      await follow(checkout, {
        total,
        pendingEmitted: false,
        whenNone: () => checkout.showDeclined(TURNED_BACK),
      });
  } else if (attempt?.state === "pending") {
    checkout.page.showPanel("pending", CONFIRMING);
    checkout.tell("pending", attempt);
    await follow(checkout, { total, pendingEmitted: true, whenNone: () => sayNotSent(checkout, way) });
  } else {
    checkout.page.showPanel("pending", CONNECTION_LOST);
    await follow(checkout, { total, pendingEmitted: false, whenNone: () => sayNotSent(checkout, way) });
  }
}

/**
 * "Being paid", "finished already" and "token used" can be about this very attempt: browsers send a request again by themselves when a
 * kept connection turns out to be closed. So before the payer is told, the attempt of this session is asked for.
 */
async function ownAttempt({ call }: Checkout, refusal: Reply): Promise<Reply> {
  const reply = await call("/checkout/outcome", {}, OUTCOME_WITHIN_MS);
  const attempt = reply.kind === "answered" ? readAttempt(reply.body) : undefined;
  return attempt === undefined || attempt.state === "none" ? refusal : reply;
}

function saysTaken({ codes }: Extract<Reply, { kind: "refused" }>): boolean {
  return codes.some(
    ({ message }) =>
      message === "checkout_payment_in_progress" ||
      message === "payment_request_state_conflict" ||
      message === "checkout_token_refused",
  );
}

type Following = { readonly total: number; readonly pendingEmitted: boolean; readonly whenNone: () => void };

async function follow(checkout: Checkout, following: Following): Promise<void> {
  const { total, pendingEmitted, whenNone } = following;
  const outcome = await followOutcome(checkout, pendingEmitted);
  if (outcome === "none") whenNone();
  else if (outcome === "unknown") {
    showStillUnknown(checkout, () => void follow(checkout, { ...following, pendingEmitted: true }));
  } else if (outcome.state === "approved") checkout.showApproved(outcome, total);
  else checkout.showDeclined(outcome);
}

function sheetOutcome(attempt: Attempt | undefined): SheetOutcome {
  if (attempt?.state === "approved") return "good";
  return attempt?.state === "declined" ? "bad" : "unknown";
}

function sayNotSent({ form, page }: Checkout, way: PayWay): void {
  way.setBusy(undefined);
  page.showForm("ready");
  form().showNotice("Your payment was not sent because the connection was lost. Please try again.");
}

/** The payer left the challenge, and the gateway knows of no attempt: not authenticated, so declined. */
const TURNED_BACK: Attempt = {
  state: "declined",
  transactionId: undefined,
  open: false,
  challenge: undefined,
  codes: [ownCode("3d_secure_error")],
};
