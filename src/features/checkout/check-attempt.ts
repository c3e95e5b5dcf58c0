import { refuse } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { attemptsLeft, isOverdue, type PaymentRequest } from "../payment-requests/index.ts";
import type { OneTimeToken } from "../tokens/index.ts";
import { refuseEnded } from "./refuse-ended.ts";
import type { Session } from "./session.ts";
import type { PayInput } from "./wire.ts";

/**
 * Of two concurrent payments with one token, the second finds it used. A frame names the declined attempt that it has shown,
 * so a payment that the browser repeats on its own is not a second attempt.
 */
export function checkToken(
  { status, transactionId }: Pick<OneTimeToken, "status" | "transactionId">,
  { previousTransactionId }: PayInput,
): void {
  const isOpen = status === "initialised" && transactionId === (previousTransactionId ?? null);
  if (!isOpen) refuse("checkout_token_refused");
}

/** Refuses when the request, the token or the page's attempt is over. */
export function checkOpen(
  { way }: Session,
  request: PaymentRequest,
  token: Pick<OneTimeToken, "expiresAt"> | undefined,
  now: Instant,
): void {
  if (attemptsLeft(request) < 1 || isOverdue(request, now)) refuseEnded(request, now);
  if (token !== undefined && token.expiresAt <= now) refuse("checkout_token_refused");
  if (way.kind === "page" && way.failedAttempts !== request.failedTransactionIds.length)
    refuse("checkout_token_refused");
}
