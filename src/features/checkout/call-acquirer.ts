import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { answerOrUnknown, type Transaction } from "../transactions/index.ts";
import { recoverSoon } from "./attempt-deadlines.ts";
import { finishAttempt } from "./finish-attempt.ts";

/**
 * Asks the acquirer for the money of an attempt that is on record. Gives the attempt as it is after the answer. In any
 * doubt, an answer that could not be written down included, it is pending still, and the recovery finds out.
 */
export async function callAcquirer(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  card: CardDetails,
): Promise<Transaction> {
  const answered = ctx.metrics.callAcquirer(merchant.mode);
  const answer = await answerOrUnknown(ctx, () =>
    ctx.connectors.getCardAcquirer(merchant).authorise({
      reference: attempt.id,
      order: attempt.paymentRequestId,
      amount: attempt.amount,
      surcharge: attempt.surcharge,
      currency: attempt.currency,
      capture: attempt.captureType === "auto",
      authenticated: attempt.authentication === "authenticated" || card.cryptogram !== undefined,
      card,
    }),
  );
  answered();
  try {
    if (answer.kind !== "unknown") return await finishAttempt(ctx, merchant, attempt, answer);
    await recoverSoon(ctx, ctx.db, attempt);
  } catch (error) {
    ctx.log.error({ subjectId: attempt.id, error }, "an outcome waits for its recovery");
  }
  ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });
  return attempt;
}
