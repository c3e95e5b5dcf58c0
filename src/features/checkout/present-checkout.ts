import { CARD_TYPES } from "../../kernel/card-type.ts";
import { defined } from "../../kernel/defined.ts";
import { dayInZone, type Instant, toIso } from "../../kernel/time.ts";
import { mayBeOnCard } from "../../platform/cards/cardholder-name.ts";
import { type Merchant, ok, rateOn, zoneOf } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import type { SavedCard } from "./saved-cards.ts";
import { storingOf } from "./storing.ts";

type Offers = {
  readonly wallets: readonly object[];
  readonly savedCards: readonly SavedCard[];
  readonly now: Instant;
};

/** The data of the payment form: only what the payer may see. */
export function presentCheckout(
  request: PaymentRequest,
  merchant: Merchant,
  { wallets, savedCards, now }: Offers,
): object {
  const { details } = request;
  const { description } = details;
  return {
    merchantName: details.hostedPage?.merchantName ?? merchant.name,
    mode: merchant.mode,
    payment: defined({
      amount: request.amount,
      currencyCode: request.currency,
      reference: request.reference,
      description,
    }),
    paymentMethods: details.paymentMethods ?? [],
    wallets,
    savedCards: savedCards.map(({ id, card }) => {
      const { cardType, last4, expiryMonth, expiryYear } = card;
      return { id, cardType, last4, expiryMonth, expiryYear };
    }),
    allowRemoval: details.customerRequest?.allowRemoval === true,
    // A verification has no price.
    surcharging:
      merchant.surcharging.enabled && request.amount > 0 ? { rates: ratesOn(merchant, now) } : null,
    storeCard: storingOf(request),
    prefill: defined({ name: [details.customerRequest?.name ?? ""].find(mayBeOnCard) }),
    // Card testing requires it of live payers whose request did not.
    threeDSecure:
      details.category?.authenticationType === "3d_secure" ||
      (merchant.mode === "live" && merchant.capabilities.threeDSecure),
    expiryDateTime: toIso(request.expiresAt),
    result: ok(merchant.mode),
  };
}

function ratesOn(merchant: Merchant, now: Instant): object {
  const day = dayInZone(now, zoneOf(merchant));
  const rates = CARD_TYPES.flatMap((cardType) => {
    const rate = rateOn(merchant, cardType, day);
    return rate === undefined ? [] : [[cardType, { percent: rate.percent, fixed: rate.fixed }] as const];
  });
  return Object.fromEntries(rates);
}
