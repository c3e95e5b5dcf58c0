import { refuse } from "../../kernel/refusal.ts";
import { type MerchantPage, merchantPage } from "../shell/page.ts";
import { transactionOfRefund } from "./queries.ts";
import { readPaymentOfRequest, readPaymentOfTransaction } from "./read-payment.ts";
import { paymentView } from "./view.ts";

export const paymentPages: readonly MerchantPage[] = [
  merchantPage({
    method: "GET",
    path: "/payment-requests/{paymentRequestId}",
    right: "read",
    run: async (ctx, visit) => {
      const payment = await readPaymentOfRequest(ctx, visit.merchant, visit.params.paymentRequestId);
      return {
        title: nameOf("Payment request", payment.request),
        section: "payment-requests",
        content: paymentView(visit, payment, { chosen: undefined, settings: ctx.settings }),
      };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/transactions/{transactionId}",
    right: "read",
    run: async (ctx, visit) => {
      const { transactionId } = visit.params;
      const payment = await readPaymentOfTransaction(ctx, visit.merchant, transactionId);
      const chosen =
        payment.transactions.find(({ id }) => id === transactionId) ?? refuse("resource_not_found");
      return {
        title: nameOf("Transaction", chosen),
        section: "transactions",
        content: paymentView(visit, payment, { chosen, settings: ctx.settings }),
      };
    },
  }),
  /** A refund has no page: its transaction's page shows it. */
  merchantPage({
    method: "GET",
    path: "/refunds/{refundId}",
    right: "read",
    run: async (ctx, { merchant, params, base }) => {
      const found = await transactionOfRefund(ctx.db, merchant.id, params.refundId);
      const { id, transactionId } = found ?? refuse("resource_not_found");
      return { goTo: `${base}/transactions/${transactionId}#${id}` };
    },
  }),
];

/** By its reference, where it has one of its own. */
function nameOf(noun: string, one: { readonly id: string; readonly reference: string } | undefined): string {
  return one === undefined || one.reference === one.id ? noun : `${noun} ${one.reference}`;
}
