import { answer, oneOf, optional, plainText } from "../../platform/http/schema.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { RESULT_OK } from "../merchants/index.ts";

/** Query of `GET /events`, beyond paging. */
export const EVENT_FILTERS = {
  event: optional(
    oneOf({ code: "query_event_invalid", about: "Only events with this value.", among: EVENT_VALUES }),
  ),
  resourceid: optional(
    plainText({ code: "query_resourceid_invalid", about: "Only events about this resource.", max: 64 }),
  ),
};

const ENVELOPE = {
  id: answer.id("evt"),
  reference: answer.text("The resource's own reference."),
  created: answer.time(),
  version: answer.oneOf("1.0.0"),
  event: answer.oneOf(...EVENT_VALUES),
  payload: answer.anything("The resource as its GET returned it at that moment."),
};

export const EventInList = answer.object(ENVELOPE);
export const EventAnswer = answer.object({ ...ENVELOPE, result: RESULT_OK });
