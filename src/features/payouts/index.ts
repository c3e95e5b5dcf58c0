export { addHeld, readHeld } from "./held/queries.ts";
export { payoutChores, payoutJobs } from "./jobs.ts";
export { makePayoutsNow } from "./make-payouts.ts";
export type { ExportedLine, Payout } from "./payout.ts";
export { payoutCsv } from "./payout-csv.ts";
export { findPayout, walkPayoutLines } from "./queries.ts";
export { FAULTS_LISTED, reconcile } from "./reconciliation/reconcile.ts";
export { payoutRoutes } from "./routes.ts";
