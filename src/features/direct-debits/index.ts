export { BankFileProblem, type DebitAgreement } from "../../connectors/ports/debit-files.ts";
export { followUpDebit } from "./collect-debits.ts";
export { type Acknowledged, confirmAcknowledged } from "./files/confirm-acknowledged.ts";
export { type ConfirmProblem, confirmFile } from "./files/confirm-file.ts";
export { markWritten, planExport, writeBatch } from "./files/export-debits.ts";
export { importReturns } from "./files/import-returns.ts";
export { countUnconfirmed, listFiles } from "./files/queries.ts";
export { directDebitJobs } from "./jobs.ts";
export { settleDebitsNow } from "./settle-debits-now.ts";
