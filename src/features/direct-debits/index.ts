export { BankFileProblem, type DebitAgreement } from "../../connectors/ports/debit-files.ts";
export { confirmExport, planExport, writeBatch } from "./files/export-debits.ts";
export { importReturns } from "./files/import-returns.ts";
export { listFiles } from "./files/queries.ts";
export { followUpDebit } from "./follow-debit.ts";
export { directDebitJobs } from "./jobs.ts";
export { settleDebitsNow } from "./settle-debits-now.ts";
