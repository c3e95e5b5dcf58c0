import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";
import type { Payer } from "./pay-embedded.ts";

export type BankAccount = { readonly accountName: string; readonly bsb: string; readonly number: string };

/**
 * Direct debit: a customer, their bank account, a charge. The bank answers later: the charge is `pending`, and a webhook
 * reports the outcome. The account's number goes to the gateway's vault; the shop does not keep it.
 */
export async function payByDebit(
  { tidegate, orders }: Shop,
  order: Order,
  payer: Payer,
  bankAccount: BankAccount,
): Promise<string> {
  const key = `${order.id}-${order.payments.length}`;
  const customer = await tidegate.customers.create(payer);
  const account = await tidegate.paymentInstruments.create(customer.id, { bankAccount });
  const transaction = await tidegate.transactions.create(
    {
      reference: order.id,
      payment: {
        amount: order.basket.total,
        instrument: { customer: { id: customer.id, paymentInstrumentId: account.id } },
      },
    },
    // Charges once, even if the form is submitted twice.
    { idempotencyKey: key },
  );
  orders.addPayment(order.id, {
    method: "debit",
    transactionId: transaction.id,
    status: transaction.result.status,
    refunds: [],
  });
  return `/orders/${order.id}`;
}
