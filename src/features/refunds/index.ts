export { requestRefund } from "./request-refund.ts";
export { refundRoutes } from "./routes.ts";
export { SETTLE_REFUND_JOB, settleRefundWhenDue } from "./settle-refund.ts";
export { settleRefundsNow } from "./settle-refunds-now.ts";
