import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { CsvSpec } from "../../platform/http/csv.ts";
import type { Transaction } from "./transaction.ts";
import { totalOf } from "./transaction-rules.ts";

export const TRANSACTION_CSV: CsvSpec<Transaction> = {
  columns: [
    "code",
    "method",
    "source",
    "captureStatus",
    "surcharge",
    "totalAmount",
    "capturedAmount",
    "refundedAmount",
    "paymentRequestId",
    "customerId",
    "cardType",
    "last4",
  ],
  common: (one) => ({ ...one, transactionId: one.id }),
  cells: (one) => [
    one.code === null ? null : OUTCOMES[one.code],
    one.method,
    one.source,
    one.captureStatus,
    one.surcharge,
    totalOf(one),
    one.status === "approved" ? one.captured : 0,
    one.refunded,
    one.paymentRequestId,
    one.customerId,
    one.card?.cardType,
    one.card?.last4,
  ],
};
