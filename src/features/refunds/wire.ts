import { CURRENCIES } from "../../kernel/money.ts";
import { MetadataAnswer, MetadataBody } from "../../platform/http/metadata.ts";
import { answer, object } from "../../platform/http/schema.ts";
import { OPERATION_FIELDS, OUTCOME_RESULT } from "../transactions/index.ts";

/** Body of `POST /transactions/{transactionId}/refunds`. */
export const RefundBody = object(
  { code: "body_object_invalid" },
  { ...OPERATION_FIELDS, metadata: MetadataBody },
);

export const RefundAnswer = answer.object({
  id: answer.id("rfd"),
  transactionId: answer.id("txn"),
  reference: answer.text(),
  metadata: MetadataAnswer,
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  category: answer.object({ method: answer.oneOf("refund") }),
  payment: answer.object({ amount: answer.integer(), currencyCode: answer.oneOf(...CURRENCIES) }),
  result: OUTCOME_RESULT,
});
