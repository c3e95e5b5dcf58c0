import type { Call } from "../call.ts";
import type { Operations } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";

type Query = Operations["listPayouts"]["query"];

export function payoutsOf(call: Call) {
  return {
    get: (payoutId: string, options?: CallOptions) => call("getPayout", { params: { payoutId } }, options),
    list: (query?: Query, options?: CallOptions) => call("listPayouts", { query }, options),
    listAll: (filters?: FiltersOf<"listPayouts">, options?: CallOptions) =>
      eachOf(call, "listPayouts", { filters }, options),
    /** All its lines, as CSV. */
    lines: (payoutId: string, options?: CallOptions) =>
      call("getPayoutLines", { params: { payoutId } }, options),
    /** The same lines, at the address of the other exports. */
    export: (payoutId: string, options?: CallOptions) =>
      call("exportPayout", { params: { payoutId } }, options),
  };
}
