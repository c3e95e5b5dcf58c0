export { expireWhenDue } from "./expire-payment-request.ts";
export { getPaymentRequest } from "./get-payment-request.ts";
export { attemptsLeft, failedOnce, isOverdue, type PaymentRequest, paid } from "./payment-request.ts";
export { EXPIRE_JOB, findRequestOfPage, lockPaymentRequest, updatePaymentRequest } from "./queries.ts";
export { requestChange } from "./request-change.ts";
export { paymentRequestRoutes } from "./routes.ts";
