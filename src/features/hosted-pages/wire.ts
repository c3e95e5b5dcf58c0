import { MAX_CENTS } from "../../kernel/money.ts";
import {
  answer,
  formatted,
  integer,
  list,
  number,
  object,
  oneOf,
  oneOfAnyCase,
  optional,
  text,
} from "../../platform/http/schema.ts";
import { ADJUSTMENT_TYPES, RESULT_PAGES } from "./hosted-page.ts";

const INT32 = 2_147_483_647;

/** As long as a body can be: a logo that is too large is told so by its own code, whatever its size. */
const LOGO_TEXT = 262_144;

const LINE_ITEM = object(
  { code: "V11211" },
  {
    title: text({ code: "V11212", max: 50 }),
    image: optional(formatted({ code: "V11213", format: "web-url", about: "An http or https URL." })),
    amount: integer({ code: "V11214", min: 0, max: MAX_CENTS, about: "Cents for a quantity of 1." }),
    quantity: optional(
      number({
        code: "V11215",
        above: 0,
        max: MAX_CENTS,
        about: "Default 1; rounded half up to 3 decimals.",
      }),
    ),
    modifier: optional(text({ code: "V11216", max: 50, about: "Unit label, such as `kg`." })),
  },
);

const ADJUSTMENT = object(
  { code: "V11221" },
  {
    title: text({ code: "V11222", max: 30 }),
    amount: integer({
      code: "V11223",
      min: -MAX_CENTS,
      max: MAX_CENTS,
      about: "Cents; negative is a discount.",
    }),
    adjustmentType: oneOfAnyCase({ code: "V11224", among: ADJUSTMENT_TYPES }),
    order: optional(
      integer({ code: "V11225", min: -INT32, max: INT32, about: "On all adjustments or on none." }),
    ),
  },
);

/** `hostedPaymentPage` of a payment request. */
export const HostedPageBody = object(
  {
    code: "V11200",
    about: "Makes this a hosted-page request; the answer has the address to send the payer to.",
  },
  {
    merchantName: optional(text({ code: "V11201", max: 140 })),
    logo: formatted({
      code: "V11202",
      max: LOGO_TEXT,
      about: "`data:<mime>;base64,<data>` of a PNG, SVG or WebP image of at most 10,240 bytes.",
    }),
    resultPage: optional(oneOf({ code: "V11206", among: RESULT_PAGES, about: "Default `show`." })),
    redirectUrl: optional(
      formatted({ code: "V11207", format: "web-url", about: "Required when `resultPage` is `redirect`." }),
    ),
    lineItems: optional(list({ code: "V11210", max: 50 }, LINE_ITEM)),
    adjustments: optional(list({ code: "V11220", max: 10, about: "Only with `lineItems`." }, ADJUSTMENT)),
    attempts: optional(integer({ code: "V11208", min: 1, max: 3, standard: 1 })),
  },
);

export const HostedPageAnswer = answer.object({
  merchantName: answer.text(),
  logo: answer.optional(answer.text("Left out of lists and events.")),
  resultPage: answer.oneOf(...RESULT_PAGES),
  redirectUrl: answer.optional(answer.text()),
  lineItems: answer.optional(
    answer.list(
      answer.object({
        title: answer.text(),
        image: answer.optional(answer.text()),
        amount: answer.integer(),
        quantity: answer.number(),
        modifier: answer.optional(answer.text()),
      }),
    ),
  ),
  adjustments: answer.optional(
    answer.list(
      answer.object({
        title: answer.text(),
        amount: answer.integer(),
        adjustmentType: answer.oneOf(...ADJUSTMENT_TYPES),
        order: answer.optional(answer.integer()),
      }),
    ),
  ),
  attempts: answer.integer(),
  url: answer.text("Send the payer here."),
});
