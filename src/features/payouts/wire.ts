import { CURRENCIES } from "../../kernel/money.ts";
import { answer, oneOf, optional } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { LINE_KINDS } from "./payout.ts";

/** Query of `GET /payouts`, beyond paging. */
export const PAYOUT_FILTERS = {
  currencyCode: optional(
    oneOf({ code: "query_currencycode_invalid", about: "Only those in this currency.", among: CURRENCIES }),
  ),
};

const SUMMARY = {
  id: answer.id("po"),
  reference: answer.text(),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  payoutDate: answer.text("The day of the payout in the merchant's zone, as `yyyy-MM-dd`."),
  status: answer.oneOf("cleared"),
  payment: answer.object({
    amount: answer.integer("The sum of its lines, always above 0."),
    currencyCode: answer.oneOf(...CURRENCIES),
  }),
  totals: answer.object({
    payments: answer.integer(),
    refunds: answer.integer("Negative, or 0."),
    returns: answer.integer("Negative, or 0."),
    fees: answer.integer("Negative, or 0."),
    disputes: answer.integer("Of disputes that opened, negative, and that were won."),
  }),
  lineCount: answer.integer(),
};

export const PayoutSummary = answer.object({ ...SUMMARY, result: RESULT_OK });

export const PayoutAnswer = answer.object({
  ...SUMMARY,
  lines: answer.list(
    answer.object({
      type: answer.oneOf(...LINE_KINDS),
      transactionId: answer.id("txn"),
      refundId: answer.optional(answer.id("rfd")),
      disputeId: answer.optional(answer.id("dsp")),
      amount: answer.integer("Negative if it is deducted."),
      dateTime: answer.time(),
    }),
  ),
  result: RESULT_OK,
});
