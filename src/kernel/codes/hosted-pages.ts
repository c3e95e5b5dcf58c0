import { type Code, invalid } from "./code.ts";

/** The hosted payment page of a payment request. */
export const HOSTED_PAGE_CODES = {
  hosted_payment_page_object_invalid: invalid(
    "V11200",
    "Send `hostedPaymentPage` as an object with at least `logo`.",
  ),
  hosted_payment_page_merchant_name_invalid: invalid(
    "V11201",
    "Send a `merchantName` of 1 to 140 characters, or omit it to use the account's name.",
  ),
  hosted_payment_page_logo_invalid: invalid(
    "V11202",
    "Send `logo` as `data:<mime>;base64,<data>` of a PNG, SVG or WebP image; it is required.",
  ),
  hosted_payment_page_logo_too_large: {
    id: "V11203",
    status: 400,
    meaning: "Send a logo of at most 10,240 bytes decoded.",
  },
  hosted_payment_page_logo_bytes_invalid: {
    id: "V11204",
    status: 400,
    meaning:
      "Send a logo whose bytes are an image of the type that it declares; of an SVG, `reason` says what is wrong.",
  },
  hosted_payment_page_logo_svg_unsafe: {
    id: "V11205",
    status: 400,
    meaning:
      "Remove from the SVG what a logo can't have: a script, an event handler, an external reference, a DOCTYPE with declarations or the like; `reason` names it.",
  },
  hosted_payment_page_result_page_invalid: invalid(
    "V11206",
    "Send `show`, `redirect` or `none` as `resultPage`.",
  ),
  hosted_payment_page_redirect_url_invalid: invalid(
    "V11207",
    "Send an https URL, in the sandbox also http, or a URL of an app such as `myapp://paid` as `redirectUrl`; it is required when `resultPage` is `redirect`.",
  ),
  hosted_payment_page_cancel_url_invalid: invalid(
    "V11209",
    "Send an https URL, in the sandbox also http, or a URL of an app such as `myapp://cart` as `cancelUrl`.",
  ),
  hosted_payment_page_theme_invalid: invalid(
    "V11240",
    "Send the object that the embedded checkout takes as `ui` as `theme`: `theme` (`light` or `dark`), `variables`, and `font`.",
  ),
  hosted_payment_page_theme_variable_invalid: invalid(
    "V11241",
    "Send a CSS colour such as `#0b5f7c`, a length such as `8px`, or names of fonts; without `var()`, `url()`, quotes that stay open or comments.",
  ),
  hosted_payment_page_theme_font_invalid: invalid(
    "V11242",
    "Send one of the listed fonts as `font`, and not together with `variables.fontFamily`.",
  ),
  hosted_payment_page_attempts_invalid: invalid("V11208", "Send a whole number from 1 to 3 as `attempts`."),
  hosted_payment_page_line_items_invalid: invalid(
    "V11210",
    "Send `lineItems` as a list of at most 50 items; it is required when there are `adjustments`.",
  ),
  hosted_payment_page_line_item_invalid: invalid(
    "V11211",
    "Send a line item as an object with `title` and `amount`.",
  ),
  hosted_payment_page_line_item_title_invalid: invalid(
    "V11212",
    "Send a `title` of 1 to 50 characters; it is required.",
  ),
  hosted_payment_page_line_item_image_invalid: invalid("V11213", "Send an http or https URL as `image`."),
  hosted_payment_page_line_item_amount_invalid: invalid(
    "V11214",
    "Send `amount` as a whole number of cents from 0 to 99999999999; it is required.",
  ),
  hosted_payment_page_line_item_quantity_invalid: invalid(
    "V11215",
    "Send a `quantity` above 0 after rounding to 3 decimals, at most 99999999999 alone and times `amount`.",
  ),
  hosted_payment_page_line_item_modifier_invalid: invalid(
    "V11216",
    "Send a `modifier` of 1 to 50 characters.",
  ),
  hosted_payment_page_adjustments_invalid: invalid("V11220", "Send `adjustments` as a list of at most 10."),
  hosted_payment_page_adjustment_invalid: invalid(
    "V11221",
    "Send an adjustment as an object with `title`, `amount` and `adjustmentType`.",
  ),
  hosted_payment_page_adjustment_title_invalid: invalid(
    "V11222",
    "Send a `title` of 1 to 30 characters; it is required.",
  ),
  hosted_payment_page_adjustment_amount_invalid: invalid(
    "V11223",
    "Send `amount` as a whole number of cents from -99999999999 to 99999999999; it is required.",
  ),
  hosted_payment_page_adjustment_type_invalid: invalid(
    "V11224",
    "Send `Other`, `Discount`, `Shipping` or `Tax` as `adjustmentType`; it is required.",
  ),
  hosted_payment_page_adjustment_order_invalid: invalid(
    "V11225",
    "Send `order` as a whole number (32 bits), on all adjustments or on none, each number once.",
  ),
  hosted_payment_page_totals_mismatch: {
    id: "V11230",
    status: 400,
    meaning:
      "Make `payment.amount` equal to `expected`, the sum of line items, each rounded half up to a cent, and adjustments (the exact sum, rounded half up, is accepted as well); it is `given`.",
  },
} as const satisfies Record<string, Code>;
