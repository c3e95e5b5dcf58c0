import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Payer } from "../../connectors/ports/payer.ts";
import type {
  AuthenticationData,
  ChallengeStep,
  DoneStep,
  MethodStep,
} from "../../connectors/ports/three-d-secure.ts";
import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { type Counts, settleAttempt } from "../card-testing/index.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import { answerFor, getAnswer, type PayAnswer } from "./answer-payer.ts";
import { enterCalling, enterChallenge, enterMethod, type PayerPlace } from "./authenticate-payer.ts";
import { proceeds, recordOf } from "./authentication.ts";
import { declineUncalled } from "./call-acquirer.ts";
import { callCounted } from "./count-call.ts";
import { endUnauthenticated } from "./finish-attempt.ts";
import { sealState } from "./sealed-state.ts";

type Stepped = {
  readonly step: MethodStep | ChallengeStep | DoneStep;
  readonly card: CardDetails;
  readonly place: PayerPlace;
  readonly counts: Counts;
};

/** What follows a step of the authentication: the next one at the bank, or its end. */
export async function afterStep(
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
  if (!(await enter(ctx, merchant, attempt))) return getAnswer(ctx, merchant, attempt.id);
  // Only the method step is followed by a call that needs the browser's data.
  const browser = kind === "method" ? place.browser : undefined;
  const sealedState = defined({ card, counts, state, browser, payer: payerAt(place) });
  const bankStep = { ...handover, sealed: await sealState(ctx, merchant, attempt, sealedState) };
  return { ...(await answerFor(ctx, attempt, merchant)), state: kind, [kind]: bankStep };
}

type Authentication = {
  readonly data: AuthenticationData;
  readonly card?: CardDetails;
  readonly counts: Counts;
  readonly payer?: Payer;
};

/** Calls the acquirer, unless the authentication ends the payment. */
export async function afterAuthentication(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { data, card, counts, payer }: Authentication,
): Promise<PayAnswer> {
  if (!proceeds(merchant, data)) {
    const end = { ...recordOf(data), only: attempt.phase };
    const { transaction, isSettled } = await endUnauthenticated(ctx, merchant, attempt, end);
    // Of several calls at once, one ends the attempt.
    if (isSettled) settleAttempt(ctx, merchant, counts, transaction);
    return answerFor(ctx, transaction, merchant);
  }
  if (card === undefined) refuse("checkout_sealed_refused", "/sealed");
  const entered = await enterCalling(ctx, merchant, attempt, { data, cardNumber: card.number });
  if (entered === undefined) return getAnswer(ctx, merchant, attempt.id);
  const known = defined({ card, authentication: data, counts, payer });
  const called = entered.isRoutable
    ? await callCounted(ctx, merchant, entered.attempt, known)
    : await declineUncalled(ctx, merchant, entered.attempt);
  if (!entered.isRoutable) settleAttempt(ctx, merchant, counts, called);
  return answerFor(ctx, called, merchant);
}

/** For the acquirer's own checks. */
export function payerAt({ browser, address }: PayerPlace): Payer {
  return defined({ ip: browser.ipAddress || undefined, address });
}
