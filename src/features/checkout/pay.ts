import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import { later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { seal, unseal } from "../../platform/sealing/seal.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  findTransaction,
  isAuthenticating,
  presentOutcome,
  type Transaction,
} from "../transactions/index.ts";
import { CHALLENGE_LIFE } from "./attempt-deadlines.ts";
import {
  authenticationResult,
  beginAuthentication,
  enterCalling,
  enterChallenge,
} from "./authenticate-payer.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { callAcquirer } from "./call-acquirer.ts";
import { cardOfPayment } from "./card-of-payment.ts";
import { endUnauthenticated } from "./finish-attempt.ts";
import type { Session } from "./session.ts";
import type { PayInput } from "./wire.ts";

/** The answer to the payer's frame or page. */
export type PayAnswer = {
  readonly state: "approved" | "declined" | "pending" | "challenge" | "none";
  readonly transactionId?: string;
  /** Of a partial approval: what was charged instead of the total. */
  readonly charged?: number;
  readonly challenge?: { readonly url: string; readonly sealed: string };
  /** For a hosted page without an attempt: whether the payer can still make one. */
  readonly open?: boolean;
  readonly result: object;
};

/** A payment, from the payer's click to the answer. */
export async function pay(
  ctx: Context,
  session: Session,
  input: PayInput,
  /** Where a challenge in its own window sends the payer back to. */
  returnTo?: string,
): Promise<PayAnswer> {
  const { merchant } = session;
  const payers = await cardOfPayment(ctx, session, input);
  const { card } = payers;
  const { transaction } = await beginAttempt(ctx, session, input, payers);
  if (transaction.phase === "calling") {
    return answerFor(ctx, await callAcquirer(ctx, merchant, transaction, { card }), merchant);
  }
  const authentication = await beginAuthentication(
    ctx,
    merchant,
    transaction,
    defined({ cardNumber: card.number, returnTo }),
  );
  if (authentication.kind === "challenge") {
    if (!(await enterChallenge(ctx, merchant, transaction))) return outcomeOf(ctx, merchant, transaction.id);
    const until = later(clockOf(ctx, merchant), CHALLENGE_LIFE);
    const time = { now: clockOf(ctx, merchant), until };
    const sealed = await seal(ctx, JSON.stringify(card), transaction.id, time);
    const challenge = { url: authentication.url, sealed };
    return { ...answerFor(ctx, transaction, merchant), state: "challenge", challenge };
  }
  return afterAuthentication(ctx, merchant, transaction, { result: authentication.kind, card });
}

/** After a challenge: the result comes from the bank; the browser's claim is ignored. */
export async function continuePayment(ctx: Context, session: Session, sealed: string): Promise<PayAnswer> {
  const { transactionId, merchant } = session;
  const attempt = transactionId && (await findTransaction(ctx.db, merchant.id, transactionId));
  if (!attempt) refuse("checkout_session_refused");
  if (!isAuthenticating(attempt)) return answerFor(ctx, attempt, merchant);
  const result = await authenticationResult(ctx, merchant, attempt);
  if (result === "open") return { ...answerFor(ctx, attempt, merchant), state: "challenge" };
  const text = await unseal(ctx, sealed, attempt.id, clockOf(ctx, merchant));
  if (text === undefined && result === "authenticated") refuse("checkout_sealed_refused", "/sealed");
  const card = text === undefined ? undefined : (JSON.parse(text) as CardDetails);
  return afterAuthentication(ctx, merchant, attempt, { result, card });
}

type Authentication = {
  readonly result: "authenticated" | "failed";
  readonly card: CardDetails | undefined;
};

async function afterAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { result, card }: Authentication,
): Promise<PayAnswer> {
  if (result === "failed" || card === undefined) {
    return answerFor(ctx, await endUnauthenticated(ctx, merchant, attempt, "failed"), merchant);
  }
  const calling = await enterCalling(ctx, merchant, attempt, card.number);
  if (calling === undefined) return outcomeOf(ctx, merchant, attempt.id);
  return answerFor(ctx, await callAcquirer(ctx, merchant, calling, { card }), merchant);
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

function answerFor(ctx: Context, attempt: Transaction, merchant: Merchant): PayAnswer {
  const { status, approvedAmount } = attempt;
  return {
    state: status,
    transactionId: attempt.id,
    ...(status === "approved" && approvedAmount !== null ? { charged: approvedAmount } : {}),
    result: presentOutcome(attempt, merchant.mode, ctx.settings),
  };
}
