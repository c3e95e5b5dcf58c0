import { defined } from "../../kernel/defined.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { ENGLISH, languageFor, spoken } from "../../kernel/languages/languages.ts";
import { type Problem, refuse } from "../../kernel/refusal.ts";
import { addressBlock } from "../../platform/cards/address-block.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { hashSecret, randomText } from "../../platform/crypto/secrets.ts";
import type { Merchant } from "../merchants/index.ts";
import { getPaymentRequest, isOverdue, type PaymentRequest } from "../payment-requests/index.ts";
import { initialiseToken, merchantOfToken, sessionSecret } from "../tokens/index.ts";
import { presentCheckout } from "./present-checkout.ts";
import { presentWallets } from "./present-wallets.ts";
import { refuseEnded, refuseIn, refuseUnpaid } from "./refuse-ended.ts";
import { listSavedCards } from "./saved-cards.ts";
import { whyUncharged } from "./why-uncharged.ts";

export type InitialiseInput = {
  readonly token: string;
  readonly parentOrigin: string;
  readonly locale?: string;
  readonly language?: string;
};

const TOKEN_REFUSED: Problem = { code: "checkout_token_refused", field: "/token" };

/**
 * Turns a one-time token into a session. Until it has paid, a page of the same origin can do so again: the newer session
 * replaces the older one. Afterwards it learns how the payment ended. The first origin to try, even one that is refused, is
 * the token's.
 */
export async function initialise(
  ctx: Context,
  input: InitialiseInput,
  acceptLanguage?: string,
): Promise<{ readonly session: string }> {
  const merchantId = merchantOfToken(input.token) ?? refuse("checkout_token_refused", "/token");
  const key = { merchantId, hash: hashSecret(input.token) };
  const session = sessionSecret(merchantId, randomText(32));
  const found =
    (await initialiseToken(ctx.db, key, hashSecret(session), input.parentOrigin)) ??
    refuse("checkout_token_refused", "/token");
  const { merchant, token } = found;
  const isUsed = token.status === "processed";
  if (!found.isInitialised && !(isUsed && found.parentOrigin === input.parentOrigin))
    refuse("checkout_token_refused", "/token");
  const now = clockOf(ctx, merchant);
  const request = isOverdue(found.request, now)
    ? await getPaymentRequest(ctx, merchant, found.paymentRequestId)
    : found.request;
  const payers = languageFor(input.locale ?? request.details.locale, acceptLanguage);
  const language = languageOf(request, input, payers);
  if (merchant.allowedOrigins.length > 0 && !merchant.allowedOrigins.includes(input.parentOrigin))
    refuseIn(language, { code: "checkout_origin_refused", field: "/parentOrigin" });
  if (request.status !== "created") refuseEnded(request, now, language, isUsed ? TOKEN_REFUSED : undefined);
  if (isUsed || token.expiresAt <= now) refuseIn(language, TOKEN_REFUSED);
  const uncharged = await whyUncharged(ctx, merchant, request);
  if (uncharged !== undefined) refuseUnpaid(request, uncharged, language);
  if (found.isBeingPaid) refuseIn(language, { code: "checkout_payment_in_progress" });
  const place = { kind: "embedded", origin: input.parentOrigin } as const;
  const wallets = await presentWallets(ctx, merchant, request, { place, language: payers });
  const savedCards = await listSavedCards(ctx, merchant, request);
  const address = addressOf(request, merchant, payers);
  return {
    session,
    ...presentCheckout(request, merchant, { wallets, savedCards, now }),
    ...address,
    ...language,
  };
}

/** The payer's language, if the frame does not have it. The page's choice takes precedence over the payment request's. */
function languageOf(
  { details }: PaymentRequest,
  { language: known }: InitialiseInput,
  language: Catalogue,
): object {
  const hasWallets = details.paymentMethods?.some((method) => method !== "card");
  return language.tag === (known ?? ENGLISH.tag) ? {} : { language: spoken(language, hasWallets) };
}

/** The address fields that the frame shows, where the payment request asks for them. */
function addressOf({ details }: PaymentRequest, { country }: Merchant, language: Catalogue): object {
  const collection = details.collectAddress ?? "none";
  return defined({ address: addressBlock({ language, collection, country }) });
}
