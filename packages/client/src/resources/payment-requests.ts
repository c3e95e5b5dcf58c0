import type { Call } from "../call.ts";
import type { CreatePaymentRequestBody, Operations } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import { created, shown } from "../shown.ts";

type Query = Operations["listPaymentRequests"]["query"];

const CANCELLED = shown<"cancelPaymentRequest">("cancellation", { paymentRequestStatus: "cancelled" });

export function paymentRequestsOf(call: Call) {
  const read = { reads: "getPaymentRequest" } as const;
  return {
    create: (body: CreatePaymentRequestBody, options?: CallOptions) => {
      const recovery = { ...read, proof: created<"createPaymentRequest">("payment request", body) };
      return call("createPaymentRequest", { body, recovery }, options);
    },
    get: (paymentRequestId: string, options?: CallOptions) =>
      call("getPaymentRequest", { params: { paymentRequestId } }, options),
    /** One page, newest first. */
    list: (query?: Query, options?: CallOptions) => call("listPaymentRequests", { query }, options),
    /** All of them: `for await (const request of tidegate.paymentRequests.listAll()) …` */
    listAll: (filters?: FiltersOf<"listPaymentRequests">, options?: CallOptions) =>
      eachOf(call, "listPaymentRequests", { filters }, options),
    /** Only while it is `created` and no payment is in progress. */
    cancel: (paymentRequestId: string, options?: CallOptions) =>
      call(
        "cancelPaymentRequest",
        { params: { paymentRequestId }, recovery: { ...read, proof: CANCELLED } },
        options,
      ),
  };
}
