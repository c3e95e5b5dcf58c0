import { refuse } from "../../kernel/refusal.ts";
import { dayInZone, toIso } from "../../kernel/time.ts";
import { hashSecret, randomText } from "../../platform/crypto/secrets.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { CARD_TYPES, type Merchant, ok, rateOn, zoneOf } from "../merchants/index.ts";
import { getPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findToken, initialiseToken } from "../tokens/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { refuseEnded } from "./refuse-ended.ts";
import { merchantOf } from "./session.ts";

export type InitialiseAsk = { readonly token: string; readonly parentOrigin: string };

/** Turns a one-time token into a session. The second call with one token fails, whatever the first did. */
export async function initialise(world: World, ask: InitialiseAsk): Promise<object> {
  const hash = hashSecret(ask.token);
  const found = (await findToken(world.db, hash)) ?? refuse("V11610", "/token");
  const merchant = await merchantOf(world, found.merchantId);
  const session = randomText(32);
  const token = (await initialiseToken(world.db, hash, hashSecret(session))) ?? refuse("V11610", "/token");
  if (merchant.allowedOrigins.length > 0 && !merchant.allowedOrigins.includes(ask.parentOrigin)) {
    refuse("V11611", "/parentOrigin");
  }
  const now = clockOf(world, merchant);
  const request = await getPaymentRequest(world, merchant, token.paymentRequestId);
  if (request.status !== "created") refuseEnded(request, now);
  if (token.expiresAt <= now) refuse("V11610", "/token");
  if (await findPendingOf(world.db, merchant.id, request.id)) refuse("V11612");
  return { session, ...presentCheckout(request, merchant, dayInZone(now, zoneOf(merchant))) };
}

/** What the form has to know: nothing beyond what the payer may see. */
function presentCheckout(
  request: PaymentRequest,
  merchant: Merchant,
  day: ReturnType<typeof dayInZone>,
): object {
  const { details } = request;
  const { description } = details;
  return {
    merchantName: merchant.name,
    mode: merchant.mode,
    payment: {
      amount: request.amount,
      currencyCode: request.currency,
      reference: request.reference,
      ...(description === undefined ? {} : { description }),
    },
    paymentMethods: details.paymentMethods ?? [],
    surcharging: merchant.surcharging.enabled ? { rates: ratesOn(merchant, day) } : null,
    storeCard: details.customerRequest?.paymentInstrument === "create",
    prefill: details.customerRequest?.name === undefined ? {} : { name: details.customerRequest.name },
    threeDSecure: details.category?.authenticationType === "3d_secure",
    expiryDateTime: toIso(request.expiresAt),
    result: ok(merchant.mode),
  };
}

function ratesOn(merchant: Merchant, day: ReturnType<typeof dayInZone>): object {
  const rates = CARD_TYPES.flatMap((cardType) => {
    const rate = rateOn(merchant, cardType, day);
    return rate === undefined ? [] : [[cardType, { percent: rate.percent, fixed: rate.fixed }] as const];
  });
  return Object.fromEntries(rates);
}
