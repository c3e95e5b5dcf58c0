export { ACQUIRER_DEADLINE, askAcquirer, askBank, reverseAtAcquirer } from "./ask-acquirer.ts";
export { EXPIRE_AUTHORISATION_JOB, expireAuthorisation } from "./movements/expire-authorisation.ts";
export { finishMovementLater, MOVEMENT_JOB } from "./movements/move-money.ts";
export { cancelTransaction, captureTransaction } from "./movements/move-on-request.ts";
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
