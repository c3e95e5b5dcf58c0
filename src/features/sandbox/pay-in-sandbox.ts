import type { Id } from "../../kernel/ids.ts";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { continuePayment, getSession, initialise, type PayAnswer, pay, viewPage } from "../checkout/index.ts";
import { payOwnPayId } from "../incoming-transfers/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { getPaymentRequest, type PaymentRequest, payIdEmail } from "../payment-requests/index.ts";
import { createToken } from "../tokens/index.ts";

/** A card as a payer types it into the form. */
type TypedCard = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode: string;
};

/** How the simulated payer pays. */
export type SandboxPayer = {
  readonly card: TypedCard;
  /** The payer's answer to a 3D Secure challenge. */
  readonly challenge: "approve" | "fail";
};

export type SandboxPayment = { readonly request: PaymentRequest; readonly answer: PayAnswer | undefined };

/**
 * Simulates the payer of a request on a real payer's path: a one-time token and its session, the hosted page, or a
 * transfer of the exact amount to the PayID. Returns the request afterwards.
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
      : await transferExactAmount(ctx, caller, request, request.payIdValue);
  return { request: await getPaymentRequest(ctx, caller.merchant, requestId), answer };
}

async function transferExactAmount(
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
  const answer = await payTotal(ctx, secret, request, card);
  if (answer.challenge === undefined) return answer;
  await ctx.sandbox.challenges.answerAt(answer.challenge.url, challenge === "approve");
  return continuePayment(ctx, await getSession(ctx, secret), { sealed: answer.challenge.sealed });
}

/** Opens the payer's page: the hosted one, or the merchant's own with the embedded checkout. */
async function openSession(ctx: Context, caller: RequestCaller, request: PaymentRequest): Promise<string> {
  if (request.pageKey !== null) {
    return ((await viewPage(ctx, request.pageKey)) ?? refuse("resource_not_found")).session;
  }
  const { secret } = await createToken(ctx, caller, request.id);
  const parentOrigin = caller.merchant.allowedOrigins[0] ?? ctx.settings.hostedUrl;
  return (await initialise(ctx, { token: secret, parentOrigin })).session;
}

/** The simulated payer has no browser, so the bank's method step is skipped. */
const PLACE = {
  browser: {
    acceptHeader: "*/*",
    userAgent: "sandbox payer",
    language: "en",
    ipAddress: "127.0.0.1",
    javaScriptEnabled: false,
  },
};

/** What the simulated payer enters where the form asks for an address. */
const ADDRESSES = {
  none: {},
  postcode: { address: { postcode: "2000" } },
  full: {
    address: { line1: "1 Pitt Street", city: "Sydney", state: "NSW", postcode: "2000", country: "AU" },
  },
} as const;

/** Pays the amount; if a surcharge raises the total, accepts the new total and pays that. */
async function payTotal(
  ctx: Context,
  secret: string,
  request: PaymentRequest,
  card: TypedCard,
): Promise<PayAnswer> {
  const consent = request.details.customerRequest?.paymentInstrument === "create";
  const address = ADDRESSES[request.details.collectAddress ?? "none"];
  const payFor = async (total: number) =>
    pay(ctx, await getSession(ctx, secret), { method: "card", card, total, consent, ...address }, PLACE);
  try {
    return await payFor(request.amount);
  } catch (error) {
    const total = error instanceof Refusal ? error.problems[0]?.totals?.expected : undefined;
    if (total === undefined) throw error;
    return payFor(total);
  }
}
