import { METADATA_FILTER, MetadataAnswer, MetadataBody } from "../../platform/http/metadata.ts";
import {
  answer,
  formatted,
  object,
  optional,
  type Schema,
  type Static,
  text,
} from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";

const NAME = text({ code: "customer_name_invalid", about: "The customer's name.", max: 100 });
const EMAIL = formatted({
  code: "customer_email_invalid",
  max: 254,
  format: "email",
  free: true,
  about: "Answered masked.",
});

/** Body of `POST /customers`. */
export const CustomerBody = object(
  { code: "body_object_invalid" },
  {
    name: NAME,
    email: EMAIL,
    reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Default: the id." })),
    metadata: MetadataBody,
  },
);

/** Body of `PUT /customers/{customerId}`: any subset. */
export const CustomerChangeBody = object(
  { code: "body_object_invalid" },
  {
    name: optional(NAME),
    email: optional(EMAIL),
    reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Your own name for it." })),
    metadata: MetadataBody,
  },
);

/** Query of `GET /customers`, beyond paging. */
export const CUSTOMER_FILTERS = {
  reference: optional(
    text({ code: "query_reference_invalid", about: "Only those with this reference, exactly.", max: 64 }),
  ),
  ...METADATA_FILTER,
};

/** A customer's answer shows its payment instruments; their feature passes the schema of one. */
export function customerAnswer(instrument: Schema) {
  return answer.object({
    id: answer.id("cus"),
    reference: answer.text(),
    name: answer.text(),
    email: answer.optional(answer.text("Masked. A customer that a checkout created may have none.")),
    metadata: MetadataAnswer,
    createdDateTime: answer.time(),
    updatedDateTime: answer.time(),
    count: answer.integer("Number of payment instruments."),
    paymentInstruments: answer.list(instrument),
    result: RESULT_OK,
  });
}

export type CustomerWire = Static<ReturnType<typeof customerAnswer>>;
