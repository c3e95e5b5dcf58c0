import { MAX_CENTS, MIN_CENTS } from "../../kernel/money.ts";
import {
  formatted,
  integer,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from "../../platform/http/schema.ts";

/** Body of `POST /transactions`: a charge of something that was stored. */
export const ChargeBody = object(
  { code: "V11005" },
  {
    reference: optional(text({ code: "V10004", max: 64, about: "Default: the transaction's id." })),
    category: optional(
      object(
        { code: "V11738" },
        {
          origin: optional(oneOf({ code: "V11739", among: ["internet", "mail", "telephone"] })),
          frequency: optional(oneOf({ code: "V11740", among: ["single", "recurring"] })),
          captureType: optional(oneOf({ code: "V11741", among: ["auto", "manual"] })),
        },
      ),
    ),
    payment: object(
      { code: "V11730" },
      {
        amount: integer({ code: "V11731", min: MIN_CENTS, max: MAX_CENTS, about: "Cents." }),
        currencyCode: optional(
          oneOf({
            code: "V11732",
            among: ["AUD", "NZD"],
            about: "Default: the account's, a debit's its bank's.",
          }),
        ),
        instrument: object(
          { code: "V11733" },
          {
            customer: object(
              { code: "V11734" },
              {
                id: text({ code: "V11735", max: 64 }),
                paymentInstrumentId: text({ code: "V11736", max: 64 }),
                cvn: optional(
                  formatted({
                    code: "V11737",
                    pattern: "^[0-9]{3,4}$",
                    about: "The card's security code: used for this charge, stored nowhere.",
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

export type ChargeAsk = Static<typeof ChargeBody>;
