import { type Id, parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { CSV_ANSWER, csvOf } from "../../platform/http/csv.ts";
import {
  cutPage,
  exportQuery,
  listAnswer,
  listQuery,
  type Page,
  pageOf,
  walkPages,
} from "../../platform/http/lists.ts";
import { METADATA_FILTER, pairFilter } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { answer, type Static } from "../../platform/http/schema.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { findTransaction, presentTransaction, TransactionAnswer } from "../transactions/index.ts";
import { presentRefund } from "./present.ts";
import { findRefund, listRefunds, type RefundFilters } from "./queries.ts";
import type { Refund } from "./refund.ts";
import { REFUND_CSV } from "./refund-csv.ts";
import { requestRefund } from "./request-refund.ts";
import { REFUND_FILTERS, RefundAnswer, RefundBody } from "./wire.ts";

const GROUP = "Refunds";

export const refundRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/transactions/{transactionOrRefundId}",
    name: "getTransaction",
    group: "Transactions",
    summary: "Read a transaction",
    about: "The id of a refund answers the refund, as a `transactions` event may be about either.",
    scope: "read",
    answer: answer.either(TransactionAnswer, RefundAnswer),
    run: async (ctx, { caller, params }) => {
      const refundId = parseId("refund", params.transactionOrRefundId);
      if (refundId !== undefined) return presented(ctx, caller, await getRefund(ctx, caller, refundId));
      const transactionId = params.transactionOrRefundId as Id<"transaction">;
      const transaction =
        (await findTransaction(ctx.db, caller.merchantId, transactionId)) ?? refuse("resource_not_found");
      return presentTransaction(transaction, caller.mode, ctx.settings);
    },
  }),
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
      return presented(ctx, caller, await requestRefund(ctx, caller, params.transactionId, input));
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
    query: listQuery("refund", METADATA_FILTER),
    answer: listAnswer("refunds", RefundAnswer, RESULT_OK),
    run: async (ctx, { caller, params, query }) => {
      const { transactionId } = params;
      if (!(await findTransaction(ctx.db, caller.merchantId, transactionId))) refuse("resource_not_found");
      return answerList(ctx, caller, pageOf("refund", query), {
        transaction_id: transactionId,
        pair: pairFilter(query.metadata, transactionId),
      });
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/transactions/{transactionId}/refunds/{refundId}",
    name: "getRefund",
    group: GROUP,
    summary: "Read a refund of a transaction",
    about: "`pending` until the bank has answered.",
    scope: "read",
    answer: RefundAnswer,
    run: async (ctx, { caller, params }) => {
      const refund = await getRefund(ctx, caller, params.refundId);
      if (refund.transactionId !== params.transactionId) refuse("resource_not_found");
      return presented(ctx, caller, refund);
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/refunds",
    name: "listAllRefunds",
    group: GROUP,
    summary: "List refunds",
    scope: "read",
    query: listQuery("refund", REFUND_FILTERS),
    answer: listAnswer("refunds", RefundAnswer, RESULT_OK),
    run: async (ctx, { caller, query }) => answerList(ctx, caller, pageOf("refund", query), filtersOf(query)),
  }),
  merchantRoute({
    method: "GET",
    path: "/refunds.csv",
    name: "exportRefunds",
    group: GROUP,
    summary: "Export refunds as a CSV",
    about: "The rows of the list with the same filters, all of them.",
    scope: "read",
    query: exportQuery(REFUND_FILTERS),
    answer: CSV_ANSWER,
    answers: "text/csv",
    run: async (ctx, { caller, query }) => {
      const read = (page: Page) => listRefunds(ctx.reads, caller.merchantId, page, filtersOf(query));
      return csvOf(walkPages(pageOf("refund", query), read), REFUND_CSV);
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/refunds/{refundId}",
    name: "readRefund",
    group: GROUP,
    summary: "Read a refund",
    scope: "read",
    answer: RefundAnswer,
    run: async (ctx, { caller, params }) =>
      presented(ctx, caller, await getRefund(ctx, caller, params.refundId)),
  }),
];

type FilterQuery = Static<ReturnType<typeof exportQuery<typeof REFUND_FILTERS>>>;

function filtersOf({ transactionid, reference, status, metadata }: FilterQuery): RefundFilters {
  return { transaction_id: transactionid, reference, status, pair: pairFilter(metadata) };
}

const presented = ({ settings }: Context, { mode }: Caller, refund: Refund) =>
  presentRefund(refund, mode, settings);

async function getRefund(ctx: Context, caller: Caller, id: Id<"refund">): Promise<Refund> {
  return (await findRefund(ctx.db, caller.merchantId, id)) ?? refuse("resource_not_found");
}

async function answerList(ctx: Context, caller: Caller, page: Page, filters: RefundFilters) {
  const { shown, nextCursor } = cutPage(await listRefunds(ctx.reads, caller.merchantId, page, filters), page);
  const refunds = shown.map((refund) => presented(ctx, caller, refund));
  return { count: shown.length, refunds, nextCursor, result: ok(caller.mode) };
}
