export { AUTOMATIC_PAYMENT_JOB } from "./deliver-simulated.ts";
export { findLinkedRequest, type LinkedRequest } from "./find-linked-request.ts";
export type { IncomingTransfer } from "./incoming-transfer.ts";
export { incomingTransferJobs } from "./jobs.ts";
export { findTransfer, listUnmatchedTransfers } from "./queries.ts";
export { incomingTransferRoutes } from "./routes.ts";
export { payAtBankApp, payOwnPayId } from "./simulate-transfer.ts";
