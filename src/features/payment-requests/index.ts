export { expireWhenDue } from "./expire-payment-request.ts";
export { getPaymentRequest } from "./get-payment-request.ts";
export { isOverdue, type PaymentRequest } from "./payment-request.ts";
export { EXPIRE_JOB, lockPaymentRequest } from "./queries.ts";
export { paymentRequestRoutes } from "./routes.ts";
