import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardDetails,
  StoredCredential,
} from "../../connectors/ports/card-acquirer.ts";
import type { Payer } from "../../connectors/ports/payer.ts";
import { soundAnswer } from "../../connectors/ports/sound-answer.ts";
import type { AuthenticationData } from "../../connectors/ports/three-d-secure.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { isUnreachable } from "../../platform/db/errors.ts";
import { isRoutable, routePayment } from "../acquirer-accounts/index.ts";
import type { Merchant } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import {
  advance,
  answerOrUnknown,
  isVerification,
  lockTransaction,
  type Transaction,
  transactionChange,
  updateTransaction,
  withAccount,
  withChangeTime,
  withFacts,
} from "../transactions/index.ts";
import { isInTime, recoverSoon } from "./attempt-deadlines.ts";
import { finishAtOnce } from "./finish-at-once.ts";
import { finishAttempt } from "./finish-attempt.ts";
import { keepForAcquirer } from "./keep-number.ts";
import { type KnownPayer, payerOf } from "./payer-of.ts";

export type CalledCard = {
  readonly card: CardDetails;
  /** Of a stored card: the card scheme's id of the payment that stored it. */
  readonly networkTransactionId?: string | null;
  /** What 3D Secure proved. The cryptogram in it exists only until this call. */
  readonly authentication?: AuthenticationData;
  /** If the payer is there: the network address, and what the form asked for. */
  readonly payer?: Payer;
  /** The payment request as the attempt found it. */
  readonly request?: PaymentRequest;
};

/**
 * Authorises or verifies a recorded attempt at its acquirer. Returns the attempt after the answer. If the answer is unknown or could not
 * be recorded, the attempt stays pending and the recovery job settles it. An answer that arrives after the deadline is
 * recorded as well; an approval of an attempt that was declined meanwhile is reversed. The next account is called only when
 * the acquirer surely did not receive the call.
 */
export async function callAcquirer(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  called: CalledCard,
): Promise<Transaction> {
  try {
    return await callInTurn(ctx, merchant, attempt, called);
  } catch (error) {
    ctx.log.error(
      { subjectId: attempt.id, error },
      "payment outcome not recorded: the recovery job settles it",
    );
    // Without a database it can't be brought forward, and runs when the bank's answer would be overdue. The payer has waited for
    // that database already.
    if (!isUnreachable(error)) await recoverSoon(ctx, ctx.db, attempt).catch(() => {});
  }
  ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });
  return attempt;
}

async function callInTurn(
  ctx: Context,
  merchant: Merchant,
  first: Transaction,
  called: CalledCard,
): Promise<Transaction> {
  const tried: Acquirer[] = [];
  let attempt = first;
  for (;;) {
    const acquirer = await ctx.acquirers.get(merchant, attempt.acquirerAccountId);
    // The phase began with the last change of the record.
    if (!isInTime(clockOf(ctx, merchant) - first.updatedAt, tried)) {
      ctx.log.warn(
        { merchantId: merchant.id, subjectId: attempt.id },
        "payment not sent: the process stalled",
      );
      await recoverSoon(ctx, ctx.db, attempt);
      ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });
      return attempt;
    }
    tried.push(acquirer);
    const answer = await authorise(ctx, merchant, { attempt, acquirer, called });
    if (answer.kind === "unknown") {
      await recoverSoon(ctx, ctx.db, attempt);
      ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });
      return attempt;
    }
    if (answer.kind === "accepted") return awaitNotification(ctx, merchant, attempt, answer.facts);
    if (answer.kind !== "not_received") {
      const finished = await finishAtOnce(ctx, merchant, { attempt, request: called.request }, answer);
      return finished ?? finishAttempt(ctx, merchant, attempt, { answer, isRecovery: false });
    }
    ctx.log.warn(
      { merchantId: merchant.id, subjectId: attempt.id },
      `acquirer account ${acquirer.accountId ?? acquirer.connector} did not receive a payment: ${answer.reason}`,
    );
    const next = await nextAcquirer(ctx, merchant, attempt, tried);
    const moved = next && (await moveTo(ctx, merchant, attempt, { next, called }));
    if (moved === undefined) return declineUncalled(ctx, merchant, attempt);
    attempt = moved;
  }
}

/** No account has received the payment, and none is left. */
export async function declineUncalled(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
): Promise<Transaction> {
  const answer = decline("downstream_error");
  return finishAttempt(ctx, merchant, attempt, { answer, isRecovery: false });
}

type AcquirerCall = {
  readonly attempt: Transaction;
  readonly acquirer: Acquirer;
  readonly called: CalledCard;
};

async function authorise(
  ctx: Context,
  merchant: Merchant,
  { attempt, acquirer, called }: AcquirerCall,
): Promise<AcquirerAnswer> {
  const { accountId, connector } = acquirer;
  const answered = ctx.metrics.callAcquirer({
    mode: merchant.mode,
    account: accountId ?? "sandbox",
    connector,
  });
  const late = async (answer: AcquirerAnswer) => {
    if (answer.kind === "approved" || answer.kind === "declined")
      await finishAttempt(ctx, merchant, attempt, { answer, isRecovery: true });
  };
  const { host } = acquirer;
  const request = requestOf(attempt, called, await payerOf(ctx, attempt, called.request));
  const call = isVerification(attempt) ? host.verify : host.authorise;
  const answer = await answerOrUnknown(ctx, (signal) => soundAnswer(call(request, signal)), {
    deadlineMs: host.answersWithinMs,
    late,
  });
  answered(answer.kind);
  return answer;
}

function requestOf(
  attempt: Transaction,
  { card, networkTransactionId, authentication, payer }: CalledCard,
  { customerId, email }: KnownPayer,
): AuthorisationRequest {
  const known = defined({ email, ...payer });
  const isCharge = attempt.paymentInstrumentId !== null && attempt.paymentRequestId === null;
  return {
    reference: attempt.id,
    paymentRequestId: attempt.paymentRequestId,
    amount: attempt.amount,
    surcharge: attempt.surcharge,
    currency: attempt.currency,
    isCapturedAtOnce: attempt.captureType === "auto",
    origin: attempt.origin,
    // A charge by mail or telephone is made for a payer who is there, and a payer in the checkout chose the saved card.
    initiator: isCharge && attempt.origin === "internet" ? "merchant" : "payer",
    card,
    ...defined({
      storedCredential:
        customerId === null
          ? undefined
          : credentialOf(attempt, customerId, networkTransactionId ?? undefined),
      authentication,
      payer: Object.keys(known).length === 0 ? undefined : known,
    }),
  };
}

function credentialOf(
  { paymentInstrumentId, frequency }: Transaction,
  customerId: string,
  networkTransactionId: string | undefined,
): StoredCredential {
  const purpose = frequency === "recurring" ? "recurring" : "unscheduled";
  return paymentInstrumentId === null
    ? { use: "initial", purpose, customerId }
    : { use: "subsequent", purpose, customerId, ...defined({ networkTransactionId }) };
}

/** The next account that can take the payment. */
async function nextAcquirer(
  ctx: Context,
  merchant: Merchant,
  { currency, card }: Transaction,
  tried: readonly Acquirer[],
): Promise<Acquirer | undefined> {
  const all = await ctx.acquirers.listActive(merchant);
  const routed = { currency, cardType: card?.cardType ?? "unknown" };
  const fitting = isRoutable(all, routed) ? routePayment(all, routed) : [];
  return fitting.find(({ accountId }) => tried.every((one) => one.accountId !== accountId));
}

/**
 * Records the account before it is called, so that a recovery asks the right acquirer. Another connector is a visible change,
 * with its event; another account of the same one is not. Undefined when the attempt has ended or is being reversed.
 */
async function moveTo(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { next, called }: { readonly next: Acquirer; readonly called: CalledCard },
): Promise<Transaction | undefined> {
  return ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    if (held?.phase !== "calling" || held.acquirerAccountId !== attempt.acquirerAccountId) return undefined;
    const isVisible = held.acquirer?.connector !== next.connector;
    const routed = withAccount(held, next);
    const moved = isVisible ? withChangeTime(routed, clockOf(ctx, merchant)) : routed;
    const change = isVisible ? transactionChange(merchant.mode, moved, ctx.settings) : undefined;
    await updateTransaction(tx, moved, change);
    await keepForAcquirer(ctx, tx, moved, { acquirers: [next], number: called.card.number });
    return moved;
  });
}

/** The acquirer sends the outcome later. */
async function awaitNotification(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  facts: Parameters<typeof withFacts>[1],
): Promise<Transaction> {
  return ctx.db.transaction(async (tx) => {
    const held = (await lockTransaction(tx, merchant.id, attempt.id)) ?? attempt;
    const waiting = advance(held, "accept");
    if (waiting === undefined) return held;
    const noted = withFacts(waiting, facts);
    await updateTransaction(tx, noted);
    return noted;
  });
}
