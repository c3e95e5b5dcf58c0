import type { CardDetails } from "../../connectors/card-acquirer.ts";
import { refuse } from "../../kernel/refusal.ts";
import { later } from "../../kernel/time.ts";
import { seal, unseal } from "../../platform/crypto/seal.ts";
import { clockOf, type World } from "../../platform/world.ts";
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
import type { PayAsk } from "./wire.ts";

/** What the payer's frame or page is told. */
export type PayAnswer = {
  readonly state: "approved" | "declined" | "pending" | "challenge" | "none";
  readonly transactionId?: string;
  readonly challenge?: { readonly url: string; readonly sealed: string };
  /** Of a hosted page with no attempt yet: whether one can still be made. */
  readonly open?: boolean;
  readonly result: object;
};

/** A payment, from the payer's click to the answer. What meets in a payment meets here. */
export async function pay(
  world: World,
  session: Session,
  ask: PayAsk,
  /** Where a challenge sends the payer back to, when it takes the whole window. */
  returnTo?: string,
): Promise<PayAnswer> {
  const { merchant } = session;
  const payers = await cardOfPayment(world, session, ask);
  const { card } = payers;
  const { transaction } = await beginAttempt(world, session, ask, payers);
  if (transaction.phase === "calling") {
    return answerFor(await callAcquirer(world, merchant, transaction, card), merchant);
  }
  const authentication = await beginAuthentication(world, merchant, transaction, {
    cardNumber: card.number,
    ...(returnTo === undefined ? {} : { returnTo }),
  });
  if (authentication.kind === "challenge") {
    if (!(await enterChallenge(world, merchant, transaction)))
      return outcomeOf(world, merchant, transaction.id);
    const until = later(clockOf(world, merchant), CHALLENGE_LIFE);
    const sealed = await seal(world, JSON.stringify(card), transaction.id, clockOf(world, merchant), until);
    const challenge = { url: authentication.url, sealed };
    return { ...answerFor(transaction, merchant), state: "challenge", challenge };
  }
  return afterAuthentication(world, merchant, transaction, authentication.kind, card);
}

/** After a challenge: the bank is asked what the payer did; the browser's word counts for nothing. */
export async function continuePayment(world: World, session: Session, sealed: string): Promise<PayAnswer> {
  const { transactionId, merchant } = session;
  const attempt = transactionId && (await findTransaction(world.db, merchant.id, transactionId));
  if (!attempt) refuse("checkout_session_refused");
  if (!isAuthenticating(attempt)) return answerFor(attempt, merchant);
  const result = await authenticationResult(world, merchant, attempt);
  if (result === "open") return { ...answerFor(attempt, merchant), state: "challenge" };
  const text = await unseal(world, sealed, attempt.id, clockOf(world, merchant));
  if (text === undefined && result === "authenticated") refuse("checkout_sealed_refused", "/sealed");
  return afterAuthentication(
    world,
    merchant,
    attempt,
    result,
    text === undefined ? undefined : (JSON.parse(text) as CardDetails),
  );
}

async function afterAuthentication(
  world: World,
  merchant: Merchant,
  attempt: Transaction,
  result: "authenticated" | "failed",
  card: CardDetails | undefined,
): Promise<PayAnswer> {
  if (result === "failed" || card === undefined) {
    return answerFor(await endUnauthenticated(world, merchant, attempt, "failed"), merchant);
  }
  const calling = await enterCalling(world, merchant, attempt, card.number);
  if (calling === undefined) return outcomeOf(world, merchant, attempt.id);
  return answerFor(await callAcquirer(world, merchant, calling, card), merchant);
}

/** Where the payment of a session stands now: for a frame that waits, or whose connection broke. */
export async function outcome(world: World, session: Session): Promise<PayAnswer> {
  const { transactionId, merchant, way } = session;
  if (transactionId !== null) return outcomeOf(world, merchant, transactionId);
  const result = { mode: merchant.mode, status: "ok" };
  return { state: "none", ...(way.kind === "page" ? { open: way.open } : {}), result };
}

async function outcomeOf(world: World, merchant: Merchant, id: Transaction["id"]): Promise<PayAnswer> {
  const attempt = (await findTransaction(world.db, merchant.id, id)) ?? refuse("checkout_session_refused");
  return answerFor(attempt, merchant);
}

function answerFor(attempt: Transaction, merchant: Merchant): PayAnswer {
  return {
    state: attempt.status,
    transactionId: attempt.id,
    result: presentOutcome(merchant.mode, attempt.status, attempt.code),
  };
}
