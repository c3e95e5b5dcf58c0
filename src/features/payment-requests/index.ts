export { cancelPaymentRequest } from "./cancel-payment-request.ts";
export { createPaymentLink, LINK_DAYS_AT_MOST, LINK_DAYS_STANDARD } from "./create-payment-link.ts";
export { createPaymentRequest } from "./create-payment-request.ts";
export { expireLocked, expirePaymentRequest } from "./expire-payment-request.ts";
export { getPaymentRequest } from "./get-payment-request.ts";
export { paymentRequestJobs } from "./jobs.ts";
export { findLastPayId, findOpenPayId, type PayIdHolder } from "./open-payids/queries.ts";
export { payIdEmail, payIdValue } from "./payid.ts";
export {
  type Agreement,
  attemptsLeft,
  completeWith,
  FLOWS,
  type Flow,
  isOverdue,
  type PayIdReturn,
  type PaymentRequest,
  recordFailedAttempt,
  recordReturn,
} from "./payment-request.ts";
export { changedRequestValues, REQUEST_CHANGE } from "./payment-request-row.ts";
export {
  findPaymentRequest,
  findRequestOfPage,
  findRequestOfPayIdPage,
  JOINED_REQUEST_COLUMNS,
  type JoinedRequestRow,
  lockPaymentRequest,
  requestOfJoined,
  updatePaymentRequest,
} from "./queries.ts";
export { requestChange } from "./request-change.ts";
export { paymentRequestRoutes } from "./routes.ts";
export { writeEnd } from "./write-end.ts";
