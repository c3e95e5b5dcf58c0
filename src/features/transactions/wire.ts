import { RETRY_ADVICE } from "../../kernel/acquirer-facts.ts";
import { AUTHENTICATION_STATUSES } from "../../kernel/authentication-status.ts";
import { LATE_APPROVAL_STATUSES } from "../../kernel/late-approval.ts";
import { MODES } from "../../kernel/mode.ts";
import { CURRENCIES, MAX_TOTAL_CENTS, MIN_CENTS } from "../../kernel/money.ts";
import { SOURCES } from "../../kernel/source.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import { CODE_FIELDS } from "../../platform/http/code-fields.ts";
import { METADATA_FILTER, MetadataAnswer } from "../../platform/http/metadata.ts";
import { answer, integer, object, oneOf, optional, plainText, text } from "../../platform/http/schema.ts";
import { CAPTURE_STATUSES, TRANSACTION_METHODS, TRANSACTION_STATUSES } from "./transaction.ts";

/** Fields of a capture or a refund: all that remains unless an amount is given. */
export const OPERATION_FIELDS = {
  reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Your own name for it." })),
  payment: optional(
    object(
      { code: "transaction_payment_invalid", about: "Leave it out for all that remains." },
      {
        amount: optional(
          integer({
            code: "transaction_amount_invalid",
            min: MIN_CENTS,
            max: MAX_TOTAL_CENTS,
            about: "Default: all that remains.",
          }),
        ),
      },
    ),
  ),
};

/** Body of a capture. */
export const CaptureBody = object({ code: "body_object_invalid" }, OPERATION_FIELDS);

/** Query of `GET /transactions`, beyond paging. */
export const TRANSACTION_FILTERS = {
  paymentrequestid: optional(
    plainText({
      code: "query_paymentrequestid_invalid",
      about: "Only those of this payment request.",
      max: 64,
    }),
  ),
  customerid: optional(
    plainText({ code: "query_customerid_invalid", about: "Only those of this customer.", max: 64 }),
  ),
  reference: optional(
    text({ code: "query_reference_invalid", about: "Only those with this reference, exactly.", max: 64 }),
  ),
  status: optional(
    oneOf({
      code: "query_status_invalid",
      about: "Only those with this status.",
      among: TRANSACTION_STATUSES,
    }),
  ),
  ...METADATA_FILTER,
};

/** `result` of everything that a bank approves or declines. */
export const OUTCOME_RESULT = answer.object({
  mode: answer.oneOf(...MODES),
  status: answer.oneOf(...TRANSACTION_STATUSES),
  codes: answer.optional(answer.list(answer.object(CODE_FIELDS))),
});

/** Of a payment or a refund that the acquirer approved after the gateway had declined it. */
export const LateApprovalAnswer = answer.optional(
  answer.object(
    {
      amount: answer.integer("What the acquirer approved after the decline. It goes back in full."),
      status: answer.oneOf(...LATE_APPROVAL_STATUSES),
      approvedDateTime: answer.time(),
      reversedDateTime: answer.optional(answer.time()),
    },
    "The acquirer approved it after the gateway had declined it. `reversed` once the acquirer has confirmed that the money went back.",
  ),
);

export const TransactionAnswer = answer.object({
  id: answer.id("txn"),
  reference: answer.text(),
  paymentRequestId: answer.optional(answer.id("pr")),
  metadata: MetadataAnswer,
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  category: answer.object({
    method: answer.oneOf(...TRANSACTION_METHODS),
    source: answer.oneOf(...SOURCES),
    origin: answer.oneOf("internet", "mail", "telephone"),
    frequency: answer.oneOf("single", "recurring"),
    captureType: answer.oneOf("auto", "manual"),
    partialApproval: answer.optional(answer.oneOf("accept")),
  }),
  payment: answer.object({
    amount: answer.integer(),
    surcharge: answer.integer(),
    totalAmount: answer.integer("Amount and surcharge."),
    approvedAmount: answer.optional(
      answer.integer(
        "Of a partial approval: what the acquirer approved of the total, and the most that can be captured.",
      ),
    ),
    capturedAmount: answer.integer(),
    refundedAmount: answer.integer("The sum of approved refunds."),
    currencyCode: answer.oneOf(...CURRENCIES),
    instrument: answer.object({
      customer: answer.optional(
        answer.object({ id: answer.id("cus"), paymentInstrumentId: answer.id("pi") }),
      ),
      card: answer.optional(
        answer.object({
          name: answer.optional(answer.text()),
          last4: answer.text(),
          expiryMonth: answer.integer(),
          expiryYear: answer.integer(),
          cardType: answer.text(),
          wallet: answer.optional(answer.oneOf(...WALLETS)),
        }),
      ),
      payId: answer.optional(
        answer.object({
          type: answer.oneOf("single"),
          email: answer.text("The PayID that received the payment."),
          payerName: answer.optional(answer.text("As the payer's bank sent it.")),
        }),
      ),
      bankAccount: answer.optional(
        answer.object({
          accountName: answer.text(),
          bsb: answer.optional(answer.text()),
          number: answer.text("Masked to its last two digits."),
        }),
      ),
    }),
  }),
  captureStatus: answer.optional(answer.oneOf(...CAPTURE_STATUSES)),
  captureReference: answer.optional(answer.text("The `reference` that the capture was sent with.")),
  authentication: answer.optional(
    answer.object({
      type: answer.oneOf("3d_secure"),
      status: answer.oneOf(...AUTHENTICATION_STATUSES),
      version: answer.optional(answer.text("The version of EMV 3DS.")),
      eci: answer.optional(answer.text("The scheme's electronic commerce indicator.")),
    }),
  ),
  acquirer: answer.optional(
    answer.object({
      connector: answer.text("The connector that took the payment."),
      authorisationCode: answer.optional(answer.text()),
      retrievalReference: answer.optional(answer.text()),
      responseCode: answer.optional(answer.text("The acquirer's own code.")),
      networkTransactionId: answer.optional(answer.text("The card scheme's id of the payment.")),
      securityCodeResult: answer.optional(answer.text()),
      addressResult: answer.optional(
        answer.text("The issuer's check of the billing address, where one was collected."),
      ),
      retryAdvice: answer.optional(answer.oneOf(...RETRY_ADVICE)),
    }),
  ),
  lateApproval: LateApprovalAnswer,
  result: OUTCOME_RESULT,
});
