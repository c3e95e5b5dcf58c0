import type { AuthenticationAnswer, AuthenticationRequest } from "../../connectors/ports/three-d-secure.ts";
import { changeTime } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  advance,
  lockTransaction,
  type Transaction,
  transactionChange,
  updateTransaction,
  wantsNumber,
  withDeadline,
} from "../transactions/index.ts";
import { recoverAfterChallenge, recoverLater } from "./attempt-deadlines.ts";
import { keepForAcquirer, keepNumber } from "./keep-number.ts";

/** Begins 3D Secure. No money can have moved yet, so an error or a timeout counts as a failed authentication. */
export async function beginAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  details: Pick<AuthenticationRequest, "cardNumber" | "returnTo">,
): Promise<AuthenticationAnswer> {
  const { id: reference, amount, surcharge, currency } = attempt;
  const threeDSecure = ctx.connectors.getThreeDSecure(merchant);
  const input = { reference, amount, surcharge, currency, ...details };
  return withDeadline(ctx, () => threeDSecure.begin(input), { kind: "failed" });
}

/** The result of the challenge. It stays open while the bank does not answer. */
export async function authenticationResult(ctx: Context, merchant: Merchant, attempt: Transaction) {
  const threeDSecure = ctx.connectors.getThreeDSecure(merchant);
  return withDeadline(ctx, () => threeDSecure.resultOf(attempt.id), "open" as const);
}

/** Starts the payer's time for the challenge. False when the attempt has ended since. */
export async function enterChallenge(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    const challenged = held && advance(held, "challenge");
    if (challenged === undefined) return false;
    await updateTransaction(tx, challenged);
    await recoverAfterChallenge(ctx, tx, challenged);
    return true;
  });
}

/**
 * Claims the call to the acquirer. Undefined when another request has claimed it or the attempt has ended: of two concurrent
 * requests exactly one calls.
 */
export async function enterCalling(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  cardNumber: string,
): Promise<Transaction | undefined> {
  const active = await ctx.acquirers.listActive(merchant);
  const acquirers = routePayment(active, {
    currency: attempt.currency,
    cardType: attempt.card?.cardType ?? "unknown",
  });
  if (attempt.storesInstrumentId !== null || wantsNumber(acquirers))
    await ctx.vault.prepare(ctx.db, merchant.id);
  const entered = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    const advanced = held && advance(held, "call");
    if (advanced === undefined) return undefined;
    const updatedAt = changeTime(clockOf(ctx, merchant), advanced.updatedAt);
    const calling: Transaction = { ...advanced, authentication: "authenticated", updatedAt };
    await updateTransaction(tx, calling, transactionChange(merchant.mode, calling, ctx.settings));
    await keepNumber(ctx, tx, calling, cardNumber);
    await keepForAcquirer(ctx, tx, calling, { acquirers, number: cardNumber });
    await recoverLater(ctx, tx, calling, acquirers);
    return calling;
  });
  if (entered !== undefined) ctx.metrics.authenticated(merchant.mode, flowOf(attempt), "authenticated");
  return entered;
}

/** Whether the payer had to answer a challenge. */
export function flowOf({ phase }: Pick<Transaction, "phase">): "challenge" | "frictionless" {
  return phase === "challenged" ? "challenge" : "frictionless";
}
