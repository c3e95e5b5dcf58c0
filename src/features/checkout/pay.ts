import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Payer } from "../../connectors/ports/payer.ts";
import type {
  AuthenticationData,
  ChallengeStep,
  DoneStep,
  Handover,
  MethodStep,
} from "../../connectors/ports/three-d-secure.ts";
import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { authenticates } from "../acquirer-accounts/index.ts";
import {
  admitAttempt,
  asPayerSees,
  type Counts,
  countsOf,
  forgetAttempt,
  markAttempt,
  rememberCode,
  settleAttempt,
} from "../card-testing/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { findInstrument } from "../payment-instruments/index.ts";
import { attemptsLeft, findPaymentRequest, isOverdue } from "../payment-requests/index.ts";
import {
  findTransaction,
  isAuthenticating,
  presentOutcome,
  type Transaction,
} from "../transactions/index.ts";
import {
  authenticateAfterMethod,
  authenticationResult,
  beginAuthentication,
  enterCalling,
  enterChallenge,
  enterMethod,
  type PayerPlace,
} from "./authenticate-payer.ts";
import { proceeds, recordOf } from "./authentication.ts";
import { type Begun, beginAtOnce } from "./begin-at-once.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { payerAddress } from "./billing-address.ts";
import { type CalledCard, callAcquirer, declineUncalled } from "./call-acquirer.ts";
import { cardOfPayment, type PayersCard } from "./card-of-payment.ts";
import { endUnauthenticated } from "./finish-attempt.ts";
import { type Held, openHeld, sealHeld } from "./held-by-payer.ts";
import type { Session } from "./session.ts";
import type { ContinueInput, PayInput } from "./wire.ts";

/** The answer to the payer's frame or page. */
export type PayAnswer = {
  readonly state: "approved" | "declined" | "pending" | "method" | "challenge" | "none";
  readonly transactionId?: string;
  /** Of a partial approval: what was charged instead of the total. */
  readonly charged?: number;
  /** The bank looks at the payer's browser: the frame posts this in a hidden frame, then continues. */
  readonly method?: BankStep;
  readonly challenge?: BankStep;
  /** Of a declined attempt in the frame: how many the payer still has. */
  readonly attemptsLeft?: number;
  /** For a hosted page without an attempt: whether the payer can still make one. */
  readonly open?: boolean;
  readonly result: object;
};

/** A step at the bank, and what the browser keeps until it returns. */
type BankStep = Handover & { readonly sealed: string };

/** A payment, from the payer's click to the answer. */
export async function pay(
  ctx: Context,
  session: Session,
  input: PayInput,
  at: PayerPlace,
): Promise<PayAnswer> {
  const { merchant } = session;
  const place = defined({ ...at, address: payerAddress(input) });
  const payers = await cardOfPayment(ctx, session, input);
  const { card } = payers;
  const payer = payerAt(place);
  const counts = await countsOf(ctx, merchant, { address: place.browser.ipAddress, card });
  const begun = await beginAtOnce(ctx, session, input, { ...payers, counts });
  if (begun !== undefined) {
    const request = session.seen?.request;
    const called = await callHeld(ctx, merchant, begun, defined({ card, counts, request, payer }));
    return answerFor(ctx, called, merchant);
  }
  const transaction = await beginAdmitted(ctx, session, input, { payers, counts });
  if (transaction.phase === "calling") {
    return answerFor(ctx, await callCounted(ctx, merchant, transaction, { card, counts, payer }), merchant);
  }
  const step = await beginAuthentication(ctx, merchant, transaction, { card, place });
  return afterStep(ctx, merchant, transaction, { step, card, place, counts });
}

/** For the acquirer's own checks. */
function payerAt({ browser, address }: PayerPlace): Payer {
  return defined({ ip: browser.ipAddress || undefined, address });
}

/** Counts the attempt against card testing, then records it. One that is refused after all is not counted. */
async function beginAdmitted(
  ctx: Context,
  session: Session,
  input: PayInput,
  { payers, counts }: { readonly payers: PayersCard; readonly counts: Counts },
): Promise<Transaction> {
  const { merchant } = session;
  const accounts = await ctx.acquirers.listActive(merchant);
  const threeDSecure =
    merchant.capabilities.threeDSecure && accounts.some((one) => authenticates(merchant, one));
  const { step } = await admitAttempt(ctx, merchant, counts, { threeDSecure });
  try {
    const underSuspicion = step === "three_d_secure";
    const { transaction } = await beginAttempt(ctx, session, input, { ...payers, underSuspicion });
    if (step !== "none") await markAttempt(ctx, transaction);
    return transaction;
  } catch (error) {
    forgetAttempt(ctx, merchant, counts);
    throw error;
  }
}

/** Calls the acquirer for an attempt that is held, not counted. A decline is counted. */
async function callHeld(
  ctx: Context,
  merchant: Merchant,
  { transaction, hold }: Begun,
  { counts, ...called }: CalledCard & { readonly counts: Counts },
): Promise<Transaction> {
  const after = await callAcquirer(ctx, merchant, transaction, called);
  rememberCode(ctx, counts, called.card, after);
  await hold.settle(after);
  return after;
}

/** Calls the acquirer. A decline stays counted. */
async function callCounted(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { counts, ...details }: CalledCard & { readonly counts: Counts },
): Promise<Transaction> {
  const networkTransactionId = await networkTransactionOf(ctx, attempt);
  const after = await callAcquirer(ctx, merchant, attempt, { ...details, networkTransactionId });
  rememberCode(ctx, counts, details.card, after);
  settleAttempt(ctx, merchant, counts, after);
  return after;
}

/** The payment that stored a saved card, by the card scheme's id. */
async function networkTransactionOf(
  ctx: Context,
  { merchantId, customerId, paymentInstrumentId }: Transaction,
): Promise<string | null> {
  if (customerId === null || paymentInstrumentId === null) return null;
  const saved = await findInstrument(ctx.db, merchantId, customerId, paymentInstrumentId);
  return saved?.networkTransactionId ?? null;
}

/** After a step at the bank: the result comes from the connector; the browser's claim is ignored. */
export async function continuePayment(
  ctx: Context,
  session: Session,
  { sealed, methodCompletion, cres }: ContinueInput,
): Promise<PayAnswer> {
  const { transactionId, merchant } = session;
  const attempt = transactionId && (await findTransaction(ctx.db, merchant.id, transactionId));
  if (!attempt) refuse("checkout_session_refused");
  if (!isAuthenticating(attempt)) return answerFor(ctx, attempt, merchant);
  const held = await openHeld(ctx, merchant, attempt, sealed);
  // A browser whose answer got lost repeats the end of its method step, also when the challenge has begun since.
  if (methodCompletion !== undefined || attempt.phase !== "challenged")
    return afterMethod(ctx, merchant, attempt, { held, completion: methodCompletion ?? "N" });
  const challenge = defined({ cres, state: held?.state });
  const data = await authenticationResult(ctx, merchant, attempt, challenge);
  if (data === "open") return { ...(await answerFor(ctx, attempt, merchant)), state: "challenge" };
  const { card, counts = [], payer } = held ?? {};
  return afterAuthentication(ctx, merchant, attempt, defined({ data, card, counts, payer }));
}

async function afterMethod(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { held, completion }: { readonly held: Held | undefined; readonly completion: "Y" | "N" },
): Promise<PayAnswer> {
  const { card, browser, state, counts = [], payer } = held ?? {};
  // Its first call is still under way.
  if (attempt.phase === "authenticating") return answerFor(ctx, attempt, merchant);
  if (card === undefined || browser === undefined) refuse("checkout_sealed_refused", "/sealed");
  const place = defined({ browser, address: payer?.address });
  const method = defined({ completion, state });
  const step = await authenticateAfterMethod(ctx, merchant, attempt, { card, place, method });
  // The challenge has begun, so only its own result counts.
  if (attempt.phase === "challenged" && step.kind === "done")
    return { ...(await answerFor(ctx, attempt, merchant)), state: "pending" };
  return afterStep(ctx, merchant, attempt, { step, card, place, counts });
}

type Stepped = {
  readonly step: MethodStep | ChallengeStep | DoneStep;
  readonly card: CardDetails;
  readonly place: PayerPlace;
  readonly counts: Counts;
};

async function afterStep(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { step, card, place, counts }: Stepped,
): Promise<PayAnswer> {
  if (step.kind === "done")
    return afterAuthentication(ctx, merchant, attempt, {
      data: step.data,
      card,
      counts,
      payer: payerAt(place),
    });
  const { kind, handover, state } = step;
  const enter = kind === "method" ? enterMethod : enterChallenge;
  if (!(await enter(ctx, merchant, attempt))) return outcomeOf(ctx, merchant, attempt.id);
  // Only the method step is followed by a call that needs the browser's data.
  const browser = kind === "method" ? place.browser : undefined;
  const held = defined({ card, counts, state, browser, payer: payerAt(place) });
  const bankStep = { ...handover, sealed: await sealHeld(ctx, merchant, attempt, held) };
  return { ...(await answerFor(ctx, attempt, merchant)), state: kind, [kind]: bankStep };
}

type Authentication = {
  readonly data: AuthenticationData;
  readonly card?: CardDetails;
  readonly counts: Counts;
  readonly payer?: Payer;
};

async function afterAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { data, card, counts, payer }: Authentication,
): Promise<PayAnswer> {
  if (!proceeds(merchant, data)) {
    const end = { ...recordOf(data), only: attempt.phase };
    const { transaction, isLate } = await endUnauthenticated(ctx, merchant, attempt, end);
    if (!isLate) settleAttempt(ctx, merchant, counts, transaction);
    return answerFor(ctx, transaction, merchant);
  }
  if (card === undefined) refuse("checkout_sealed_refused", "/sealed");
  const entered = await enterCalling(ctx, merchant, attempt, { data, cardNumber: card.number });
  if (entered === undefined) return outcomeOf(ctx, merchant, attempt.id);
  const known = defined({ card, authentication: data, counts, payer });
  const called = entered.isRoutable
    ? await callCounted(ctx, merchant, entered.attempt, known)
    : await declineUncalled(ctx, merchant, entered.attempt);
  if (!entered.isRoutable) settleAttempt(ctx, merchant, counts, called);
  return answerFor(ctx, called, merchant);
}

/** The current state of a session's payment, for a frame that waits or has lost its connection. */
export async function outcome(ctx: Context, session: Session): Promise<PayAnswer> {
  const { transactionId, merchant, way } = session;
  if (transactionId !== null) return outcomeOf(ctx, merchant, transactionId);
  const result = { mode: merchant.mode, status: "ok" };
  return defined({ state: "none", open: way.kind === "page" ? way.open : undefined, result });
}

async function outcomeOf(ctx: Context, merchant: Merchant, id: Transaction["id"]): Promise<PayAnswer> {
  const attempt = (await findTransaction(ctx.db, merchant.id, id)) ?? refuse("checkout_session_refused");
  return answerFor(ctx, attempt, merchant);
}

async function answerFor(ctx: Context, attempt: Transaction, merchant: Merchant): Promise<PayAnswer> {
  const seen = await asPayerSees(ctx, merchant, attempt);
  const { status, approvedAmount } = seen;
  return {
    state: status,
    transactionId: attempt.id,
    ...(status === "approved" && approvedAmount !== null ? { charged: approvedAmount } : {}),
    ...(status === "declined" ? await retriesOf(ctx, merchant, attempt) : {}),
    result: presentOutcome(seen, merchant.mode, ctx.settings),
  };
}

/** Empty when the payer has no attempt left in the frame. */
async function retriesOf(
  ctx: Context,
  merchant: Merchant,
  { paymentRequestId }: Transaction,
): Promise<Pick<PayAnswer, "attemptsLeft">> {
  const request = paymentRequestId && (await findPaymentRequest(ctx.db, merchant.id, paymentRequestId));
  if (!request) return {};
  if (request.flow !== "checkout" || isOverdue(request, clockOf(ctx, merchant))) return {};
  const left = attemptsLeft(request);
  return left > 0 ? { attemptsLeft: left } : {};
}
