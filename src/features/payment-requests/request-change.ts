import type { Mode } from "../../kernel/mode.ts";
import type { Context } from "../../platform/context.ts";
import type { Change } from "../../platform/outbox/publish.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { presentPaymentRequest } from "./present.ts";

/** The event of a payment request's latest change, without the logo. */
export function requestChange(ctx: Pick<Context, "settings">, mode: Mode, request: PaymentRequest): Change {
  return {
    merchantId: request.merchantId,
    event: "payment_requests",
    resourceId: request.id,
    reference: request.reference,
    at: request.updatedAt,
    payload: presentPaymentRequest({ ...request, logo: null }, mode, ctx.settings),
  };
}
