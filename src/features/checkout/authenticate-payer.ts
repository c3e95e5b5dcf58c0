import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { PayerAddress } from "../../connectors/ports/payer.ts";
import { soundResult, soundStep } from "../../connectors/ports/sound-answer.ts";
import type {
  AuthenticationData,
  AuthenticationRequest,
  BrowserData,
  ChallengeStep,
  DoneStep,
  MethodCompletion,
  MethodStep,
  ThreeDSecure,
} from "../../connectors/ports/three-d-secure.ts";
import { defined } from "../../kernel/defined.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { isRoutable, routePayment } from "../acquirer-accounts/index.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  advance,
  lockTransaction,
  type Transaction,
  transactionChange,
  updateTransaction,
  wantsNumber,
  withAccount,
  withAuthentication,
  withChangeTime,
  withDeadline,
} from "../transactions/index.ts";
import { recoverAfterChallenge, recoverAfterMethod, recoverLater } from "./attempt-deadlines.ts";
import { NOT_AVAILABLE, recordOf } from "./authentication.ts";
import { keepForAcquirer, keepNumber } from "./keep-number.ts";
import { payerOf } from "./payer-of.ts";

/** Our pages to which the issuer sends a payer's frame, below the hosted origin. */
export const METHOD_NOTIFICATION_PATH = "/checkout/3ds/method";
export const CHALLENGE_NOTIFICATION_PATH = "/checkout/3ds/challenge";

/** Where the payer is. */
export type PayerPlace = {
  readonly browser: BrowserData;
  /** The card's billing address, where the form asked for it. */
  readonly address?: PayerAddress;
  /** Our path to which a challenge in the full window sends the payer back. Absent: it is in a frame of ours. */
  readonly returnTo?: string;
};

export type Authenticated = { readonly card: CardDetails; readonly place: PayerPlace };

const OPEN = "open" as const;
const UNAVAILABLE: DoneStep = { kind: "done", data: NOT_AVAILABLE };

/** Begins 3D Secure. No money can have moved yet, so an error or a timeout means that it is unavailable. */
export async function beginAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  payer: Authenticated,
): Promise<MethodStep | ChallengeStep | DoneStep> {
  const request = await requestOf(ctx, attempt, payer);
  const call = async (signal: AbortSignal) =>
    soundStep((await authenticatorOf(ctx, merchant, attempt)).begin(request, signal));
  return withDeadline(ctx, call, UNAVAILABLE);
}

/** Goes on after the method step. */
export async function authenticateAfterMethod(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { method, ...payer }: Authenticated & { readonly method: { completion: MethodCompletion; state?: string } },
): Promise<ChallengeStep | DoneStep> {
  const request = await requestOf(ctx, attempt, payer);
  const call = async (signal: AbortSignal) =>
    soundStep((await authenticatorOf(ctx, merchant, attempt)).authenticate(request, method, signal));
  return withDeadline(ctx, call, UNAVAILABLE);
}

/** A live merchant's acquirer authenticates where it can. In the sandbox amounts choose what the issuer says. */
async function authenticatorOf(
  ctx: Context,
  merchant: Merchant,
  { acquirerAccountId }: Transaction,
): Promise<ThreeDSecure> {
  if (merchant.mode === "live" && acquirerAccountId !== null) {
    const { host } = await ctx.acquirers.get(merchant, acquirerAccountId);
    if (host.threeDSecure !== undefined) return host.threeDSecure;
  }
  return ctx.connectors.getThreeDSecure(merchant);
}

async function requestOf(
  ctx: Context,
  attempt: Transaction,
  { card, place }: Authenticated,
): Promise<AuthenticationRequest> {
  const { settings } = ctx;
  const { id: reference, amount, surcharge, currency } = attempt;
  const { number, expiryMonth, expiryYear, name } = card;
  const { browser, returnTo, address } = place;
  const { email } = await payerOf(ctx, attempt);
  const inFrame = returnTo === undefined;
  return defined({
    reference,
    amount,
    surcharge,
    currency,
    card: defined({ number, expiryMonth, expiryYear, name }),
    browser,
    payer: email === undefined && address === undefined ? undefined : defined({ email, address }),
    // Only a script of ours can run the method step.
    methodNotificationUrl:
      inFrame && browser.javaScriptEnabled ? settings.hostedUrl + METHOD_NOTIFICATION_PATH : undefined,
    challengeNotificationUrl: settings.hostedUrl + (returnTo ?? CHALLENGE_NOTIFICATION_PATH),
    challengeIn: inFrame ? ("frame" as const) : ("window" as const),
  });
}

/** The result of the challenge. It stays open while the bank does not answer. */
export async function authenticationResult(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  challenge: { readonly cres?: string; readonly state?: string },
): Promise<AuthenticationData | "open"> {
  const call = async (signal: AbortSignal) =>
    soundResult((await authenticatorOf(ctx, merchant, attempt)).resultOf(attempt.id, challenge, signal));
  return withDeadline<AuthenticationData | typeof OPEN, typeof OPEN>(ctx, call, OPEN);
}

/** Starts the browser's time for the method step. False when the attempt has ended since. */
export async function enterMethod(ctx: Context, merchant: Merchant, attempt: Transaction): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    const profiling = held && advance(held, "profile");
    if (profiling === undefined) return false;
    await updateTransaction(tx, profiling);
    await recoverAfterMethod(ctx, tx, profiling);
    return true;
  });
}

/** Starts the payer's time for the challenge, unless a repeated request did. False when the attempt has ended since. */
export async function enterChallenge(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    if (held?.phase === "challenged") return true;
    const challenged = held && advance(held, "challenge");
    if (challenged === undefined) return false;
    await updateTransaction(tx, challenged);
    await recoverAfterChallenge(ctx, tx, challenged);
    return true;
  });
}

/**
 * Claims the call to the acquirer. Undefined when another request has claimed it or the attempt has ended: of two concurrent
 * requests exactly one calls. An account that was disabled while the payer was away takes no payment any more: the first that
 * fits takes it. `isRoutable`: there is one.
 */
export async function enterCalling(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { data, cardNumber }: { readonly data: AuthenticationData; readonly cardNumber: string },
): Promise<{ readonly attempt: Transaction; readonly isRoutable: boolean } | undefined> {
  const authentication = recordOf(data);
  const active = await ctx.acquirers.listActive(merchant);
  const routed = { currency: attempt.currency, cardType: attempt.card?.cardType ?? "unknown" };
  const acquirers = isRoutable(active, routed) ? routePayment(active, routed) : [];
  if (attempt.storesInstrumentId !== null || wantsNumber(acquirers))
    await ctx.vault.prepare(ctx.db, merchant.id);
  const entered = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    // An answer counts in its own phase only: a late "unavailable" must not let a payer skip a challenge that has begun.
    const advanced = held?.phase === attempt.phase ? advance(held, "call") : undefined;
    if (advanced === undefined) return undefined;
    const authenticated = withAuthentication(atRouted(advanced, acquirers), authentication);
    const calling = withChangeTime(authenticated, clockOf(ctx, merchant));
    await updateTransaction(tx, calling, transactionChange(merchant.mode, calling, ctx.settings));
    await keepNumber(ctx, tx, calling, cardNumber);
    await keepForAcquirer(ctx, tx, calling, { acquirers, number: cardNumber });
    await recoverLater(ctx, tx, calling, acquirers);
    return calling;
  });
  if (entered === undefined) return undefined;
  ctx.metrics.authenticated(merchant.mode, authenticationFlow(attempt), authentication.status);
  return { attempt: entered, isRoutable: acquirers.length > 0 };
}

/** The attempt at its account, or at the first of these if that one is not among them. */
function atRouted(attempt: Transaction, acquirers: readonly Acquirer[]): Transaction {
  const [first] = acquirers;
  const isRouted = acquirers.some(({ accountId }) => accountId === attempt.acquirerAccountId);
  return first === undefined || isRouted ? attempt : withAccount(attempt, first);
}

/** Whether the payer had to answer a challenge. */
export function authenticationFlow({ phase }: Pick<Transaction, "phase">): "challenge" | "frictionless" {
  return phase === "challenged" ? "challenge" : "frictionless";
}
