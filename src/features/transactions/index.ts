export { ACQUIRER_DEADLINE, askAcquirer, askBank, reverseAtAcquirer } from "./ask-acquirer.ts";
export {
  cancelTransaction,
  captureTransaction,
  EXPIRE_AUTHORISATION_JOB,
  expireAuthorisation,
  finishMovementLater,
  MOVEMENT_JOB,
} from "./move-money.ts";
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
export { MovementBody, OUTCOME_RESULT, TransactionAnswer } from "./wire.ts";
