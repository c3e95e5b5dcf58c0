export { ACQUIRER_DEADLINE, answerOrUnknown, reverseAtAcquirer, withDeadline } from "./call-bank.ts";
export { transactionJobs } from "./jobs.ts";
export { EXPIRE_AUTHORISATION_JOB } from "./operations/expire-authorisation.ts";
export { cancelTransaction, captureTransaction } from "./operations/request-operation.ts";
export { presentOutcome, presentTransaction, transactionPath } from "./present.ts";
export {
  findPendingOf,
  findTransaction,
  insertSettledTransaction,
  insertTransaction,
  lockTransaction,
  updateTransaction,
} from "./queries.ts";
export { transactionRoutes } from "./routes.ts";
export {
  type AuthenticationStatus,
  authorisationEnd,
  isAuthenticating,
  isOpenAuthorisation,
  type MaskedAccount,
  type MaskedCard,
  refundable,
  returned,
  settled,
  type Transaction,
  totalOf,
} from "./transaction.ts";
export { transactionChange } from "./transaction-change.ts";
export { OperationBody, OUTCOME_RESULT, TransactionAnswer } from "./wire.ts";
