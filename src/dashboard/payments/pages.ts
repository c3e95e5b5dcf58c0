import { refuse } from "../../kernel/refusal.ts";
import type { MerchantPage } from "../shell/visit.ts";
import { paymentModel } from "./payment-model.ts";
import { readPaymentOfRequest, readPaymentOfTransaction, refundPlace } from "./read-payment.ts";
import { paymentPage } from "./view.ts";

export const paymentPages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/payment-requests/:requestId",
    may: "read",
    run: async (ctx, visit) => {
      const payment = await readPaymentOfRequest(ctx, visit.merchant, visit.params["requestId"] ?? "");
      const { request } = payment;
      const content = paymentPage(paymentModel(ctx, visit, payment, undefined));
      return { title: nameOf("Payment request", request), section: "payment-requests", content };
    },
  },
  {
    method: "GET",
    path: "/transactions/:transactionId",
    may: "read",
    run: async (ctx, visit) => {
      const id = visit.params["transactionId"] ?? "";
      const payment = await readPaymentOfTransaction(ctx, visit.merchant, id);
      const chosen = payment.transactions.find((one) => one.id === id) ?? refuse("resource_not_found");
      const content = paymentPage(paymentModel(ctx, visit, payment, chosen));
      return { title: nameOf("Transaction", chosen), section: "transactions", content };
    },
  },
  {
    method: "GET",
    path: "/refunds/:refundId",
    may: "read",
    run: async (ctx, { merchant, params, base }) => {
      const { id, transactionId } = await refundPlace(ctx, merchant, params["refundId"] ?? "");
      return { goTo: `${base}/transactions/${transactionId}#${id}` };
    },
  },
];

/** By its reference, where it has one of its own. */
function nameOf(what: string, one: { readonly id: string; readonly reference: string } | undefined): string {
  return one === undefined || one.reference === one.id ? what : `${what} ${one.reference}`;
}
