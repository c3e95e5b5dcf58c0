import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { ok } from "../merchants/index.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import type { Session } from "./session.ts";
import { domainOf, placeOfSession, walletError } from "./wallet-place.ts";

/** Asks Apple to vouch that this page may show its sheet. What Apple answers goes back to its script as it is. */
export async function beginAppleSession(
  ctx: Context,
  session: Session,
  validationUrl: string,
): Promise<object> {
  const { merchant, paymentRequestId } = session;
  const place = placeOfSession(session);
  const request = await getPaymentRequest(ctx, merchant, paymentRequestId);
  const trouble = await walletError(ctx, merchant, request, place, "apple_pay");
  if (trouble !== undefined) refuse(trouble);
  const merchantSession = await ctx.connectors.findApplePay(merchant)?.beginSession({
    validationUrl,
    domain: domainOf(ctx, place) ?? refuse("wallet_domain_not_registered"),
    displayName: request.details.hostedPage?.merchantName ?? merchant.name,
  });
  if (merchantSession === undefined) refuse("apple_pay_session_refused");
  return { merchantSession, result: ok(merchant.mode) };
}
