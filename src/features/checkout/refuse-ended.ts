import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { type Problem, Refusal } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { isOverdue, type PaymentRequest } from "../payment-requests/index.ts";

/** The request can no longer be paid. The refusal carries how it ended, for the payer's page to explain. */
export function refuseEnded(
  request: PaymentRequest,
  now: Instant,
  more: object = {},
  problem: Problem = { code: "payment_request_state_conflict" },
): never {
  throw new Refusal([problem], {
    ended: {
      paymentRequestStatus: isOverdue(request, now) ? "expired" : request.status,
      paid: request.approvedTransactionId !== null,
      ...more,
    },
  });
}

/** Says nothing about the request, but has the texts of its payer's language. */
export function refuseIn(language: object, problem: Problem): never {
  throw new Refusal([problem], { ended: language });
}

/** The request can't be paid now. It is still open. */
export function refuseUnpaid({ status }: PaymentRequest, code: CodeName, more: object): never {
  throw new Refusal([{ code }], { ended: { paymentRequestStatus: status, paid: false, ...more } });
}
