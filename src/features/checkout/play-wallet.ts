import { refuse } from "../../kernel/refusal.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { ok } from "../merchants/index.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import type { Session } from "./session.ts";
import { placeOfSession, walletTrouble } from "./wallet-place.ts";

/**
 * The sandbox plays the vendor and the payer's phone: a real token for a card of nobody, sealed with keys of the sandbox.
 * Nothing is charged by it.
 */
export async function playWallet(
  world: World,
  session: Session,
  wallet: Wallet,
  ask: { readonly card: string; readonly total: number },
): Promise<object> {
  const { merchant, paymentRequestId } = session;
  const player = world.wallets[merchant.mode]?.player ?? refuse("resource_not_found");
  const request = await getPaymentRequest(world, merchant, paymentRequestId);
  const trouble = await walletTrouble(world, merchant, request, placeOfSession(session), wallet);
  if (trouble !== undefined) refuse(trouble);
  const issued = await player.issue({
    wallet,
    ...ask,
    currency: request.currency,
    merchantId: merchant.id,
    paymentRequestId,
    now: clockOf(world, merchant),
  });
  if (issued === undefined) refuse("sandbox_wallet_card_unknown", "/card");
  const { cardType, last4 } = issued.card;
  return { token: issued.token, cardType, last4, result: ok(merchant.mode) };
}
