import { answer, integer, object } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";

/** Body of `POST /sandbox/clock/advance`. */
export const ClockBody = object(
  { code: "body_object_invalid" },
  {
    seconds: integer({
      code: "sandbox_clock_seconds_invalid",
      about: "How far the merchant's clock moves ahead.",
      min: 1,
      max: 366 * 24 * 60 * 60,
    }),
  },
);

export const SettlementsAnswer = answer.object({
  transactions: answer.integer(
    "Debits that changed while the call ran; simultaneous calls can count the same one.",
  ),
  refunds: answer.integer("Refunds that were settled."),
  payouts: answer.integer("Payouts that were made."),
  result: RESULT_OK,
});

export const ClockAnswer = answer.object({ currentDateTime: answer.time(), result: RESULT_OK });
