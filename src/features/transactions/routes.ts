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
import { pairFilter } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import type { Static } from "../../platform/http/schema.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { cancelTransaction, captureTransaction } from "./operations/request-operation.ts";
import { presentOperated, presentTransaction } from "./present.ts";
import { listTransactions, type TransactionFilters } from "./queries.ts";
import { TRANSACTION_CSV } from "./transaction-csv.ts";
import { CaptureBody, TRANSACTION_FILTERS, TransactionAnswer } from "./wire.ts";

const GROUP = "Transactions";

/** GET /transactions/{id} is in refunds/routes.ts: the id may be a refund's, and refunds come later in the order. */
export const transactionRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/transactions",
    name: "listTransactions",
    group: GROUP,
    summary: "List transactions",
    about: "Newest first, without refunds. Filters combine.",
    scope: "read",
    query: listQuery("transaction", TRANSACTION_FILTERS),
    answer: listAnswer("transactions", TransactionAnswer, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("transaction", query);
      const rows = await listTransactions(ctx.reads, caller.merchantId, page, filtersOf(query));
      const { shown, nextCursor } = cutPage(rows, page);
      const transactions = shown.map((one) => presentTransaction(one, caller.mode, ctx.settings));
      return { count: shown.length, transactions, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/transactions.csv",
    name: "exportTransactions",
    group: GROUP,
    summary: "Export transactions as a CSV",
    about: "The rows of the list with the same filters, all of them.",
    scope: "read",
    query: exportQuery(TRANSACTION_FILTERS),
    answer: CSV_ANSWER,
    answers: "text/csv",
    run: async (ctx, { caller, query }) => {
      const read = (page: Page) => listTransactions(ctx.reads, caller.merchantId, page, filtersOf(query));
      return csvOf(walkPages(pageOf("transaction", query), read), TRANSACTION_CSV);
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/transactions/{transactionId}/capture",
    name: "captureTransaction",
    group: GROUP,
    summary: "Capture an authorisation",
    about:
      "Once, up to the authorised total; the full total unless an amount is given. `result` is the capture's: `declined` " +
      "with the acquirer's code leaves the authorisation as it was, `pending` means that the outcome is not known yet.",
    scope: "write",
    body: CaptureBody,
    bodyOptional: true,
    answer: TransactionAnswer,
    refusals: [
      "transaction_capture_state_conflict",
      "transaction_capture_amount_conflict",
      "transaction_operation_in_progress",
    ],
    example: { reference: "shipment-1", payment: { amount: 2500 } },
    run: async (ctx, { caller, params, body }) => {
      const { payment, reference } = body;
      const input = { amount: payment?.amount, reference };
      const captured = await captureTransaction(ctx, caller, params.transactionId, input);
      return presentOperated(captured, caller.mode, ctx.settings);
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/transactions/{transactionId}/cancel",
    name: "cancelTransaction",
    group: GROUP,
    summary: "Cancel an authorisation that was not captured",
    about:
      "`result` is the cancellation's: `declined` with the acquirer's code leaves the authorisation as it was, `pending` " +
      "means that the outcome is not known yet.",
    scope: "write",
    answer: TransactionAnswer,
    refusals: ["transaction_capture_state_conflict", "transaction_operation_in_progress"],
    run: async (ctx, { caller, params }) =>
      presentOperated(await cancelTransaction(ctx, caller, params.transactionId), caller.mode, ctx.settings),
  }),
];

type FilterQuery = Static<ReturnType<typeof exportQuery<typeof TRANSACTION_FILTERS>>>;

function filtersOf(query: FilterQuery): TransactionFilters {
  const { paymentrequestid, customerid, reference, status, metadata } = query;
  const columns = { payment_request_id: paymentrequestid, customer_id: customerid, reference, status };
  return { ...columns, pair: pairFilter(metadata) };
}
