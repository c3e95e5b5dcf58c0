import type { Call } from "../call.ts";
import type { Operations } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";

/** Refunds of all transactions. `transactions.refund` makes one. */
export function refundsOf(call: Call) {
  return {
    get: (refundId: string, options?: CallOptions) => call("readRefund", { params: { refundId } }, options),
    list: (query?: Operations["listAllRefunds"]["query"], options?: CallOptions) =>
      call("listAllRefunds", { query }, options),
    /** All rows of the list, as CSV. */
    export: (filters?: Operations["exportRefunds"]["query"], options?: CallOptions) =>
      call("exportRefunds", { query: filters }, options),
    listAll: (filters?: FiltersOf<"listAllRefunds">, options?: CallOptions) =>
      eachOf(call, "listAllRefunds", { filters }, options),
  };
}
