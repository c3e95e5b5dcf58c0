import { Refusal } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { isOverdue, type PaymentRequest } from "../payment-requests/index.ts";

/** Nothing can be paid any more. How it ended is said as well, so that the payer's page can put it in words. */
export function refuseEnded(request: PaymentRequest, now: Instant): never {
  throw new Refusal([{ code: "payment_request_state_conflict" }], undefined, {
    paymentRequestStatus: isOverdue(request, now) ? "expired" : request.status,
    paid: request.approvedTransactionId !== null,
  });
}
