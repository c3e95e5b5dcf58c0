import type { Mode } from "../../kernel/mode.ts";
import type { Change } from "../../platform/outbox/publish.ts";
import { type Links, presentTransaction } from "./present.ts";
import type { Transaction } from "./transaction.ts";

/** The event of a transaction's latest change. */
export function transactionChange(mode: Mode, transaction: Transaction, links: Links): Change {
  return {
    merchantId: transaction.merchantId,
    event: "transactions",
    resourceId: transaction.id,
    reference: transaction.reference,
    at: transaction.updatedAt,
    payload: presentTransaction(transaction, mode, links),
  };
}
