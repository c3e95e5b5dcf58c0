import { defined } from "../../kernel/defined.ts";
import type { Context } from "../../platform/context.ts";
import { getAnswer, type PayAnswer } from "./answer-payer.ts";
import type { Session } from "./session.ts";

/** The current state of a session's payment, for a frame that waits or has lost its connection. */
export async function readOutcome(ctx: Context, session: Session): Promise<PayAnswer> {
  const { transactionId, merchant, way } = session;
  if (transactionId !== null) return getAnswer(ctx, merchant, transactionId);
  const result = { mode: merchant.mode, status: "ok" };
  return defined({ state: "none", open: way.kind === "page" ? way.isOpen : undefined, result });
}
