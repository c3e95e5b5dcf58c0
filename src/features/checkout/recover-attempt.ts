import type { InquiryAnswer } from "../../connectors/ports/card-acquirer.ts";
import { soundAnswer } from "../../connectors/ports/sound-answer.ts";
import type { Id } from "../../kernel/ids.ts";
import { type Instant, instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { finishKeysOf } from "../../platform/idempotency/queries.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import {
  advance,
  answerOrUnknown,
  declineOfReversed,
  findTransaction,
  isUnreversed,
  isVerification,
  lockTransaction,
  reverseAtAcquirer,
  type Transaction,
  updateTransaction,
} from "../transactions/index.ts";
import { abandonAttempt } from "./abandon-attempt.ts";
import { CHALLENGE_LIFE, reverseAgainLater } from "./attempt-deadlines.ts";
import { NOT_AVAILABLE, recordOf } from "./authentication.ts";
import { endUnauthenticated, finishAttempt } from "./finish-attempt.ts";

/**
 * Settles an attempt that its process did not finish. It inquires or reverses; it never charges again. With a phase: only
 * while the attempt is in it, because a later phase has a job of its own. The phase is read again under the row's lock: a
 * process that was only slow may enter the next one at the same moment.
 */
export async function recoverAttempt(
  ctx: Context,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
  only?: Transaction["phase"],
): Promise<NextRun> {
  const attempt = await findTransaction(ctx.db, merchantId, id);
  // Usually the process that began the attempt has finished it.
  if (attempt?.status !== "pending" || (only !== undefined && attempt.phase !== only)) return undefined;
  const merchant = await findMerchant(ctx.db, merchantId);
  if (merchant === undefined) return undefined;
  const next = await recoverByPhase(ctx, merchant, attempt);
  if (next === "settled") return undefined;
  if (next === "awaited") return { retry: "the acquirer has not sent the outcome of a card payment" };
  if (next !== "soon") return next;
  const { host } = await ctx.acquirers.get(merchant, attempt.acquirerAccountId);
  return { retry: "the outcome of a card payment is not known", withinMs: host.repeatsWithinMs };
}

/**
 * A charge whose outcome stays unknown is `pending`, even where the gateway cannot ask: what its key names can be read, and the
 * key is done.
 */
async function recoverByPhase(ctx: Context, merchant: Merchant, attempt: Transaction): Promise<Next> {
  try {
    return await RECOVER[attempt.phase](ctx, merchant, attempt);
  } finally {
    if (attempt.paymentRequestId === null)
      await finishKeyOfPending(ctx, attempt).catch((error: unknown) =>
        ctx.log.warn(
          { error },
          "idempotency key not marked as done: repeats get `processing` until the next recovery",
        ),
      );
  }
}

/** The outcome marks the key itself. Once approved, the charge may have captures in flight, whose keys name it, too. */
async function finishKeyOfPending(ctx: Context, { merchantId, id }: Transaction): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchantId, id);
    if (held?.status === "pending") await finishKeysOf(tx, merchantId, id);
  });
}

/** `awaited`: the acquirer has the payment and notifies of its outcome, which cannot be brought about. */
type Next = "settled" | "soon" | "awaited" | Instant;
type Recover = (ctx: Context, merchant: Merchant, attempt: Transaction) => Promise<Next>;

const RECOVER: Readonly<Record<Transaction["phase"], Recover>> = {
  /** The process that began the authentication is gone, and the card with it: the attempt cannot continue. */
  authenticating: async (ctx, merchant, attempt) => {
    await endUnauthenticated(ctx, merchant, attempt, { ...recordOf(NOT_AVAILABLE), only: attempt.phase });
    return "settled";
  },
  /** The browser did not come back from the method step. */
  profiling: async (ctx, merchant, attempt) => {
    await abandonAttempt(ctx, merchant, attempt, attempt.phase);
    return "settled";
  },
  challenged: async (ctx, merchant, attempt) => {
    const deadline = later(attempt.createdAt, CHALLENGE_LIFE);
    if (clockOf(ctx, merchant) < deadline) return instant(deadline - merchant.clockOffset);
    await abandonAttempt(ctx, merchant, attempt, attempt.phase);
    return "settled";
  },
  calling: async (ctx, merchant, attempt) => {
    const answer = await inquireAbout(ctx, merchant, attempt);
    if (answer === undefined) return reverseAttempt(ctx, merchant, attempt);
    if (answer.kind === "unknown" || answer.kind === "accepted") return "soon";
    if (answer.kind === "never_seen" || answer.kind === "not_received")
      return reverseAttempt(ctx, merchant, attempt);
    const { status } = await finishAttempt(ctx, merchant, attempt, { answer, isRecovery: true });
    return status === "pending" ? "soon" : "settled";
  },
  reversing: reverseAttempt,
  /** The notification may have been lost. The acquirer has accepted the payment, so it is not reversed unasked. */
  waiting: async (ctx, merchant, attempt) => {
    const answer = await inquireAbout(ctx, merchant, attempt);
    if (answer?.kind !== "approved" && answer?.kind !== "declined") return "awaited";
    const { status } = await finishAttempt(ctx, merchant, attempt, { answer, isRecovery: true });
    return status === "pending" ? "soon" : "settled";
  },
  settled: async () => "settled",
};

/** What the acquirer says about the attempt; undefined where it is not asked. */
async function inquireAbout(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
): Promise<InquiryAnswer | undefined> {
  const { host } = await ctx.acquirers.get(merchant, attempt.acquirerAccountId);
  const { inquire, answersWithinMs: deadlineMs } = host;
  // Whether a verification was approved is not worth an inquiry, which not every host answers: the payer enters the card again.
  if (inquire === undefined || isVerification(attempt)) return undefined;
  return answerOrUnknown(ctx, (signal) => soundAnswer(inquire(attempt.id, signal)), { deadlineMs });
}

/**
 * Some acquirers ignore the reversal of a payment that they have not seen. A call that was still on its way then takes the
 * money after all, and its answer may have been lost with its process. So the reversal is sent once more.
 */
export async function reverseAgain(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<NextRun> {
  const attempt = await findTransaction(ctx.db, merchant.id, id);
  if (attempt?.status === "pending") return { retry: "a card payment is still being reversed" };
  if (attempt?.status !== "declined") return undefined;
  const { kind } = await reverseAtAcquirer(ctx, merchant, attempt);
  // An acquirer that sends outcomes later also notifies of a payment that arrived late, and that is reversed then.
  const isDone =
    kind === "approved" ||
    (kind === "accepted" && !isUnreversed(attempt)) ||
    // A verification holds nothing, whatever becomes of its reversal.
    ((kind === "declined" || kind === "accepted") && isVerification(attempt));
  return isDone
    ? undefined
    : { retry: "a declined card payment is not reversed: the acquirer has not confirmed it" };
}

/**
 * Reverses an attempt that the acquirer has never seen before declining it, so that a call still on its way takes nothing.
 * The `reversing` phase is recorded first: an approval that arrives later is reversed as well.
 */
async function reverseAttempt(ctx: Context, merchant: Merchant, attempt: Transaction): Promise<Next> {
  const entered = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    // One that the acquirer has accepted meanwhile waits for its outcome instead.
    const reversing = held?.phase === "calling" ? advance(held, "reverse") : undefined;
    if (reversing !== undefined) {
      await updateTransaction(tx, reversing);
      await reverseAgainLater(ctx, tx, reversing);
    }
    return reversing ?? (held?.phase === "reversing" ? held : undefined);
  });
  if (entered === undefined) return "soon";
  const reversed = await reverseAtAcquirer(ctx, merchant, entered, { endsWithAnyAnswer: true });
  // A verification holds nothing, so an acquirer need not confirm; the reversal is sent once more all the same.
  if (reversed.kind !== "approved" && !isVerification(entered)) return "soon";
  const answer = declineOfReversed(entered);
  await finishAttempt(ctx, merchant, attempt, { answer, isRecovery: true });
  return "settled";
}
