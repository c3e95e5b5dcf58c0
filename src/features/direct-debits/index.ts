export { debitCare, FOLLOW_DEBIT_JOB, followDebit } from "./follow-debit.ts";
export { settleDebitsNow } from "./settle-debits-now.ts";
