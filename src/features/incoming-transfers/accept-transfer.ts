import { defined } from "../../kernel/defined.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import { completeWith, type PaymentRequest, payIdEmail, writeEnd } from "../payment-requests/index.ts";
import { insertTransaction, newApprovedTransaction, transactionChange } from "../transactions/index.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";

type AcceptedTransfer = {
  readonly request: PaymentRequest;
  readonly transfer: Pick<IncomingTransfer, "message" | "payerName" | "receivedAt">;
};

/** Writes the approved transaction, the completed request and an event for each. */
export async function acceptTransfer(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { request, transfer }: AcceptedTransfer,
): Promise<Id<"transaction">> {
  const { payerName, receivedAt: now } = transfer;
  const facts = {
    id: newId("transaction", now),
    merchantId: merchant.id,
    paymentRequestId: request.id,
    reference: request.reference,
    metadata: request.metadata,
    source: "payid",
    phase: "waiting",
    amount: request.amount,
    currency: request.currency,
    payId: defined({
      email: payIdEmail(request.payIdValue ?? "", ctx.settings.payIdDomain),
      payerName: payerName ?? undefined,
      transfer: transfer.message,
    }),
    now,
  } as const;
  const transaction = newApprovedTransaction(facts, merchant.fees);
  await insertTransaction(tx, transaction, transactionChange(merchant.mode, transaction, ctx.settings));
  await writeEnd(ctx, tx, merchant.mode, completeWith(request, transaction, now));
  return transaction.id;
}
