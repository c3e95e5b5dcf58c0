import type { AuthenticationAnswer, AuthenticationRequest } from "../../connectors/ports/three-d-secure.ts";
import { changeTime } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  advance,
  lockTransaction,
  type Transaction,
  transactionChange,
  updateTransaction,
  withDeadline,
} from "../transactions/index.ts";
import { recoverAfterChallenge, recoverLater } from "./attempt-deadlines.ts";
import { keepNumber } from "./keep-number.ts";

/** Asks for 3D Secure. No money can have moved yet, so an authentication that can't be had is one that failed. */
export async function beginAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  asked: Pick<AuthenticationRequest, "cardNumber" | "returnTo">,
): Promise<AuthenticationAnswer> {
  const { id: reference, amount, surcharge, currency } = attempt;
  const threeDSecure = ctx.connectors.getThreeDSecure(merchant);
  const input = { reference, amount, surcharge, currency, ...asked };
  return withDeadline(ctx, () => threeDSecure.begin(input), { kind: "failed" });
}

/** What the payer answered. A bank that can't be asked leaves the challenge open. */
export async function authenticationResult(ctx: Context, merchant: Merchant, attempt: Transaction) {
  const threeDSecure = ctx.connectors.getThreeDSecure(merchant);
  return withDeadline(ctx, () => threeDSecure.resultOf(attempt.id), "open" as const);
}

/** From here on the payer has the time of a challenge. False when the attempt has ended meanwhile. */
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
 * From here on the acquirer may be called. Gives undefined when somebody else took this step or the attempt has ended:
 * of two calls exactly one goes on.
 */
export async function enterCalling(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  cardNumber: string,
): Promise<Transaction | undefined> {
  if (attempt.storesInstrumentId !== null) await ctx.vault.prepare(ctx.db, merchant.id);
  const entered = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    const advanced = held && advance(held, "call");
    if (advanced === undefined) return undefined;
    const updatedAt = changeTime(clockOf(ctx, merchant), advanced.updatedAt);
    const calling: Transaction = { ...advanced, authentication: "authenticated", updatedAt };
    await updateTransaction(tx, calling, transactionChange(merchant.mode, calling));
    await keepNumber(tx, ctx, calling, cardNumber);
    await recoverLater(ctx, tx, calling);
    return calling;
  });
  if (entered !== undefined) ctx.metrics.authenticated(merchant.mode, flowOf(attempt), "authenticated");
  return entered;
}

/** Whether the payer had to answer something. */
export function flowOf({ phase }: Pick<Transaction, "phase">): "challenge" | "frictionless" {
  return phase === "challenged" ? "challenge" : "frictionless";
}
