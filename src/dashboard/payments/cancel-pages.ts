import { moneyText } from "../../../browser/ui/money-text.ts";
import { cancelPaymentRequest, getPaymentRequest } from "../../features/payment-requests/index.ts";
import { authorisedOf, cancelTransaction, findTransaction } from "../../features/transactions/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import { type MerchantPage, type MerchantVisit, redirect } from "../shell/page.ts";
import { operationNotice } from "./operation-notice.ts";

const transactionPath = ({ base, params }: MerchantVisit<"{transactionId}">) =>
  `${base}/transactions/${params.transactionId}`;
const requestPath = ({ base, params }: MerchantVisit<"{paymentRequestId}">) =>
  `${base}/payment-requests/${params.paymentRequestId}`;

/** Cancels an authorisation or a request, before any money moved. */
export const cancelPages: readonly MerchantPage[] = [
  ...confirmedMerchantPages("transactions", {
    path: "/transactions/{transactionId}/cancel",
    right: "act",
    audit: "authorisation cancelled",
    backTo: transactionPath,
    confirm: async (ctx, { merchant, params }) => {
      const found = await findTransaction(ctx.db, merchant.id, params.transactionId);
      const transaction = found ?? refuse("resource_not_found");
      const { id, reference, currency } = transaction;
      const amount = moneyText(authorisedOf(transaction));
      return {
        title: `Cancel the authorisation of ${amount}?`,
        words: [
          `Transaction ${reference} (${id}): ${amount} ${currency} is released to the payer.`,
          "This can't be undone.",
        ],
        button: "Cancel the authorisation",
      };
    },
    run: async (ctx, visit) => {
      const cancelled = await cancelTransaction(ctx, visit.caller, visit.params.transactionId);
      const { words, tone } = operationNotice("cancellation", cancelled);
      return redirect(transactionPath(visit), words, tone);
    },
  }),
  ...confirmedMerchantPages("payment-requests", {
    path: "/payment-requests/{paymentRequestId}/cancel",
    right: "act",
    audit: "payment request cancelled",
    backTo: requestPath,
    confirm: async (ctx, { merchant, params }) => {
      const request = await getPaymentRequest(ctx, merchant, params.paymentRequestId);
      const { id, reference, currency } = request;
      const amount = moneyText(request.amount);
      return {
        title: `Cancel the request of ${amount}?`,
        words: [
          `Payment request ${reference} (${id}) of ${amount} ${currency} can't be paid after this.`,
          "This can't be undone.",
        ],
        button: "Cancel the request",
      };
    },
    run: async (ctx, visit) => {
      await cancelPaymentRequest(ctx, visit.caller, visit.params.paymentRequestId);
      return redirect(requestPath(visit), "The payment request is cancelled.");
    },
  }),
];
