import { instant, toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Attempt } from "./delivery.ts";
import type { DeliveryAnswer } from "./wire.ts";

/** Shows both times on the merchant's clock. */
export function presentAttempt(
  attempt: Attempt,
  { clockOffset }: Pick<Merchant, "clockOffset">,
): Static<typeof DeliveryAnswer> {
  const { attemptedAt, nextAt } = attempt;
  return {
    webhookId: attempt.webhookId,
    attempt: attempt.attempt,
    status: attempt.status,
    httpStatus: attempt.httpStatus,
    latencyMs: attempt.latencyMs,
    error: attempt.error,
    attemptedDateTime: attemptedAt === null ? null : toIso(attemptedAt),
    nextAttemptDateTime: nextAt === null ? null : toIso(instant(nextAt + clockOffset)),
  };
}
