export { DISPUTE_STATUSES, type Dispute, type DisputeStatus, needsResponse } from "./dispute.ts";
export { followDispute } from "./follow-dispute.ts";
export { disputeJobs } from "./jobs.ts";
export { findDispute } from "./queries.ts";
export { isSimulated } from "./respond-to-dispute.ts";
export { disputeRoutes } from "./routes.ts";
