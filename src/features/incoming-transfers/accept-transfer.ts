import { feeOf } from "../../kernel/fees.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import { payIdEmail } from "../payids/index.ts";
import { type PaymentRequest, paid, writeEnd } from "../payment-requests/index.ts";
import { insertSettledTransaction, type Transaction, transactionChange } from "../transactions/index.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";

/** The money is ours: an approved transaction, the completed request, and one event for each. */
export async function acceptTransfer(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  request: PaymentRequest,
  transfer: Pick<IncomingTransfer, "message" | "payerName" | "receivedAt">,
): Promise<Id<"transaction">> {
  const now = transfer.receivedAt;
  const { payerName } = transfer;
  const transaction: Transaction = {
    id: newId("transaction", now),
    merchantId: merchant.id,
    paymentRequestId: request.id,
    reference: request.reference,
    method: "purchase",
    source: "payid",
    origin: "internet",
    frequency: "single",
    captureType: "auto",
    status: "approved",
    phase: "settled",
    code: "approved",
    amount: request.amount,
    surcharge: 0,
    currency: request.currency,
    captureStatus: "captured",
    captured: request.amount,
    fee: feeOf(merchant.fees, "payid", request.amount),
    refundsHeld: 0,
    refunded: 0,
    card: null,
    payId: {
      email: payIdEmail(request.payIdValue ?? "", ctx.settings.payIdDomain),
      ...(payerName === null ? {} : { payerName }),
      transfer: transfer.message,
    },
    bankAccount: null,
    customerId: null,
    paymentInstrumentId: null,
    storesInstrumentId: null,
    authentication: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertSettledTransaction(tx, transaction, transactionChange(merchant.mode, transaction));
  await writeEnd(ctx, tx, merchant.mode, paid(request, transaction, now));
  return transaction.id;
}
