import { newId, parseId } from "../../kernel/ids.ts";
import { type Problem, refuse, refuseAll } from "../../kernel/refusal.ts";
import { isRail } from "../../kernel/source.ts";
import { instant } from "../../kernel/time.ts";
import { HAS_TOKENS_ONLY } from "../../kernel/wallets.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { finishKeyAfter, keyIsUsed } from "../../platform/idempotency/claim-key.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import { findCustomer } from "../customers/index.ts";
import { newPageKey } from "../hosted-pages/index.ts";
import { findMerchant, type Merchant, type RequestCaller } from "../merchants/index.ts";
import { capabilityProblems } from "./capability-rules.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { newRequest } from "./new-request.ts";
import { findOpenPayId, isPayIdTaken } from "./open-payids/queries.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { insertPaymentRequest } from "./queries.ts";
import { fieldOf, flowOf, hasPage, RAIL_RULES } from "./rails.ts";
import { registerPayId, registrationOf } from "./register-payid.ts";
import { requestChange } from "./request-change.ts";
import type { PaymentRequestInput } from "./wire.ts";

/** Creates a payment request: its row, event, expiry job and idempotency key in one statement. */
export async function createPaymentRequest(
  ctx: Context,
  caller: RequestCaller,
  input: PaymentRequestInput,
): Promise<PaymentRequest> {
  refuseAll(await unknownCustomer(ctx, caller, input.customerRequest?.id));
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const pageKey = hasPage(flowOf(input)) ? newPageKey(merchant.id) : null;
  const request = newRequest(merchant, input, { id: newId("paymentRequest", now), pageKey, now });
  refuseAll(capabilityProblems(request, merchant));
  await refuseUnpayable(ctx, merchant, request);
  const use = { key: caller.idempotencyKey, requestId: caller.requestId, location: pathOf(request) };
  const expiryDue = instant(request.expiresAt - merchant.clockOffset);
  const change = requestChange(ctx, caller.mode, request);
  const registration = request.payIdValue === null ? undefined : registrationOf(ctx, request);
  const insert = () => insertPaymentRequest(ctx.db, { request, change, use, expiryDue, registration });
  const isNew = await insert().catch(async (error: unknown) => {
    if (!isPayIdTaken(error)) throw error;
    await freeOverduePayId(ctx, request.payIdValue ?? "");
    return insert().catch((again: unknown) => {
      if (!isPayIdTaken(again)) throw again;
      return refuse("payment_request_payid_value_taken", "/payment/instrument/payId/value");
    });
  });
  if (!isNew) throw await keyIsUsed(ctx.db, caller);
  if (registration === undefined) return request;
  return finishKeyAfter(ctx, caller, () => registerPayId(ctx, merchant, request));
}

/** Refuses what no connector could charge, before a payer sees a form. */
async function refuseUnpayable(ctx: Context, merchant: Merchant, request: PaymentRequest): Promise<void> {
  const { flow, currency, details } = request;
  if (isRail(flow)) {
    const { isServed, refusals } = RAIL_RULES[flow];
    if (!isServed(ctx.connectors, merchant)) refuse(refusals.railMissing, fieldOf(flow));
    return;
  }
  const acquirers = routePayment(await ctx.acquirers.listActive(merchant), { currency });
  // A wallet's token is authenticated already.
  const authenticates =
    details.category?.authenticationType === "3d_secure" &&
    details.paymentMethods?.some((method) => method === "card" || !HAS_TOKENS_ONLY[method]) === true;
  if (!authenticates || merchant.threeDSecureUnavailable === "proceed") return;
  const isOffered =
    ctx.connectors.findThreeDSecure(merchant) !== undefined ||
    acquirers.some(({ host }) => host.threeDSecure !== undefined);
  if (!isOffered)
    refuse("payment_request_three_d_secure_not_offered", "/transactionRequest/category/authenticationType");
}

export function pathOf(request: Pick<PaymentRequest, "id">): string {
  return `/paymentrequests/${request.id}`;
}

/** Customers are never deleted, so a customer that exists now exists when the request is paid. */
export async function unknownCustomer(
  ctx: Context,
  { merchantId }: Pick<RequestCaller, "merchantId">,
  customerId: string | undefined,
): Promise<readonly Problem[]> {
  if (customerId === undefined) return [];
  const id = parseId("customer", customerId);
  const known = id && (await findCustomer(ctx.db, merchantId, id));
  return known === undefined
    ? [{ code: "payment_request_customer_id_invalid", field: "/customerRequest/id" }]
    : [];
}

/** The PayID of an overdue request is free, even if no worker has expired that request yet. */
async function freeOverduePayId(ctx: Context, value: string): Promise<void> {
  const open = await findOpenPayId(ctx.db, value);
  const holder = open && (await findMerchant(ctx.db, open.merchantId));
  if (open !== undefined && holder !== undefined) await expirePaymentRequest(ctx, holder, open.id);
}
