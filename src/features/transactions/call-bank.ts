import type { AcquirerAnswer } from "../../connectors/ports/card-acquirer.ts";
import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";

/** How long the gateway waits for a bank. After that the outcome is unknown until an inquiry answers. */
export const ACQUIRER_DEADLINE = 15 * SECOND;

const UNKNOWN = { kind: "unknown" } as const;

/**
 * Calls a bank with a deadline. An error and a timeout both mean that the outcome is unknown. An answer that arrives after
 * the deadline goes to `late`.
 */
export async function answerOrUnknown<Answer>(
  ctx: Context,
  call: () => Promise<Answer>,
  late?: (answer: Answer) => Promise<unknown>,
): Promise<Answer | typeof UNKNOWN> {
  return withDeadline(ctx, call, UNKNOWN, late);
}

/** Reverses everything under that reference. Only an approval is certain; otherwise the caller repeats it or gives up. */
export async function reverseAtAcquirer(
  ctx: Context,
  merchant: Merchant,
  reference: string,
): Promise<AcquirerAnswer> {
  const acquirer = ctx.connectors.getCardAcquirer(merchant);
  return answerOrUnknown(ctx, () => acquirer.reverse(reference));
}

/** Calls an external party with a deadline; `otherwise` is the answer for an error or a timeout. */
export async function withDeadline<Answer, Otherwise>(
  ctx: Context,
  call: () => Promise<Answer>,
  otherwise: Otherwise,
  late?: (answer: Answer) => Promise<unknown>,
): Promise<Answer | Otherwise> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const timeout = new Promise<Otherwise>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve(otherwise);
    }, ACQUIRER_DEADLINE);
  });
  try {
    const answering = call();
    answering
      .then((answer) => (isOver ? late?.(answer) : undefined))
      .catch((error: unknown) => {
        if (isOver)
          ctx.log.warn({ error }, "bank call failed after its deadline, or its answer was not recorded");
      });
    return await Promise.race([answering, timeout]);
  } catch (error) {
    ctx.log.warn({ error }, "bank call failed: the outcome is unknown until the next inquiry");
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
