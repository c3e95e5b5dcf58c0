import { EVENT_VALUES } from "../outbox/publish.ts";
import type { JsonSchema, Parameter, WebhookOperation } from "./openapi-shape.ts";

/** The test of a subscription is posted like an event, and is in no event log. */
const POSTED = [...EVENT_VALUES, "ping"] as const;
type Posted = (typeof POSTED)[number];

type Described = { readonly when: string; readonly payloads: readonly string[] };

/** What each value of `event` reports, by the names of its resources' schemas. */
const EVENTS: Readonly<Record<Posted, Described>> = {
  payment_requests: {
    when: "A payment request was made or has changed. Its logo is left out.",
    payloads: ["PaymentRequest"],
  },
  transactions: {
    when: "A transaction or a refund was made or has changed.",
    payloads: ["Transaction", "Refund"],
  },
  customers: { when: "A customer was made or has changed.", payloads: ["Customer"] },
  payment_instruments: {
    when: "A payment instrument was made, has changed or was deleted (then with `deletedDateTime`).",
    payloads: ["PaymentInstrument"],
  },
  disputes: {
    when: "A dispute was opened, or has changed: evidence was sent, or it was accepted or decided.",
    payloads: ["Dispute"],
  },
  payouts: { when: "A payout was made or has changed.", payloads: ["Payout"] },
  ping: { when: "`POST /webhooks/{webhookId}/test` was called. Nothing has changed.", payloads: ["Webhook"] },
};

const header = (name: string, required: boolean, description: string): Parameter => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
});

const HEADERS: readonly Parameter[] = [
  header("X-Signature", true, "Lower-case hex of HMAC-SHA256 over the exact bytes of the body."),
  header("X-Signature-Previous", false, "The same with the key before, for 24 hours after it was replaced."),
  header("webhook-id", true, "The event's id; the same each time that the event is sent."),
  header("webhook-timestamp", true, "When it was sent, in seconds since 1970."),
  header("webhook-signature", true, "Signatures of the Standard Webhooks scheme."),
];

/** What we post to merchants, as far as its schemas are described. */
export function webhookOperations(
  schemas: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, { readonly post: WebhookOperation }>> {
  const envelope = schemas["Event"];
  const described = POSTED.filter((event) => EVENTS[event].payloads.every((name) => name in schemas));
  return Object.fromEntries(
    (envelope === undefined ? [] : described).map((event) => [
      event,
      { post: operationOf(event, envelope ?? {}, schemas) },
    ]),
  );
}

function operationOf(
  event: Posted,
  envelope: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): WebhookOperation {
  const { when, payloads } = EVENTS[event];
  // `result` belongs to answers of the API.
  const { result: _, ...fields } = envelope.properties ?? {};
  const schema: JsonSchema = {
    ...envelope,
    required: Object.keys(fields),
    properties: {
      ...fields,
      event: { type: "string", enum: [event] },
      payload: anyOf(payloads.flatMap((name) => versionsOf(name, schemas))),
    },
  };
  return {
    operationId: `on${event.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: `Event ${event}`,
    description: when,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "Acknowledged: it is not sent again." },
      "410": { description: "Gone: the subscription is disabled." },
      default: { description: "It is sent again later." },
    },
  };
}

/** A deletion is reported once more, with the time of the deletion. */
function versionsOf(name: string, schemas: Readonly<Record<string, JsonSchema>>): readonly JsonSchema[] {
  const alive: JsonSchema = { $ref: `#/components/schemas/${name}` };
  const schema = schemas[name];
  if (name !== "PaymentInstrument" || schema === undefined) return [alive];
  const deletedDateTime: JsonSchema = { type: "string", format: "date-time" };
  const deleted: JsonSchema = {
    ...schema,
    required: [...(schema.required ?? []), "deletedDateTime"],
    properties: { ...schema.properties, deletedDateTime },
  };
  return [alive, deleted];
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}
