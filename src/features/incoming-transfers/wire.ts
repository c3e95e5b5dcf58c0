import { MAX_CENTS, MIN_CENTS } from "../../kernel/money.ts";
import { answer, integer, object, optional, text } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";

/** Body of `POST /sandbox/payid/transfers`. */
export const TransferBody = object(
  { code: "V11005" },
  {
    payId: text({
      code: "V12000",
      max: 320,
      about: "The address, as in `payment.instrument.payId.email`, or the value alone.",
    }),
    amount: integer({ code: "V12001", min: MIN_CENTS, max: MAX_CENTS, about: "Cents." }),
    payerName: optional(text({ code: "V12002", max: 140 })),
  },
);

export const TransferAnswer = answer.object({
  id: answer.id("itr"),
  status: answer.oneOf("accepted", "returned"),
  reason: answer.optional(answer.oneOf("short", "over", "late", "duplicate", "closed")),
  result: RESULT_OK,
});
