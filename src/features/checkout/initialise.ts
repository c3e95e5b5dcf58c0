import { refuse } from "../../kernel/refusal.ts";
import { hashSecret, randomText } from "../../platform/crypto/secrets.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import { findToken, initialiseToken } from "../tokens/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { presentCheckout } from "./present-checkout.ts";
import { presentWallets } from "./present-wallets.ts";
import { refuseEnded } from "./refuse-ended.ts";
import { merchantOf } from "./session.ts";

export type InitialiseAsk = { readonly token: string; readonly parentOrigin: string };

/** Turns a one-time token into a session. The second call with one token fails, whatever the first did. */
export async function initialise(world: World, ask: InitialiseAsk): Promise<{ readonly session: string }> {
  const hash = hashSecret(ask.token);
  const found = (await findToken(world.db, hash)) ?? refuse("checkout_token_refused", "/token");
  const merchant = await merchantOf(world, found.merchantId);
  const session = randomText(32);
  const token =
    (await initialiseToken(world.db, hash, hashSecret(session), ask.parentOrigin)) ??
    refuse("checkout_token_refused", "/token");
  if (merchant.allowedOrigins.length > 0 && !merchant.allowedOrigins.includes(ask.parentOrigin)) {
    refuse("checkout_origin_refused", "/parentOrigin");
  }
  const now = clockOf(world, merchant);
  const request = await getPaymentRequest(world, merchant, token.paymentRequestId);
  if (request.status !== "created") refuseEnded(request, now);
  if (token.expiresAt <= now) refuse("checkout_token_refused", "/token");
  if (await findPendingOf(world.db, merchant.id, request.id)) refuse("checkout_payment_in_progress");
  const place = { kind: "embedded", origin: ask.parentOrigin } as const;
  const wallets = await presentWallets(world, merchant, request, place);
  return { session, ...presentCheckout(request, merchant, wallets, now) };
}
