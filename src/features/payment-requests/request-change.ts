import type { Change } from "../../platform/outbox/announce.ts";
import type { World } from "../../platform/world.ts";
import type { Mode } from "../merchants/index.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { presentPaymentRequest } from "./present.ts";

/** The event of a payment request's latest change. The logo stays out of it. */
export function requestChange(world: Pick<World, "settings">, mode: Mode, request: PaymentRequest): Change {
  return {
    merchantId: request.merchantId,
    event: "payment_requests",
    resourceId: request.id,
    reference: request.reference,
    at: request.updatedAt,
    payload: presentPaymentRequest({ ...request, logo: null }, mode, world.settings),
  };
}
