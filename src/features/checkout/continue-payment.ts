import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction, isAuthenticating, type Transaction } from "../transactions/index.ts";
import { afterAuthentication, afterStep } from "./after-step.ts";
import { answerFor, type PayAnswer } from "./answer-payer.ts";
import { authenticateAfterMethod, authenticationResult } from "./authenticate-payer.ts";
import { openState, type SealedState } from "./sealed-state.ts";
import type { Session } from "./session.ts";
import type { ContinueInput } from "./wire.ts";

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
  const sealedState = await openState(ctx, merchant, attempt, sealed);
  // A browser whose answer got lost repeats the end of its method step, also when the challenge has begun since.
  if (methodCompletion !== undefined || attempt.phase !== "challenged")
    return afterMethod(ctx, merchant, attempt, { sealedState, completion: methodCompletion ?? "N" });
  const challenge = defined({ cres, state: sealedState?.state });
  const data = await authenticationResult(ctx, merchant, attempt, challenge);
  if (data === "open") return { ...(await answerFor(ctx, attempt, merchant)), state: "challenge" };
  const { card, counts = [], payer } = sealedState ?? {};
  return afterAuthentication(ctx, merchant, attempt, defined({ data, card, counts, payer }));
}

async function afterMethod(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  {
    sealedState,
    completion,
  }: { readonly sealedState: SealedState | undefined; readonly completion: "Y" | "N" },
): Promise<PayAnswer> {
  const { card, browser, state, counts = [], payer } = sealedState ?? {};
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
