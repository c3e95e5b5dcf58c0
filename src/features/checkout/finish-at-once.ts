import type { FinalAnswer } from "../../connectors/ports/card-acquirer.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { isUndone } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import { completeWith, type PaymentRequest, requestChange } from "../payment-requests/index.ts";
import {
  isVerification,
  refusePart,
  settle,
  type Transaction,
  transactionChange,
} from "../transactions/index.ts";
import { followUpsOf, hasMovableExpiry, kindOf } from "./finish-attempt.ts";
import { type Finish, writeFinish } from "./queries.ts";

/**
 * Records a plain approval in one statement, on what the attempt began with: the statement locks the same rows and writes
 * only if they have not changed. Undefined where more than that is to be written, or another process has changed the
 * attempt; then `finishAttempt` decides under its locks.
 */
export async function finishAtOnce(
  ctx: Context,
  merchant: Merchant,
  before: { readonly attempt: Transaction; readonly request: PaymentRequest | undefined },
  answer: FinalAnswer,
): Promise<Transaction | undefined> {
  const { attempt, request } = before;
  if (request === undefined || answer.kind !== "approved" || attempt.phase !== "calling") return undefined;
  if (attempt.storesInstrumentId !== null || attempt.paymentInstrumentId !== null) return undefined;
  if (isVerification(attempt)) return undefined;
  if (refusePart(attempt, answer) !== undefined) return undefined;
  const now = clockOf(ctx, merchant);
  const approved = settle(attempt, answer, now, merchant);
  if (hasMovableExpiry(merchant, approved)) return undefined;
  const completed = completeWith(request, approved, now);
  const [followUp, ...more] = followUpsOf(ctx, merchant, { request, transaction: approved });
  if (more.length > 0) return undefined;
  const isWritten = await isFinished(ctx, {
    before: { attempt, request },
    attempt: approved,
    request: completed,
    changes: [
      transactionChange(merchant.mode, approved, ctx.settings),
      requestChange(ctx, merchant.mode, completed),
    ],
    followUp,
  });
  if (!isWritten) return undefined;
  ctx.metrics.ended(kindOf(merchant, approved), answer.kind);
  return approved;
}

/** What the database refuses here, `finishAttempt` decides: a second approval of a request, for example, is reversed there. */
async function isFinished(ctx: Context, finish: Finish): Promise<boolean> {
  try {
    return await writeFinish(ctx.db, finish);
  } catch (error) {
    if (!isUndone(error)) throw error;
    ctx.log.warn({ subjectId: finish.attempt.id, error }, "payment outcome recorded under locks instead");
    return false;
  }
}
