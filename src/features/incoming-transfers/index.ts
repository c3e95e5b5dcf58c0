export type { IncomingTransfer } from "./incoming-transfer.ts";
export {
  DELIVER_TRANSFER_JOB,
  deliverTransfer,
  PAY_BY_ITSELF_JOB,
  payAtBankApp,
  payByItself,
  payOwnPayId,
} from "./pay-in-sandbox.ts";
export { findTransfer, listAstray } from "./queries.ts";
export { RETURN_TRANSFER_JOB, returnTransfer } from "./return-transfer.ts";
export { incomingTransferRoutes } from "./routes.ts";
