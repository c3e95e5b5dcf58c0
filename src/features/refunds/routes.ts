import { refuse } from "../../kernel/refusal.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import { METADATA_FILTER } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { presentRefund } from "./present.ts";
import { findRefund, listRefunds } from "./queries.ts";
import { requestRefund } from "./request-refund.ts";
import { RefundAnswer, RefundBody } from "./wire.ts";

const GROUP = "Refunds";

export const refundRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/transactions/{transactionId}/refunds",
    name: "createRefund",
    group: GROUP,
    summary: "Refund a transaction",
    about: "The remaining amount unless one is given; several partial refunds are allowed. Settles later.",
    scope: "write",
    body: RefundBody,
    bodyOptional: true,
    answer: RefundAnswer,
    refusals: ["refund_transaction_state_conflict", "refund_amount_conflict", "checkout_acquirer_missing"],
    example: { payment: { amount: 500 } },
    run: async (ctx, { caller, params, body }) => {
      const { reference, metadata } = body;
      const input = { amount: body.payment?.amount, reference, metadata };
      return presentRefund(
        await requestRefund(ctx, caller, params.transactionId, input),
        caller.mode,
        ctx.settings,
      );
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/transactions/{transactionId}/refunds",
    name: "listRefunds",
    group: GROUP,
    summary: "List the refunds of a transaction",
    about: "Newest first.",
    scope: "read",
    query: listQuery(METADATA_FILTER),
    answer: listAnswer("refunds", RefundAnswer, RESULT_OK),
    run: async (ctx, { caller, params, query }) => {
      const { transactionId } = params;
      if (!(await findTransaction(ctx.db, caller.merchantId, transactionId))) refuse("resource_not_found");
      const page = pageOf("refund", query);
      const { shown, nextCursor } = cutPage(
        await listRefunds(ctx.db, caller.merchantId, page, { transactionId, metadata: query.metadata }),
        page,
      );
      const refunds = shown.map((refund) => presentRefund(refund, caller.mode, ctx.settings));
      return { count: shown.length, refunds, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/transactions/{transactionId}/refunds/{refundId}",
    name: "getRefund",
    group: GROUP,
    summary: "Read a refund",
    about: "`pending` until the bank has answered.",
    scope: "read",
    answer: RefundAnswer,
    run: async (ctx, { caller, params }) => {
      const refund =
        (await findRefund(ctx.db, caller.merchantId, params.refundId)) ?? refuse("resource_not_found");
      if (refund.transactionId !== params.transactionId) refuse("resource_not_found");
      return presentRefund(refund, caller.mode, ctx.settings);
    },
  }),
];
