import { moneyText } from "../../../browser/ui/money-text.ts";
import { cancelPaymentRequest, getPaymentRequest } from "../../features/payment-requests/index.ts";
import { cancelTransaction, findTransaction, totalOf } from "../../features/transactions/index.ts";
import { requireId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import type { MerchantPage, MerchantVisit } from "../shell/visit.ts";

const transactionPath = ({ base, params }: MerchantVisit) =>
  `${base}/transactions/${params["transactionId"] ?? ""}`;
const requestPath = ({ base, params }: MerchantVisit) =>
  `${base}/payment-requests/${params["requestId"] ?? ""}`;

/** What ends something before any money moved. */
export const endActionPages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/transactions/:transactionId/cancel",
    may: "act",
    run: async (ctx, visit) => {
      const id = requireId("transaction", visit.params["transactionId"] ?? "");
      const one = (await findTransaction(ctx.db, visit.merchant.id, id)) ?? refuse("resource_not_found");
      const path = transactionPath(visit);
      const title = `Cancel the authorisation of ${moneyText(totalOf(one))}?`;
      const content = confirmStep({
        action: `${path}/cancel`,
        formToken: visit.formToken,
        words: [
          `Transaction ${one.reference} (${one.id}): ${moneyText(totalOf(one))} ${one.currency} is released to the payer.`,
          "This can't be undone.",
        ],
        button: "Cancel the authorisation",
        backTo: path,
      });
      return { title, section: "transactions", content };
    },
  },
  {
    method: "POST",
    path: "/transactions/:transactionId/cancel",
    may: "act",
    audit: "authorisation cancelled",
    back: transactionPath,
    run: async (ctx, visit) => {
      await cancelTransaction(
        ctx,
        visit.caller,
        requireId("transaction", visit.params["transactionId"] ?? ""),
      );
      return {
        goTo: transactionPath(visit),
        say: { tone: "good", words: "The acquirer was told to release the money." },
      };
    },
  },
  {
    method: "GET",
    path: "/payment-requests/:requestId/cancel",
    may: "act",
    run: async (ctx, visit) => {
      const one = await getPaymentRequest(
        ctx,
        visit.merchant,
        requireId("paymentRequest", visit.params["requestId"] ?? ""),
      );
      const path = requestPath(visit);
      const content = confirmStep({
        action: `${path}/cancel`,
        formToken: visit.formToken,
        words: [
          `Payment request ${one.reference} (${one.id}) of ${moneyText(one.amount)} ${one.currency} can't be paid after this.`,
          "This can't be undone.",
        ],
        button: "Cancel the request",
        backTo: path,
      });
      return {
        title: `Cancel the request of ${moneyText(one.amount)}?`,
        section: "payment-requests",
        content,
      };
    },
  },
  {
    method: "POST",
    path: "/payment-requests/:requestId/cancel",
    may: "act",
    audit: "payment request cancelled",
    back: requestPath,
    run: async (ctx, visit) => {
      await cancelPaymentRequest(
        ctx,
        visit.caller,
        requireId("paymentRequest", visit.params["requestId"] ?? ""),
      );
      return { goTo: requestPath(visit), say: { tone: "good", words: "The payment request is cancelled." } };
    },
  },
];
