import { refuse } from "../../kernel/refusal.ts";
import { listAnswer } from "../../platform/http/lists.ts";
import type { Route } from "../../platform/http/route.ts";
import { findEvent } from "../events/index.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { pageOfAttempts } from "./list-deliveries.ts";
import { presentAttempt } from "./present.ts";
import { periodProblems, redeliverEvent, redeliverRange } from "./redelivery/redeliver.ts";
import { DeliveryAnswer, DeliveryQuery, RangeAnswer, RangeBody, RedeliveryAnswer } from "./wire.ts";

const GROUP = "Events";

export const deliveryRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/events/{eventId}/deliveries",
    name: "listDeliveries",
    group: GROUP,
    summary: "List the deliveries of an event",
    about:
      "Attempts, newest first. The first row of a subscription has its delivery's status; those below it are earlier attempts. If the subscription was disabled or deleted before the endpoint acknowledged, that row has the reason as its `error` and no time.",
    scope: "read",
    query: DeliveryQuery,
    answer: listAnswer("deliveries", DeliveryAnswer, RESULT_OK),
    run: async (ctx, { caller, params, query }) => {
      if ((await findEvent(ctx.db, caller.merchantId, params.eventId)) === undefined)
        refuse("resource_not_found");
      const { shown, nextCursor } = await pageOfAttempts(ctx.db, caller.merchantId, params.eventId, query);
      const deliveries = shown.map((attempt) => presentAttempt(attempt, caller.merchant));
      return { count: shown.length, deliveries, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/events/{eventId}/redeliver",
    name: "redeliverEvent",
    group: GROUP,
    summary: "Deliver an event again",
    about:
      "Sends the same bytes to the subscription that is active for this event now, with a new series of retries.",
    scope: "write",
    answer: RedeliveryAnswer,
    refusals: ["event_redelivery_subscription_conflict"],
    run: async (ctx, { caller, params }) => {
      const { id, attempts } = await redeliverEvent(ctx, caller, params.eventId);
      const deliveries = attempts.map((attempt) => presentAttempt(attempt, caller.merchant));
      return { id, deliveries, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/events/redeliver",
    name: "redeliverEvents",
    group: GROUP,
    summary: "Deliver the events of a period again",
    about: "At most 10,000 events at a time; skips events without an active subscription.",
    scope: "write",
    body: RangeBody,
    rules: periodProblems,
    answer: RangeAnswer,
    refusals: ["event_redelivery_range_conflict"],
    example: { createdFrom: "2026-01-01T00:00:00Z", createdTo: "2026-01-02T00:00:00Z" },
    run: async (ctx, { caller, body }) => ({
      count: await redeliverRange(ctx, caller, body),
      result: ok(caller.mode),
    }),
  }),
];
