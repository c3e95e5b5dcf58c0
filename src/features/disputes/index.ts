export { DISPUTE_STATUSES, type Dispute, needsResponse } from "./dispute.ts";
export { disputeJobs } from "./jobs.ts";
export { findDispute } from "./queries.ts";
export { acceptDispute, sendEvidence } from "./respond-to-dispute.ts";
export { disputeRoutes } from "./routes.ts";
