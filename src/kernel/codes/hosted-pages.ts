import { type Code, invalid } from "./code.ts";

/** The hosted payment page of a payment request. */
export const HOSTED_PAGE_CODES = {
  hosted_payment_page_object_invalid: invalid(
    "V11200",
    "`hostedPaymentPage` is an object with at least `logo`.",
  ),
  hosted_payment_page_merchant_name_invalid: invalid(
    "V11201",
    "1 to 140 characters; left out, it is the account's name.",
  ),
  hosted_payment_page_logo_invalid: invalid(
    "V11202",
    "Required: `data:<mime>;base64,<data>` of a PNG, SVG or WebP image.",
  ),
  hosted_payment_page_logo_too_large: {
    id: "V11203",
    status: 400,
    meaning: "The logo is larger than 10,240 bytes decoded.",
  },
  hosted_payment_page_logo_bytes_invalid: {
    id: "V11204",
    status: 400,
    meaning: "The logo's bytes are not an image of the type that it declares.",
  },
  hosted_payment_page_logo_svg_unsafe: {
    id: "V11205",
    status: 400,
    meaning:
      "The SVG contains a script, an event handler, an outside reference, a DOCTYPE with declarations or another thing that a logo can't have.",
  },
  hosted_payment_page_result_page_invalid: invalid("V11206", "`show`, `redirect` or `none`."),
  hosted_payment_page_redirect_url_invalid: invalid(
    "V11207",
    "An http or https URL; required when `resultPage` is `redirect`.",
  ),
  hosted_payment_page_attempts_invalid: invalid("V11208", "A whole number from 1 to 3."),
  hosted_payment_page_line_items_invalid: invalid(
    "V11210",
    "A list of at most 50 items; required when there are `adjustments`.",
  ),
  hosted_payment_page_line_item_invalid: invalid(
    "V11211",
    "A line item is an object with `title` and `amount`.",
  ),
  hosted_payment_page_line_item_title_invalid: invalid("V11212", "Required: 1 to 50 characters."),
  hosted_payment_page_line_item_image_invalid: invalid("V11213", "An http or https URL."),
  hosted_payment_page_line_item_amount_invalid: invalid(
    "V11214",
    "Required: a whole number of cents from 0 to 99999999999.",
  ),
  hosted_payment_page_line_item_quantity_invalid: invalid(
    "V11215",
    "A number above 0 after rounding to 3 decimals, at most 99999999999.",
  ),
  hosted_payment_page_line_item_modifier_invalid: invalid("V11216", "1 to 50 characters."),
  hosted_payment_page_adjustments_invalid: invalid("V11220", "A list of at most 10 adjustments."),
  hosted_payment_page_adjustment_invalid: invalid(
    "V11221",
    "An adjustment is an object with `title`, `amount` and `adjustmentType`.",
  ),
  hosted_payment_page_adjustment_title_invalid: invalid("V11222", "Required: 1 to 30 characters."),
  hosted_payment_page_adjustment_amount_invalid: invalid(
    "V11223",
    "Required: a whole number of cents from -99999999999 to 99999999999.",
  ),
  hosted_payment_page_adjustment_type_invalid: invalid(
    "V11224",
    "Required: `Other`, `Discount`, `Shipping` or `Tax`.",
  ),
  hosted_payment_page_adjustment_order_invalid: invalid(
    "V11225",
    "A whole number (32 bits), on all adjustments or on none, each once.",
  ),
  hosted_payment_page_totals_mismatch: {
    id: "V11230",
    status: 400,
    meaning: "Line items and adjustments add up to `expected`, `payment.amount` is `given`; make them equal.",
  },
} as const satisfies Record<string, Code>;
