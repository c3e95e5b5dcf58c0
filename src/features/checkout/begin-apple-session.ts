import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { ok } from "../merchants/index.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import type { Session } from "./session.ts";
import { domainOf, placeOfSession, walletProblem } from "./wallet-place.ts";

/** Requests a merchant session from Apple, which lets this page show the sheet. The page's script gets it unchanged. */
export async function beginAppleSession(
  ctx: Context,
  session: Session,
  validationUrl: string,
): Promise<object> {
  const { merchant, paymentRequestId } = session;
  const place = placeOfSession(session);
  const request = await getPaymentRequest(ctx, merchant, paymentRequestId);
  const problem = await walletProblem(ctx, merchant, request, { place, wallet: "apple_pay" });
  if (problem !== undefined) refuse(problem);
  const merchantSession = await ctx.connectors.findWallet(merchant, "apple_pay")?.beginSession({
    validationUrl,
    domain: domainOf(ctx, place) ?? refuse("wallet_domain_not_registered"),
    displayName: request.details.hostedPage?.merchantName ?? merchant.name,
  });
  if (merchantSession === undefined) refuse("apple_pay_session_refused");
  return { merchantSession, result: ok(merchant.mode) };
}
