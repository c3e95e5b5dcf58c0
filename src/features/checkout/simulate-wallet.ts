import { cents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { ok } from "../merchants/index.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import type { Session } from "./session.ts";
import { placeOfSession, walletProblem } from "./wallet-place.ts";

/** The sandbox simulates the vendor and the payer's phone: a real token for a test card, encrypted with sandbox keys. */
export async function simulateWallet(
  ctx: Context,
  session: Session,
  wallet: Wallet,
  input: { readonly card: string; readonly total: number },
): Promise<object> {
  const { merchant, paymentRequestId } = session;
  if (merchant.mode !== "sandbox") refuse("resource_not_found");
  const request = await getPaymentRequest(ctx, merchant, paymentRequestId);
  const place = placeOfSession(session);
  const problem = await walletProblem(ctx, merchant, request, { place, wallet });
  if (problem !== undefined) refuse(problem);
  const issued = await ctx.sandbox.wallets.issue({
    wallet,
    card: input.card,
    total: cents(input.total),
    currency: request.currency,
    merchantId: merchant.id,
    paymentRequestId,
    now: clockOf(ctx, merchant),
  });
  if (issued === undefined) refuse("sandbox_wallet_card_unknown", "/card");
  const { cardType, last4 } = issued.card;
  return { token: issued.token, cardType, last4, result: ok(merchant.mode) };
}
