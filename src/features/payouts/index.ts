export { payoutChores, payoutJobs } from "./jobs.ts";
export { makePayoutsNow } from "./make-payouts.ts";
export type { Line, Payout } from "./payout.ts";
export { csvOf } from "./present.ts";
export { findPayout, listLines } from "./queries.ts";
export { reconcile } from "./reconcile.ts";
export { payoutRoutes } from "./routes.ts";
