import type { AcquirerAnswer, CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { answerOrUnknown, type Transaction } from "../transactions/index.ts";
import { recoverSoon } from "./attempt-deadlines.ts";
import { finishAttempt } from "./finish-attempt.ts";

/**
 * Authorises a recorded attempt at the acquirer. Returns the attempt after the answer. If the answer is unknown or could not
 * be recorded, the attempt stays pending and the recovery job inquires. An answer that arrives after the deadline is recorded
 * as well; an approval of an attempt that was declined meanwhile is reversed.
 */
export async function callAcquirer(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  card: CardDetails,
): Promise<Transaction> {
  const answered = ctx.metrics.callAcquirer(merchant.mode);
  const authorise = () =>
    ctx.connectors.getCardAcquirer(merchant).authorise({
      reference: attempt.id,
      order: attempt.paymentRequestId,
      amount: attempt.amount,
      surcharge: attempt.surcharge,
      currency: attempt.currency,
      capture: attempt.captureType === "auto",
      authenticated: attempt.authentication === "authenticated" || card.cryptogram !== undefined,
      card,
    });
  const recordLate = async (answer: AcquirerAnswer) => {
    if (answer.kind !== "unknown") await finishAttempt(ctx, merchant, attempt, { answer, recovering: true });
  };
  const answer = await answerOrUnknown(ctx, authorise, recordLate);
  answered();
  try {
    if (answer.kind !== "unknown") {
      return await finishAttempt(ctx, merchant, attempt, { answer, recovering: false });
    }
    await recoverSoon(ctx, ctx.db, attempt);
  } catch (error) {
    ctx.log.error(
      { subjectId: attempt.id, error },
      "payment outcome not recorded: the recovery job inquires",
    );
  }
  ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });
  return attempt;
}
