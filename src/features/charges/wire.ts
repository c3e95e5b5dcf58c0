import { CURRENCIES, MAX_CENTS, MIN_CENTS } from "../../kernel/money.ts";
import { MetadataBody } from "../../platform/http/metadata.ts";
import {
  formatted,
  integer,
  object,
  oneOf,
  optional,
  plainText,
  type Static,
  text,
} from "../../platform/http/schema.ts";

/** Body of `POST /transactions`: a charge of a stored instrument. */
export const ChargeBody = object(
  { code: "body_object_invalid" },
  {
    reference: optional(
      text({ code: "body_reference_invalid", max: 64, about: "Default: the transaction's id." }),
    ),
    metadata: MetadataBody,
    category: optional(
      object(
        { code: "charge_category_invalid", about: "How the charge is made." },
        {
          origin: optional(
            oneOf({
              code: "charge_origin_invalid",
              about: "How the order reached you. Default `internet`.",
              among: ["internet", "mail", "telephone"],
            }),
          ),
          frequency: optional(
            oneOf({
              code: "charge_frequency_invalid",
              about: "`recurring`: one of a series that the customer agreed to. Default `single`.",
              among: ["single", "recurring"],
            }),
          ),
          captureType: optional(
            oneOf({
              code: "charge_capture_type_invalid",
              about:
                "`manual`: authorise now, capture later. Default `auto`; a bank account is always `auto`.",
              among: ["auto", "manual"],
            }),
          ),
          partialApproval: optional(
            oneOf({
              code: "charge_partial_approval_invalid",
              among: ["decline", "accept"],
              about: "What to do when the acquirer approves only a part. Default `decline`: it is reversed.",
            }),
          ),
        },
      ),
    ),
    payment: object(
      { code: "charge_payment_invalid", about: "What is charged, and to what." },
      {
        amount: integer({ code: "charge_amount_invalid", min: MIN_CENTS, max: MAX_CENTS, about: "Cents." }),
        currencyCode: optional(
          oneOf({
            code: "charge_currency_invalid",
            among: CURRENCIES,
            about: "Default: the merchant's currency; for a debit, the currency of the bank account.",
          }),
        ),
        instrument: object(
          { code: "charge_instrument_invalid", about: "The stored instrument." },
          {
            customer: object(
              { code: "charge_customer_invalid", about: "Whose instrument it is." },
              {
                id: plainText({ code: "charge_customer_id_invalid", about: "The customer's id.", max: 64 }),
                paymentInstrumentId: plainText({
                  code: "charge_payment_instrument_id_invalid",
                  about: "The id of one of the customer's cards or bank accounts.",
                  max: 64,
                }),
                cvn: optional(
                  formatted({
                    code: "charge_cvn_invalid",
                    pattern: "^[0-9]{3,4}$",
                    about: "The card's security code: used for this charge, never stored.",
                  }),
                ),
              },
            ),
          },
        ),
      },
    ),
  },
);

export type ChargeInput = Static<typeof ChargeBody>;
