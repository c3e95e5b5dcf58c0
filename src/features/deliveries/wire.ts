import { createdRange, limit, updatedRange } from "../../platform/http/lists.ts";
import { answer, formatted, object, oneOf, optional } from "../../platform/http/schema.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { DELIVERY_STATUSES } from "./delivery.ts";

/** Query of `GET /events/{id}/deliveries`. */
export const DeliveryQuery = object(
  { code: "body_object_invalid" },
  {
    limit,
    cursor: optional(
      formatted({
        code: "query_cursor_invalid",
        max: 200,
        format: "attempt-cursor",
        about: "`nextCursor` of the previous page.",
      }),
    ),
    ...createdRange("Of `attemptedDateTime`; included.", "Of `attemptedDateTime`; not included."),
    ...updatedRange("Of `attemptedDateTime`; included.", "Of `attemptedDateTime`; not included."),
  },
);

/** Body of `POST /events/redeliver`. */
export const RangeBody = object(
  { code: "body_object_invalid" },
  {
    createdFrom: formatted({
      code: "event_redelivery_from_invalid",
      format: "date-time",
      about: "Included.",
    }),
    createdTo: formatted({
      code: "event_redelivery_to_invalid",
      format: "date-time",
      about: "Not included.",
    }),
    event: optional(
      oneOf({
        code: "event_redelivery_event_invalid",
        among: EVENT_VALUES,
        about: "Omitted: every event value.",
      }),
    ),
  },
);

export const DeliveryAnswer = answer.object({
  webhookId: answer.id("whk"),
  attempt: answer.integer("0 until the first attempt."),
  status: answer.oneOf(...DELIVERY_STATUSES),
  httpStatus: answer.nullable(answer.integer()),
  latencyMs: answer.nullable(answer.integer()),
  error: answer.nullable(answer.text("Why it was not acknowledged.")),
  attemptedDateTime: answer.nullable(answer.time()),
  nextAttemptDateTime: answer.nullable(answer.time()),
});

export const RedeliveryAnswer = answer.object({
  id: answer.id("evt"),
  deliveries: answer.list(DeliveryAnswer),
  result: RESULT_OK,
});

export const RangeAnswer = answer.object({
  count: answer.integer("Deliveries that start again."),
  result: RESULT_OK,
});
