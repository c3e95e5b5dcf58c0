import type { AcquirerAnswer, ReversalRequest } from "../../connectors/ports/card-acquirer.ts";
import { soundAnswer } from "../../connectors/ports/sound-answer.ts";
import { MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { waitingForBank } from "../../platform/http/bank-waits.ts";
import type { Merchant } from "../merchants/index.ts";
import { aboutPayment } from "./original-payment.ts";
import type { Transaction } from "./transaction.ts";

/** How long the gateway waits for a bank that names no time of its own. After that the outcome is unknown. */
export const BANK_DEADLINE = 15 * SECOND;

/** What the process that calls a bank may take beside the bank's own time, before another one repeats the call. */
export const BANK_GRACE = 5 * SECOND;

/** A reversal of what the acquirer may not have seen is sent once more, after any call on its way has arrived. */
export const REVERSE_AGAIN_AFTER = 2 * MINUTE;

/** An answer that arrives this long after the deadline still counts; then the call is aborted. */
const LATE_ANSWERS = MINUTE;

const UNKNOWN = { kind: "unknown" } as const;

type Waiting<Answer> = {
  readonly deadlineMs?: number;
  /** Gets an answer that arrives after the deadline. */
  readonly late?: (answer: Answer) => Promise<unknown>;
};

type Call<Answer> = (signal: AbortSignal) => Promise<Answer>;

/** Calls a bank with a deadline. An error and a timeout both mean that the outcome is unknown. */
export async function answerOrUnknown<Answer>(
  ctx: Context,
  call: Call<Answer>,
  waiting: Waiting<Answer> = {},
): Promise<Answer | typeof UNKNOWN> {
  return withDeadline(ctx, call, UNKNOWN, waiting);
}

/**
 * Reverses the payment, or with a reference of its own one of its refunds. Only an approval is certain; otherwise the caller
 * repeats it or gives up.
 */
export async function reverseAtAcquirer(
  ctx: Context,
  merchant: Merchant,
  transaction: Transaction,
  options: Partial<Omit<ReversalRequest, "payment">> = {},
): Promise<AcquirerAnswer> {
  const { reference = transaction.id } = options;
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  const use = { host, purpose: "reversal", subjectId: reference } as const;
  return answerOrUnknown(
    ctx,
    (signal) =>
      aboutPayment(ctx, transaction, use, (payment) =>
        soundAnswer(host.reverse({ ...options, reference, payment }, signal)),
      ),
    { deadlineMs: host.answersWithinMs },
  );
}

/** Calls an external party with a deadline; `otherwise` is the answer for an error or a timeout. */
export async function withDeadline<Answer, Otherwise>(
  ctx: Context,
  call: Call<Answer>,
  otherwise: Otherwise,
  { deadlineMs = BANK_DEADLINE, late }: Waiting<Answer> = {},
): Promise<Answer | Otherwise> {
  ctx.onOutsideCall?.();
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const timeout = new Promise<Otherwise>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      timer = setTimeout(() => abort.abort(), LATE_ANSWERS).unref();
      resolve(otherwise);
    }, deadlineMs);
  });
  const answering = (async () => call(abort.signal))();
  answering
    .then((answer) => (isOver ? late?.(answer) : undefined))
    .catch((error: unknown) => {
      if (isOver)
        ctx.log.warn({ error }, "bank call failed after its deadline, or its answer was not recorded");
    })
    .finally(() => clearTimeout(timer));
  try {
    return await waitingForBank(Promise.race([answering, timeout]));
  } catch (error) {
    ctx.log.warn({ error }, "bank call failed: the outcome is unknown until the next inquiry");
    return otherwise;
  }
}
