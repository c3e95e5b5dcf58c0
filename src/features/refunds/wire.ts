import { CURRENCIES } from "../../kernel/money.ts";
import { answer } from "../../platform/http/schema.ts";
import { OUTCOME_RESULT } from "../transactions/index.ts";

export const RefundAnswer = answer.object({
  id: answer.id("rfd"),
  transactionId: answer.id("txn"),
  reference: answer.text(),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  category: answer.object({ method: answer.oneOf("refund") }),
  payment: answer.object({ amount: answer.integer(), currencyCode: answer.oneOf(...CURRENCIES) }),
  result: OUTCOME_RESULT,
});
