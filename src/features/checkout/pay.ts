import { defined } from "../../kernel/defined.ts";
import type { Context } from "../../platform/context.ts";
import { authenticates } from "../acquirer-accounts/index.ts";
import { admitAttempt, type Counts, countsOf, forgetAttempt, markAttempt } from "../card-testing/index.ts";
import type { Transaction } from "../transactions/index.ts";
import { afterStep, payerAt } from "./after-step.ts";
import { answerFor, type PayAnswer } from "./answer-payer.ts";
import { beginAuthentication, type PayerPlace } from "./authenticate-payer.ts";
import { beginAtOnce } from "./begin-at-once.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { payerAddress } from "./billing-address.ts";
import { cardOfPayment, type PayersCard } from "./card-of-payment.ts";
import { callCounted, callUncounted } from "./count-call.ts";
import type { Session } from "./session.ts";
import type { PayInput } from "./wire.ts";

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
    const called = await callUncounted(ctx, merchant, begun, defined({ card, counts, request, payer }));
    return answerFor(ctx, called, merchant);
  }
  const transaction = await beginAdmitted(ctx, session, input, { payers, counts });
  if (transaction.phase === "calling") {
    return answerFor(ctx, await callCounted(ctx, merchant, transaction, { card, counts, payer }), merchant);
  }
  const step = await beginAuthentication(ctx, merchant, transaction, { card, place });
  return afterStep(ctx, merchant, transaction, { step, card, place, counts });
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
  // Amounts of the sandbox choose what 3D Secure does, so only a request that asks for it gets it there.
  const threeDSecure =
    merchant.mode === "live" &&
    merchant.capabilities.threeDSecure &&
    accounts.some((one) => authenticates(merchant, one));
  const step = await admitAttempt(ctx, merchant, counts, { threeDSecure });
  try {
    const isUnderSuspicion = step === "three_d_secure";
    const { transaction } = await beginAttempt(ctx, session, input, { ...payers, isUnderSuspicion });
    if (step !== "none") await markAttempt(ctx, transaction);
    return transaction;
  } catch (error) {
    forgetAttempt(ctx, merchant, counts);
    throw error;
  }
}
