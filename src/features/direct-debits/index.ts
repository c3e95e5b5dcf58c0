export type { DebitAgreement } from "./debit-agreement.ts";
export { confirmExport, planExport, writeBatch } from "./export-debits.ts";
export { debitCare, FOLLOW_DEBIT_JOB, followDebit } from "./follow-debit.ts";
export { importReturns } from "./import-returns.ts";
export { listFiles } from "./queries.ts";
export { settleDebitsNow } from "./settle-debits-now.ts";
