import { CURRENCIES } from "../../kernel/money.ts";
import { METADATA_FILTER } from "../../platform/http/metadata.ts";
import { answer, lines, object, oneOf, optional, text } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { DISPUTE_STATUSES } from "./dispute.ts";

/** Query of `GET /disputes`, beyond paging. */
export const DISPUTE_FILTERS = {
  transactionid: optional(
    text({ code: "query_transactionid_invalid", about: "Only those of this transaction.", max: 64 }),
  ),
  status: optional(
    oneOf({ code: "query_status_invalid", about: "Only those with this status.", among: DISPUTE_STATUSES }),
  ),
  ...METADATA_FILTER,
};

/** Body of `POST /disputes/{id}/evidence`. */
export const EvidenceBody = object(
  { code: "body_object_invalid" },
  {
    // Blank evidence would lose the dispute, and there is only one chance to send some.
    text: lines({
      code: "dispute_text_invalid",
      max: 5_000,
      about: "May have several lines. A line break is `\\n`; `\\r\\n` is stored as `\\n`.",
    }),
  },
);

export const DisputeAnswer = answer.object({
  id: answer.id("dsp"),
  location: answer.text("Where the dispute can be read."),
  transactionId: answer.id("txn"),
  reference: answer.text("The transaction's."),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  reason: answer.text("Why the payer disputes the payment, such as `fraudulent`."),
  payment: answer.object({ amount: answer.integer(), currencyCode: answer.oneOf(...CURRENCIES) }),
  status: answer.oneOf(...DISPUTE_STATUSES),
  evidenceDueDateTime: answer.time(),
  metadata: answer.pairs("The transaction's; empty when it has none."),
  result: RESULT_OK,
});
