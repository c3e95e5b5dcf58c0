import type { Cents } from "../../kernel/money.ts";
import { Refusal, refuse, refuseAll } from "../../kernel/refusal.ts";
import { surchargeOf } from "../../kernel/surcharge.ts";
import { dayInZone, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import { type Merchant, rateOn, zoneOf } from "../merchants/index.ts";
import { attemptsLeft, isOverdue, type PaymentRequest } from "../payment-requests/index.ts";
import type { OneTimeToken } from "../tokens/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { addressProblems } from "./billing-address.ts";
import { refuseEnded } from "./refuse-ended.ts";
import type { Session } from "./session.ts";
import { storingOf } from "./storing.ts";
import type { PayInput } from "./wire.ts";

/**
 * Refuses what `beginAttempt` would refuse of token, request, route and price, in its order and without its locks: for a card
 * whose number must stay where it is until the payment can begin.
 */
export async function checkAttempt(
  ctx: Context,
  session: Session,
  input: PayInput,
  { request, cardType }: { readonly request: PaymentRequest; readonly cardType: string },
): Promise<void> {
  const { merchant } = session;
  const token = session.seen?.token;
  if (token !== undefined) checkToken(token, input);
  const now = clockOf(ctx, merchant);
  if (await findPendingOf(ctx.db, merchant.id, request.id)) refuse("checkout_payment_in_progress");
  checkOpen(session, request, token, now);
  routePayment(await ctx.acquirers.listActive(merchant), { currency: request.currency, cardType });
  checkPrice(merchant, request, { input, cardType }, now);
}

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

/** Refuses what the request does not offer, and any price but the one that was shown. Returns the surcharge. */
export function checkPrice(
  merchant: Merchant,
  request: PaymentRequest,
  { input, cardType }: { readonly input: PayInput; readonly cardType: string },
  now: Instant,
): Cents {
  const isOffered = input.method === "card" || request.amount > 0;
  if (!isOffered || request.details.paymentMethods?.includes(input.method) !== true)
    refuse("checkout_method_refused", "/method");
  refuseAll(addressProblems(request, input));
  // Without a box paying is the consent: only a page that says so sends it.
  if (storingOf(request) === "always" && !input.consent) refuse("checkout_consent_missing", "/consent");
  const rate = rateOn(merchant, cardType, dayInZone(now, zoneOf(merchant)));
  // A verification costs nothing.
  const rates = request.amount === 0 ? {} : { [cardType]: rate };
  const surcharge = surchargeOf(request.amount, rates, cardType);
  const expected = request.amount + surcharge;
  if (input.total !== expected) {
    throw new Refusal([
      { code: "checkout_total_changed", field: "/total", totals: { expected, given: input.total } },
    ]);
  }
  return surcharge;
}
