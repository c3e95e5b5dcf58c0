import type { Id } from "../../kernel/ids.ts";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { continuePayment, getSession, initialise, type PayAnswer, pay, viewPage } from "../checkout/index.ts";
import { payOwnPayId } from "../incoming-transfers/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { getPaymentRequest, type PaymentRequest, payIdEmail } from "../payment-requests/index.ts";
import { createToken } from "../tokens/index.ts";

/** A card as somebody types it into the form. */
type TypedCard = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode: string;
};

/** How a played payer pays. */
export type SandboxPayer = {
  readonly card: TypedCard;
  /** What the payer answers when the bank asks. */
  readonly challenge: "approve" | "fail";
};

export type SandboxPayment = { readonly request: PaymentRequest; readonly answer: PayAnswer | undefined };

/**
 * Plays the payer of a request, by the way that a real one would take: a one-time token and its session, the hosted page, or
 * a transfer of the exact amount to the PayID. Gives the request as it stands then.
 */
export async function payInSandbox(
  ctx: Context,
  caller: RequestCaller,
  requestId: Id<"paymentRequest">,
  payer: SandboxPayer,
): Promise<SandboxPayment> {
  const request = await getPaymentRequest(ctx, caller.merchant, requestId);
  const answer =
    request.payIdValue === null
      ? await payByCard(ctx, caller, request, payer)
      : await transferExactly(ctx, caller, request, request.payIdValue);
  return { request: await getPaymentRequest(ctx, caller.merchant, requestId), answer };
}

async function transferExactly(
  ctx: Context,
  caller: RequestCaller,
  request: PaymentRequest,
  value: string,
): Promise<undefined> {
  const payId = payIdEmail(value, ctx.settings.payIdDomain);
  await payOwnPayId(ctx, caller, { payId, amount: request.amount });
}

async function payByCard(
  ctx: Context,
  caller: RequestCaller,
  request: PaymentRequest,
  { card, challenge }: SandboxPayer,
): Promise<PayAnswer> {
  const secret = await openSession(ctx, caller, request);
  const answer = await payTheTotal(ctx, secret, request, card);
  if (answer.challenge === undefined) return answer;
  await ctx.sandbox.challenges.answerAt(answer.challenge.url, challenge === "approve");
  return continuePayment(ctx, await getSession(ctx, secret), answer.challenge.sealed);
}

/** A page on which the payer stands: the hosted one, or the merchant's own with a checkout in it. */
async function openSession(ctx: Context, caller: RequestCaller, request: PaymentRequest): Promise<string> {
  if (request.pageKey !== null) {
    return ((await viewPage(ctx, request.pageKey)) ?? refuse("resource_not_found")).session;
  }
  const { secret } = await createToken(ctx, caller, request.id);
  const parentOrigin = caller.merchant.allowedOrigins[0] ?? ctx.settings.hostedUrl;
  return (await initialise(ctx, { token: secret, parentOrigin })).session;
}

/** The price shown is the price charged: a payer who named the amount alone is told the total, and agrees. */
async function payTheTotal(
  ctx: Context,
  secret: string,
  request: PaymentRequest,
  card: TypedCard,
): Promise<PayAnswer> {
  const consent = request.details.customerRequest?.paymentInstrument === "create";
  const payFor = async (total: number) =>
    pay(ctx, await getSession(ctx, secret), { method: "card", card, total, consent });
  try {
    return await payFor(request.amount);
  } catch (error) {
    const total = error instanceof Refusal ? error.problems[0]?.totals?.expected : undefined;
    if (total === undefined) throw error;
    return payFor(total);
  }
}
