export { refundJobs } from "./jobs.ts";
export { requestRefund } from "./request-refund.ts";
export { refundRoutes } from "./routes.ts";
export { settleRefundsNow } from "./settle-refunds-now.ts";
