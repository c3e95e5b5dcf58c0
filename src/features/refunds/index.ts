export { refundJobs } from "./jobs.ts";
export { approveRefundLate, reverseRefundLate } from "./late-refund.ts";
export { findRefund } from "./queries.ts";
export { refundRoutes } from "./routes.ts";
export { recordNotifiedRefund } from "./settle-refund.ts";
export { settleRefundsNow } from "./settle-refunds-now.ts";
