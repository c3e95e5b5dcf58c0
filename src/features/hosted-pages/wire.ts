import { MAX_CENTS } from "../../kernel/money.ts";
import { FONT_NAMES } from "../../kernel/theme-fonts.ts";
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

/** As long as a request body can be, so a logo that is too large always gets the code for its size. */
const LOGO_TEXT = 262_144;

const LINE_ITEM = object(
  { code: "hosted_payment_page_line_item_invalid" },
  {
    title: text({ code: "hosted_payment_page_line_item_title_invalid", about: "What is sold.", max: 50 }),
    image: optional(
      formatted({
        code: "hosted_payment_page_line_item_image_invalid",
        format: "web-url",
        free: true,
        about: "An http or https URL of a picture of at most 512 KiB. The gateway fetches it for the payer.",
      }),
    ),
    amount: integer({
      code: "hosted_payment_page_line_item_amount_invalid",
      min: 0,
      max: MAX_CENTS,
      about: "Cents for a quantity of 1.",
    }),
    quantity: optional(
      number({
        code: "hosted_payment_page_line_item_quantity_invalid",
        above: 0,
        max: MAX_CENTS,
        about: "Default 1; rounded half up to 3 decimals.",
      }),
    ),
    modifier: optional(
      text({
        code: "hosted_payment_page_line_item_modifier_invalid",
        max: 50,
        about: "Unit label, such as `kg`.",
      }),
    ),
  },
);

const ADJUSTMENT = object(
  { code: "hosted_payment_page_adjustment_invalid" },
  {
    title: text({
      code: "hosted_payment_page_adjustment_title_invalid",
      about: "What is added or taken off, such as shipping.",
      max: 30,
    }),
    amount: integer({
      code: "hosted_payment_page_adjustment_amount_invalid",
      min: -MAX_CENTS,
      max: MAX_CENTS,
      about: "Cents; negative is a discount.",
    }),
    adjustmentType: oneOfAnyCase({
      code: "hosted_payment_page_adjustment_type_invalid",
      among: ADJUSTMENT_TYPES,
    }),
    order: optional(
      integer({
        code: "hosted_payment_page_adjustment_order_invalid",
        min: -INT32,
        max: INT32,
        about: "On all adjustments or on none.",
      }),
    ),
  },
);

const VARIABLE = optional(
  formatted({
    code: "hosted_payment_page_theme_variable_invalid",
    max: 200,
    free: true,
    about: "As in `ui.variables` of the embedded checkout.",
  }),
);

const THEME = object(
  {
    code: "hosted_payment_page_theme_invalid",
    about:
      "The same as `ui` of the embedded checkout, and `font`. What it leaves open is the account's default theme.",
  },
  {
    theme: optional(
      oneOf({
        code: "hosted_payment_page_theme_invalid",
        among: ["light", "dark"],
        about: "Default: the payer's system.",
      }),
    ),
    variables: optional(
      object(
        {
          code: "hosted_payment_page_theme_invalid",
          about: "Colours, sizes and corners, as in `ui.variables` of the embedded checkout.",
        },
        {
          colorPrimary: VARIABLE,
          colorText: VARIABLE,
          colorBackground: VARIABLE,
          colorDanger: VARIABLE,
          colorBorder: VARIABLE,
          fontFamily: VARIABLE,
          fontSizeBase: VARIABLE,
          borderRadius: VARIABLE,
          spacingUnit: VARIABLE,
        },
      ),
    ),
    font: optional(
      oneOf({
        code: "hosted_payment_page_theme_font_invalid",
        among: FONT_NAMES,
        about: "Fonts of the payer's system; not together with `variables.fontFamily`.",
      }),
    ),
  },
);

const RETURN_URLS = "https, http in the sandbox, or a URL of an app (`myapp://…`).";

/** `hostedPaymentPage` of a payment request. */
export const HostedPageBody = object(
  {
    code: "hosted_payment_page_object_invalid",
    about: "Makes this a hosted-page request; the answer has the URL to send the payer to.",
  },
  {
    merchantName: optional(
      text({
        code: "hosted_payment_page_merchant_name_invalid",
        about: "Shown at the top of the page. Default: the account's name.",
        max: 140,
      }),
    ),
    logo: formatted({
      code: "hosted_payment_page_logo_invalid",
      max: LOGO_TEXT,
      about:
        "`data:<mime>;base64,<data>` of a PNG, SVG or WebP image of at most 10,240 bytes. An SVG may have a plain DOCTYPE. `reason` of a refusal says why.",
    }),
    resultPage: optional(
      oneOf({
        code: "hosted_payment_page_result_page_invalid",
        among: RESULT_PAGES,
        about: "Default `show`.",
      }),
    ),
    redirectUrl: optional(
      formatted({
        code: "hosted_payment_page_redirect_url_invalid",
        format: "return-url",
        free: true,
        about: `Required when \`resultPage\` is \`redirect\`. ${RETURN_URLS}`,
      }),
    ),
    cancelUrl: optional(
      formatted({
        code: "hosted_payment_page_cancel_url_invalid",
        format: "return-url",
        free: true,
        about: `Where the page's link "Cancel and return" leads. Following it changes nothing. ${RETURN_URLS}`,
      }),
    ),
    theme: optional(THEME),
    lineItems: optional(
      list(
        {
          code: "hosted_payment_page_line_items_invalid",
          max: 50,
          about:
            "With the adjustments they add up to `payment.amount`: each line rounded half up to a cent, or only the sum. " +
            "Empty is the same as none.",
        },
        LINE_ITEM,
      ),
    ),
    adjustments: optional(
      list(
        {
          code: "hosted_payment_page_adjustments_invalid",
          max: 10,
          about: "Only with `lineItems`; empty is the same as none.",
        },
        ADJUSTMENT,
      ),
    ),
    attempts: optional(
      integer({
        code: "hosted_payment_page_attempts_invalid",
        about: "How often the payer may try.",
        min: 1,
        max: 3,
        standard: 1,
      }),
    ),
  },
);

export const HostedPageAnswer = answer.object({
  merchantName: answer.text(),
  logo: answer.optional(answer.text("Omitted from lists and events.")),
  resultPage: answer.oneOf(...RESULT_PAGES),
  redirectUrl: answer.optional(answer.text()),
  cancelUrl: answer.optional(answer.text()),
  theme: answer.optional(
    answer.object({
      theme: answer.optional(answer.oneOf("light", "dark")),
      variables: answer.optional(
        answer.object({
          colorPrimary: answer.optional(answer.text()),
          colorText: answer.optional(answer.text()),
          colorBackground: answer.optional(answer.text()),
          colorDanger: answer.optional(answer.text()),
          colorBorder: answer.optional(answer.text()),
          fontFamily: answer.optional(answer.text()),
          fontSizeBase: answer.optional(answer.text()),
          borderRadius: answer.optional(answer.text()),
          spacingUnit: answer.optional(answer.text()),
        }),
      ),
      font: answer.optional(answer.oneOf(...FONT_NAMES)),
    }),
  ),
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
