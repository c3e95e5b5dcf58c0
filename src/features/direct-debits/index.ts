export { BankFileProblem, type DebitAgreement } from "../../connectors/ports/debit-files.ts";
export { followUpDebit } from "./collect-debits.ts";
export { declineWaiting, type WaitingProblem } from "./decline-waiting.ts";
export { type Acknowledged, confirmAcknowledged, type FileRejected } from "./files/confirm-acknowledged.ts";
export { type Confirmed, type ConfirmProblem, confirmFile, type MissingTaken } from "./files/confirm-file.ts";
export {
  type Exported,
  type KeptBack,
  MAX_DEBITS,
  markWritten,
  planExport,
  WAITING_COUNTED,
  writeBatch,
} from "./files/export-debits.ts";
export { importReturns } from "./files/import-returns.ts";
export { listMissing } from "./files/list-missing.ts";
export { countUnconfirmed, countWaitingSince, listFiles, listUnwritten } from "./files/queries.ts";
export { directDebitJobs } from "./jobs.ts";
export { settleDebitsNow } from "./settle-debits-now.ts";
