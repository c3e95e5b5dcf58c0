import { newId, parseId } from "../../kernel/ids.ts";
import { type Problem, refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { hashSecret, randomText } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { findPaymentRequest, isOverdue } from "../payment-requests/index.ts";
import { insertToken } from "./queries.ts";
import { type OneTimeToken, publicPart, tokenExpiry } from "./token.ts";

/** Creates a token for one of the caller's open checkout requests. Only this call returns the secret. */
export async function createToken(
  ctx: Context,
  caller: RequestCaller,
  paymentRequestId: string,
): Promise<{ readonly token: OneTimeToken; readonly secret: string }> {
  const requestId =
    parseId("paymentRequest", paymentRequestId) ??
    refuse("token_payment_request_id_invalid", "/paymentRequestId");
  const now = clockOf(ctx, caller.merchant);
  const id = newId("oneTimeToken", now);
  const create = async (tx: Tx) => {
    await claimKey(tx, caller, { id, path: null });
    const request =
      (await findPaymentRequest(tx, caller.merchantId, requestId)) ??
      refuse("token_payment_request_id_invalid", "/paymentRequestId");
    if (request.flow !== "checkout") refuse("token_payment_request_flow_conflict", "/paymentRequestId");
    if (request.status !== "created" || isOverdue(request, now))
      refuse("payment_request_state_conflict", "/paymentRequestId");
    const token: OneTimeToken = {
      id,
      merchantId: caller.merchantId,
      paymentRequestId: request.id,
      status: "created",
      transactionId: null,
      createdAt: now,
      expiresAt: tokenExpiry(now, request.expiresAt),
    };
    const secret = `${publicPart(caller.merchantId, request.details.paymentMethods)}_${randomText(32)}`;
    if (!(await insertToken(tx, token, hashSecret(secret))))
      refuse("payment_request_state_conflict", "/paymentRequestId");
    return { token, secret };
  };
  // One write needs no transaction.
  return caller.idempotencyKey === undefined ? create(ctx.db) : ctx.db.transaction(create);
}

/** The problem of a payment request that is not the caller's; the route returns it with all other problems. */
export async function unknownRequestProblems(
  ctx: Context,
  { merchantId }: Pick<RequestCaller, "merchantId">,
  paymentRequestId: string | undefined,
): Promise<readonly Problem[]> {
  if (paymentRequestId === undefined) return [];
  const id = parseId("paymentRequest", paymentRequestId);
  const request = id && (await findPaymentRequest(ctx.db, merchantId, id));
  return request === undefined
    ? [{ code: "token_payment_request_id_invalid", field: "/paymentRequestId" }]
    : [];
}
