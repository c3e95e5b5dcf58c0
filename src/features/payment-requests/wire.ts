import { ADDRESS_COLLECTIONS } from "../../kernel/billing-address.ts";
import { CURRENCIES, MAX_CENTS } from "../../kernel/money.ts";
import { METADATA_FILTER, MetadataAnswer, MetadataBody } from "../../platform/http/metadata.ts";
import {
  answer,
  formatted,
  inForms,
  integer,
  list,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from "../../platform/http/schema.ts";
import { HostedPageAnswer, HostedPageBody } from "../hosted-pages/index.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { AgreementBody } from "./agreement-wire.ts";
import { CustomerRequestAnswer, CustomerRequestBody } from "./customer-wire.ts";
import { LocaleBody } from "./locale-wire.ts";
import { PayIdAnswer, PayIdBody } from "./payid-wire.ts";
import { PAYMENT_METHODS, STATUSES } from "./payment-request.ts";

const PAYMENT = object(
  { code: "payment_request_payment_invalid", about: "What is to be paid." },
  {
    amount: integer({
      code: "payment_request_amount_invalid",
      min: 0,
      max: MAX_CENTS,
      about:
        "Cents. 0 only for a verification: with `customerRequest.paymentInstrument` `create`, by `card`. It stores the card without charging it.",
    }),
    currencyCode: optional(
      oneOf({
        code: "payment_request_currency_code_invalid",
        among: CURRENCIES,
        about: "Default: the merchant's own; `AUD` for a PayID.",
      }),
    ),
    description: optional(
      text({
        code: "payment_request_description_invalid",
        min: 0,
        max: 255,
        about: "Shown to the payer, in the embedded checkout and on the hosted page.",
      }),
    ),
    instrument: optional(
      object(
        { code: "payment_request_instrument_invalid", about: "Only for a PayID." },
        { payId: PayIdBody },
      ),
    ),
  },
);

const TRANSACTION_REQUEST = object(
  {
    code: "payment_request_transaction_request_invalid",
    about: "Required for a card or wallet checkout; `{}` uses all defaults.",
  },
  {
    category: optional(
      object(
        { code: "payment_request_category_invalid", about: "How the payment is made." },
        {
          frequency: optional(
            oneOf({
              code: "payment_request_frequency_invalid",
              among: ["single", "recurring"],
              about: "Default `single`.",
            }),
          ),
          captureType: optional(
            oneOf({
              code: "payment_request_capture_type_invalid",
              among: ["auto", "manual"],
              about: "Default `auto`.",
            }),
          ),
          authenticationType: optional(
            oneOf({
              code: "payment_request_authentication_type_invalid",
              about:
                "`3d_secure`: the payer is authenticated by the card's bank. Without it only live payers close to a limit of card testing are, if the account has 3D Secure.",
              among: ["3d_secure"],
            }),
          ),
          partialApproval: optional(
            oneOf({
              code: "payment_request_partial_approval_invalid",
              among: ["decline", "accept"],
              about: "What to do when the acquirer approves only a part. Default `decline`: it is reversed.",
            }),
          ),
        },
      ),
    ),
    attempts: optional(
      integer({
        code: "payment_request_attempts_invalid",
        min: 1,
        max: 3,
        standard: 1,
        about: "How often the payer may try in the embedded checkout. A hosted page has its own `attempts`.",
      }),
    ),
    collectAddress: optional(
      oneOf({
        code: "payment_request_collect_address_invalid",
        among: ADDRESS_COLLECTIONS,
        about:
          "Whether the payer enters the card's billing address, for the issuer's address check: `none` (default), `postcode`, or `full`. It goes to the acquirer and is not stored.",
      }),
    ),
  },
);

const ANY_FORM = object(
  { code: "body_object_invalid" },
  {
    reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Default: the id." })),
    externalReference: optional(
      text({
        code: "payment_request_external_reference_invalid",
        about:
          "A second reference of yours, such as an order number. It is stored and returned, and nothing else.",
        max: 64,
      }),
    ),
    metadata: MetadataBody,
    expiryDateTime: optional(
      formatted({
        code: "payment_request_expiry_date_time_invalid",
        format: "date-time",
        about: "One minute to 90 days ahead; default 24 hours.",
      }),
    ),
    locale: LocaleBody,
    payment: PAYMENT,
    paymentMethods: optional(
      list(
        {
          code: "payment_request_payment_methods_invalid",
          min: 1,
          max: PAYMENT_METHODS.length,
          unique: true,
          about: 'Default `["card"]` with a hosted page.',
        },
        oneOf({ code: "payment_request_payment_methods_invalid", among: PAYMENT_METHODS }),
      ),
    ),
    transactionRequest: optional(TRANSACTION_REQUEST),
    customerRequest: optional(CustomerRequestBody),
    agreementDetails: optional(AgreementBody),
    hostedPaymentPage: optional(HostedPageBody),
  },
);

/** Body of `POST /paymentrequests`. */
export const PaymentRequestBody = inForms(ANY_FORM, [
  {
    title: "Card or wallet checkout",
    about: "Paid in the embedded checkout, with a one-time token.",
    needs: ["paymentMethods", "transactionRequest"],
    without: ["hostedPaymentPage", "payment.instrument"],
  },
  {
    title: "Hosted payment page",
    about: "Paid on a page of the gateway, which the answer links to.",
    needs: ["hostedPaymentPage"],
    without: ["payment.instrument", "transactionRequest.attempts"],
  },
  {
    title: "PayID",
    about: "Paid by a bank transfer to a PayID of its own.",
    needs: ["payment.instrument"],
    without: [
      "paymentMethods",
      "hostedPaymentPage",
      "customerRequest",
      "transactionRequest",
      "agreementDetails",
    ],
    narrows: {
      "payment.amount": { minimum: 1, description: "Cents." },
      "payment.currencyCode": { enum: ["AUD"], description: "`AUD`, the default." },
    },
  },
]);

export type PaymentRequestInput = Static<typeof PaymentRequestBody>;

/** Query of `GET /paymentrequests`, beyond paging. */
export const PAYMENT_REQUEST_FILTERS = {
  status: optional(
    oneOf({ code: "query_status_invalid", about: "Only those with this status.", among: STATUSES }),
  ),
  reference: optional(
    text({ code: "query_reference_invalid", about: "Only those with this reference, exactly.", max: 64 }),
  ),
  ...METADATA_FILTER,
};

const TRANSACTION_LINK = answer.object({ id: answer.id("txn"), location: answer.text() });

export const PaymentRequestAnswer = answer.object({
  id: answer.id("pr"),
  reference: answer.text(),
  externalReference: answer.optional(answer.text()),
  metadata: MetadataAnswer,
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  expiryDateTime: answer.time(),
  paymentRequestStatus: answer.oneOf(...STATUSES),
  locale: answer.optional(answer.text("As sent.")),
  payment: answer.object({
    amount: answer.integer(),
    currencyCode: answer.oneOf(...CURRENCIES),
    description: answer.optional(answer.text()),
    instrument: answer.optional(answer.object({ payId: PayIdAnswer })),
  }),
  paymentMethods: answer.optional(answer.list(answer.oneOf(...PAYMENT_METHODS))),
  transactionRequest: answer.optional(
    answer.object({
      category: answer.object({
        frequency: answer.oneOf("single", "recurring"),
        captureType: answer.oneOf("auto", "manual"),
        authenticationType: answer.optional(answer.oneOf("3d_secure")),
        partialApproval: answer.optional(answer.oneOf("decline", "accept")),
      }),
      attempts: answer.optional(answer.integer("As sent.")),
      collectAddress: answer.optional(answer.oneOf(...ADDRESS_COLLECTIONS)),
    }),
  ),
  customerRequest: answer.optional(CustomerRequestAnswer),
  agreementDetails: answer.optional(
    answer.object({
      frequency: answer.optional(answer.oneOf("daily", "monthly", "annual")),
      frequencyCount: answer.optional(answer.integer()),
      description: answer.text(),
      startDate: answer.text(),
      endDate: answer.optional(answer.text()),
      amount: answer.integer(),
      managementURL: answer.text(),
      billingAgreement: answer.optional(answer.text()),
    }),
  ),
  hostedPaymentPage: answer.optional(HostedPageAnswer),
  transactionResult: answer.optional(TRANSACTION_LINK),
  customerResult: answer.optional(
    answer.object({
      id: answer.id("cus"),
      location: answer.text(),
      paymentInstrumentId: answer.id("pi"),
      paymentInstrumentLocation: answer.text(),
    }),
  ),
  transactionAttempts: answer.optional(answer.list(TRANSACTION_LINK)),
  payIdReturns: answer.optional(
    answer.list(
      answer.object(
        {
          amount: answer.integer(),
          reason: answer.oneOf("short", "over", "late", "duplicate", "closed"),
          receivedDateTime: answer.time(),
        },
        "A transfer that was returned to its sender. The newest 100 are listed.",
      ),
    ),
  ),
  result: RESULT_OK,
});
