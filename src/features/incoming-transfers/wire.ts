import { MAX_CENTS, MIN_CENTS } from "../../kernel/money.ts";
import { answer, integer, object, optional, plainText, text } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";

/** Body of `POST /sandbox/payid/transfers`. */
export const TransferBody = object(
  { code: "body_object_invalid" },
  {
    payId: plainText({
      code: "transfer_payid_invalid",
      max: 320,
      about: "The address, as in `payment.instrument.payId.email`, or the value alone.",
    }),
    amount: integer({ code: "transfer_amount_invalid", min: MIN_CENTS, max: MAX_CENTS, about: "Cents." }),
    payerName: optional(text({ code: "transfer_payername_invalid", about: "Who pays.", max: 140 })),
  },
);

export const TransferAnswer = answer.object({
  id: answer.id("itr"),
  status: answer.oneOf("accepted", "returned"),
  reason: answer.optional(answer.oneOf("short", "over", "late", "duplicate", "closed")),
  result: RESULT_OK,
});
