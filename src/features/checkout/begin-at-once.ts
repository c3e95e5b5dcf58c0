import { Refusal } from "../../kernel/refusal.ts";
import { cardTypeOf } from "../../platform/cards/check-card.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { brokenConstraint } from "../../platform/db/database.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import { beginUncounted, type Counts, type UncountedAttempt } from "../card-testing/index.ts";
import { languageToKeep } from "../receipts/index.ts";
import { type Transaction, transactionChange, wantsNumber } from "../transactions/index.ts";
import { recoveryOf } from "./attempt-deadlines.ts";
import { newAttempt } from "./begin-attempt.ts";
import type { PayersCard } from "./card-of-payment.ts";
import { checkOpen, checkToken } from "./check-attempt.ts";
import { insertAttempt } from "./queries.ts";
import type { Session } from "./session.ts";
import type { PayInput } from "./wire.ts";

export type BegunAttempt = { readonly transaction: Transaction; readonly uncounted: UncountedAttempt };

/**
 * Begins an attempt in one statement, on what was read with the session: the statement locks the same rows and writes only
 * if they have not changed. That is the path of most payments. Undefined where anything is special or refuses; then nothing
 * was written, and `beginAttempt` decides under its locks. Undefined also while a server of a distributed database is away: an
 * attempt that was written nevertheless is never sent to the bank, and the recovery declines it.
 */
export async function beginAtOnce(
  ctx: Context,
  session: Session,
  input: PayInput,
  { counts, ...payers }: PayersCard & { readonly counts: Counts },
): Promise<BegunAttempt | undefined> {
  const { merchant, seen, way } = session;
  if (seen === undefined || input.consent) return undefined;
  if (payers.use !== undefined || payers.saved !== undefined) return undefined;
  if (languageToKeep(ctx, seen.request, input.language) !== undefined) return undefined;
  const active = await ctx.acquirers.listActive(merchant);
  if (wantsNumber(active)) return undefined;
  const planned = orUndefined(() => {
    const now = clockOf(ctx, merchant);
    if (seen.token !== undefined) checkToken(seen.token, input);
    checkOpen(session, seen.request, seen.token, now);
    const { currency } = seen.request;
    const acquirers = routePayment(active, { currency, cardType: cardTypeOf(payers.card.number) });
    const attempt = newAttempt(merchant, seen.request, { input, payers, acquirers }, now);
    return { attempt, acquirers };
  });
  // A payer who authenticates may be away for long, so such an attempt is counted in the database.
  if (planned?.attempt.phase !== "calling") return undefined;
  const { attempt, acquirers } = planned;
  const uncounted = beginUncounted(ctx, merchant, counts);
  try {
    const isWritten = await insertAttempt(ctx.db, {
      seen,
      tokenHash: way.kind === "token" ? way.hash : undefined,
      uncounted,
      attempt,
      change: transactionChange(merchant.mode, attempt, ctx.settings),
      recovery: recoveryOf(ctx, attempt, acquirers),
    });
    if (isWritten) return { transaction: attempt, uncounted };
    uncounted.release();
    return undefined;
  } catch (error) {
    uncounted.release();
    // Another payment of the same request is under way.
    if (brokenConstraint(error) === "transactions_one_pending") return undefined;
    throw error;
  }
}

function orUndefined<Value>(decide: () => Value): Value | undefined {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
