import { CURRENCIES } from "../../kernel/money.ts";
import { METADATA_FILTER, MetadataAnswer, MetadataBody } from "../../platform/http/metadata.ts";
import { answer, object, oneOf, optional, text } from "../../platform/http/schema.ts";
import { LateApprovalAnswer, OPERATION_FIELDS, OUTCOME_RESULT } from "../transactions/index.ts";
import { REFUND_STATUSES } from "./refund.ts";

/** Query of `GET /refunds`, beyond paging. */
export const REFUND_FILTERS = {
  transactionid: optional(
    text({ code: "query_transactionid_invalid", about: "Only those of this transaction.", max: 64 }),
  ),
  reference: optional(
    text({ code: "query_reference_invalid", about: "Only those with this reference, exactly.", max: 64 }),
  ),
  status: optional(
    oneOf({ code: "query_status_invalid", about: "Only those with this status.", among: REFUND_STATUSES }),
  ),
  ...METADATA_FILTER,
};

/** Body of `POST /transactions/{transactionId}/refunds`. */
export const RefundBody = object(
  { code: "body_object_invalid" },
  { ...OPERATION_FIELDS, metadata: MetadataBody },
);

export const RefundAnswer = answer.object({
  id: answer.id("rfd"),
  location: answer.text("Where the refund can be read."),
  transactionId: answer.id("txn"),
  reference: answer.text(),
  metadata: MetadataAnswer,
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  category: answer.object({ method: answer.oneOf("refund") }),
  payment: answer.object({ amount: answer.integer(), currencyCode: answer.oneOf(...CURRENCIES) }),
  lateApproval: LateApprovalAnswer,
  result: OUTCOME_RESULT,
});
