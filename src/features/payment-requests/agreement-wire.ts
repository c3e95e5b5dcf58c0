import { MAX_CENTS } from "../../kernel/money.ts";
import { formatted, integer, object, oneOf, optional, text } from "../../platform/http/schema.ts";

/** `agreementDetails` of a payment request. */
export const AgreementBody = object(
  {
    code: "payment_request_agreement_details_invalid",
    about: "Only with `apple_pay`: a long-lived token for repeat charges.",
  },
  {
    frequency: optional(
      oneOf({
        code: "payment_request_agreement_frequency_invalid",
        about: "How often you will charge.",
        among: ["daily", "monthly", "annual"],
      }),
    ),
    frequencyCount: optional(
      integer({
        code: "payment_request_agreement_frequency_count_invalid",
        about: "Charges are this many periods of `frequency` apart.",
        min: 1,
        max: 1_000_000,
      }),
    ),
    description: text({
      code: "payment_request_agreement_description_invalid",
      about: "What the payer agrees to, shown on Apple's sheet.",
      max: 140,
    }),
    startDate: optional(
      formatted({
        code: "payment_request_agreement_start_date_invalid",
        format: "date",
        about: "Default today, in the merchant's zone.",
      }),
    ),
    endDate: optional(
      formatted({
        code: "payment_request_agreement_end_date_invalid",
        about: "The last day; without it the agreement has no end.",
        format: "date",
      }),
    ),
    amount: optional(
      integer({
        code: "payment_request_agreement_amount_invalid",
        about: "Cents of each charge; 0: the amount varies.",
        min: 0,
        max: MAX_CENTS,
        standard: 0,
      }),
    ),
    managementURL: formatted({
      code: "payment_request_agreement_management_url_invalid",
      format: "web-url",
      free: true,
      about: "https; http too in the sandbox.",
    }),
    billingAgreement: optional(
      text({
        code: "payment_request_agreement_billing_agreement_invalid",
        about: "The terms of the agreement, shown on Apple's sheet.",
        max: 140,
      }),
    ),
  },
);
