import type { Call } from "../call.ts";
import type { Operations, RedeliverEventsBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";

type Query = Operations["listEvents"]["query"];
type DeliveryQuery = Operations["listDeliveries"]["query"];

export function eventsOf(call: Call) {
  return {
    get: (eventId: string, options?: CallOptions) => call("getEvent", { params: { eventId } }, options),
    list: (query?: Query, options?: CallOptions) => call("listEvents", { query }, options),
    listAll: (filters?: FiltersOf<"listEvents">, options?: CallOptions) =>
      eachOf(call, "listEvents", { filters }, options),
    /** Every delivery attempt. */
    deliveries: (eventId: string, query?: DeliveryQuery, options?: CallOptions) =>
      call("listDeliveries", { params: { eventId }, query }, options),
    /** Receivers expect repeats, so one more does no harm. */
    redeliver: (eventId: string, options?: CallOptions) =>
      call("redeliverEvent", { params: { eventId }, recovery: "again" }, options),
    /** Redelivers all events of a period. */
    redeliverAll: (body: RedeliverEventsBody, options?: CallOptions) =>
      call("redeliverEvents", { body, recovery: "none" }, options),
  };
}
