export {
  answerOrUnknown,
  BANK_DEADLINE,
  BANK_GRACE,
  REVERSE_AGAIN_AFTER,
  reverseAtAcquirer,
  withDeadline,
} from "./call-bank.ts";
export { disputeJobOf, OPEN_DISPUTE_JOB } from "./dispute-job.ts";
export { transactionChores } from "./erase-old-cards.ts";
export { transactionJobs } from "./jobs.ts";
export type { OperatedTransaction, Operation } from "./operations/operation.ts";
export { EXPIRE_AUTHORISATION_JOB, findOperation, findPendingOperation } from "./operations/queries.ts";
export { recordLateApproval } from "./operations/record-late-approval.ts";
export { cancelTransaction, captureTransaction } from "./operations/request-operation.ts";
export { finishOperation, recordOperation } from "./operations/run-operation.ts";
export {
  aboutPayment,
  eraseCardLater,
  eraseCardOnceReversed,
  eraseTransactionCard,
  keepTransactionCard,
  REVERSE_AGAIN_JOB,
  REVERSE_REFUND_JOB,
  wantsNumber,
} from "./original-payment.ts";
export {
  type Links,
  presentLateApproval,
  presentOutcome,
  presentTransaction,
  transactionPath,
} from "./present.ts";
export {
  type FollowUp,
  findPendingOf,
  findTransaction,
  insertTransaction,
  lockTransaction,
  updateTransaction,
} from "./queries.ts";
export { receiptJobOf, SEND_RECEIPT_JOB } from "./receipt-job.ts";
export { transactionRoutes } from "./routes.ts";
export {
  type AuthenticationFacts,
  type MaskedAccount,
  newTransaction,
  type Transaction,
} from "./transaction.ts";
export { transactionChange } from "./transaction-change.ts";
export { changedValues, TRANSACTION_CHANGE, TRANSACTION_ROW, transactionValues } from "./transaction-row.ts";
export {
  advance,
  authorisationEnd,
  authorisedOf,
  declineOfReversed,
  holdDispute,
  holdRefund,
  isAuthenticating,
  isCaptured,
  isKnownReversed,
  isOpenAuthorisation,
  isUnreversed,
  isVerification,
  markReturned,
  newApprovedTransaction,
  refundable,
  refusePart,
  releaseDispute,
  settle,
  settleHeldRefund,
  totalOf,
  withAccount,
  withAcquirerReference,
  withAuthentication,
  withChangeTime,
  withFacts,
  withInstrument,
} from "./transaction-rules.ts";
export { LateApprovalAnswer, OPERATION_FIELDS, OUTCOME_RESULT, TransactionAnswer } from "./wire.ts";
