import { clockOf } from "../../platform/context.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import { pairFilter } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { cancelPaymentRequest } from "./cancel-payment-request.ts";
import { createPaymentRequest, unknownCustomer } from "./create-payment-request.ts";
import { getPaymentRequest } from "./get-payment-request.ts";
import { listPaymentRequests } from "./list-payment-requests.ts";
import { presentPaymentRequest } from "./present.ts";
import { paymentRequestProblems } from "./request-rules.ts";
import { PAYMENT_REQUEST_FILTERS, PaymentRequestAnswer, PaymentRequestBody } from "./wire.ts";

const GROUP = "Payment requests";
const EXAMPLE = {
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
};

export const paymentRequestRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/paymentrequests",
    name: "createPaymentRequest",
    group: GROUP,
    summary: "Create a payment request",
    about:
      "Exactly one of three: a card or wallet checkout (`paymentMethods` and `transactionRequest`), a hosted page " +
      "(`hostedPaymentPage`), or a PayID (`payment.instrument.payId`).",
    scope: "write",
    body: PaymentRequestBody,
    rules: (body, { caller, ctx, sound }) =>
      paymentRequestProblems(body, caller.merchant, clockOf(ctx, caller.merchant), sound),
    lookUp: (body, { caller, ctx }) => unknownCustomer(ctx, caller, body.customerRequest?.id),
    answer: PaymentRequestAnswer,
    refusals: [
      ...([
        "payment_request_payid_combination_refused",
        "payment_request_payid_value_taken",
        "payment_request_payment_methods_capability_missing",
        "payment_request_three_d_secure_capability_missing",
        "payment_request_three_d_secure_not_offered",
        "payment_request_payid_capability_missing",
        "payment_request_payid_rail_missing",
        "checkout_acquirer_missing",
      ] as const),
      ...([
        "hosted_payment_page_logo_too_large",
        "hosted_payment_page_logo_bytes_invalid",
        "hosted_payment_page_logo_svg_unsafe",
        "hosted_payment_page_totals_mismatch",
      ] as const),
    ],
    example: EXAMPLE,
    run: async (ctx, { caller, body }) =>
      presentPaymentRequest(await createPaymentRequest(ctx, caller, body), caller.mode, ctx.settings),
  }),
  merchantRoute({
    method: "GET",
    path: "/paymentrequests",
    name: "listPaymentRequests",
    group: GROUP,
    summary: "List payment requests",
    about: "Newest first. Filters by `status`, `reference` and time combine.",
    scope: "read",
    query: listQuery("paymentRequest", PAYMENT_REQUEST_FILTERS),
    answer: listAnswer("paymentRequests", PaymentRequestAnswer, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("paymentRequest", query);
      const { status, reference, metadata } = query;
      const pair = pairFilter(metadata);
      const filters = { ...(status && { status }), ...(reference && { reference }), pair };
      const { shown, nextCursor } = cutPage(
        await listPaymentRequests(ctx, caller.merchant, page, filters),
        page,
      );
      const paymentRequests = shown.map((request) =>
        presentPaymentRequest(request, caller.mode, ctx.settings),
      );
      return { count: shown.length, paymentRequests, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/paymentrequests/{paymentRequestId}",
    name: "getPaymentRequest",
    group: GROUP,
    summary: "Read a payment request",
    about: "With its state, its attempts and, once it is paid, its transaction.",
    scope: "read",
    answer: PaymentRequestAnswer,
    run: async (ctx, { caller, params }) => {
      const request = await getPaymentRequest(ctx, caller.merchant, params.paymentRequestId);
      return presentPaymentRequest(request, caller.mode, ctx.settings);
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/paymentrequests/{paymentRequestId}/cancel",
    name: "cancelPaymentRequest",
    group: GROUP,
    summary: "Cancel a payment request",
    about: "Only while it is `created`.",
    scope: "write",
    answer: PaymentRequestAnswer,
    refusals: ["payment_request_state_conflict", "checkout_payment_in_progress"],
    run: async (ctx, { caller, params }) => {
      const request = await cancelPaymentRequest(ctx, caller, params.paymentRequestId);
      return presentPaymentRequest(request, caller.mode, ctx.settings);
    },
  }),
];
