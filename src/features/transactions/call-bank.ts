import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";

/** How long we wait for a bank. After that the outcome is unknown until it is asked for. */
export const ACQUIRER_DEADLINE = 15 * SECOND;

const UNKNOWN = { kind: "unknown" } as const;

/** Calls an acquirer with our deadline. A throw and a silence mean the same: nobody knows, so nobody guesses. */
export async function answerOrUnknown<Answer>(
  ctx: Context,
  call: () => Promise<Answer>,
): Promise<Answer | typeof UNKNOWN> {
  return withDeadline(ctx, call, UNKNOWN);
}

/** Gives back whatever the acquirer took under that reference. False when that is not sure; then it is asked again. */
export async function reverseAtAcquirer(
  ctx: Context,
  merchant: Merchant,
  reference: string,
): Promise<boolean> {
  const acquirer = ctx.connectors.getCardAcquirer(merchant);
  return withDeadline(ctx, () => acquirer.reverse(reference).then(() => true), false);
}

/** Calls whoever is outside, with our deadline; `otherwise` is the answer of one who throws or stays silent. */
export async function withDeadline<Answer, Otherwise>(
  ctx: Context,
  call: () => Promise<Answer>,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<Otherwise>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ACQUIRER_DEADLINE);
  });
  try {
    return await Promise.race([call(), silence]);
  } catch (error) {
    ctx.log.warn({ error }, "a bank did not answer");
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
