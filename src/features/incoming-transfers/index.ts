export type { IncomingTransfer } from "./incoming-transfer.ts";
export { incomingTransferJobs } from "./jobs.ts";
export {
  AUTOMATIC_PAYMENT_JOB,
  findLinkedRequest,
  type LinkedRequest,
  payAtBankApp,
  payOwnPayId,
} from "./pay-in-sandbox.ts";
export { findTransfer, listUnmatchedTransfers } from "./queries.ts";
export { incomingTransferRoutes } from "./routes.ts";
