export type { IncomingTransfer } from "./incoming-transfer.ts";
export { incomingTransferJobs } from "./jobs.ts";
export { PAY_BY_ITSELF_JOB, payAtBankApp, payOwnPayId } from "./pay-in-sandbox.ts";
export { findTransfer, listAstray } from "./queries.ts";
export { incomingTransferRoutes } from "./routes.ts";
