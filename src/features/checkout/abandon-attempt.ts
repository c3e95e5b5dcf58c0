import { defined } from "../../kernel/defined.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction, isAuthenticating, type Transaction } from "../transactions/index.ts";
import { endUnauthenticated } from "./finish-attempt.ts";
import type { Session } from "./session.ts";

/** Ends an attempt whose payer left the method step or the challenge. The acquirer was not called, so no inquiry is needed. */
export async function abandonAttempt(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  only?: Transaction["phase"],
): Promise<void> {
  if (isAuthenticating(attempt))
    await endUnauthenticated(ctx, merchant, attempt, {
      status: "abandoned",
      facts: null,
      ...defined({ only }),
    });
}

/** The frame or the page reports that the payer leaves. */
export async function abandonSession(ctx: Context, { transactionId, merchant }: Session): Promise<void> {
  if (transactionId === null) return;
  const attempt = await findTransaction(ctx.db, merchant.id, transactionId);
  if (attempt !== undefined) await abandonAttempt(ctx, merchant, attempt);
}
