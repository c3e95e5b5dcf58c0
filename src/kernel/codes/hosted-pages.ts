import type { Code } from "./code.ts";

const invalid = (place: string, meaning: string) =>
  ({ message: `hosted_payment_page_${place}_invalid`, status: 400, meaning }) as const;

/** The hosted payment page of a payment request. */
export const HOSTED_PAGE_CODES = {
  V11200: invalid("object", "`hostedPaymentPage` is an object with at least `logo`."),
  V11201: invalid("merchant_name", "1 to 140 characters; left out, it is the account's name."),
  V11202: invalid("logo", "Required: `data:<mime>;base64,<data>` of a PNG, SVG or WebP image."),
  V11203: {
    message: "hosted_payment_page_logo_too_large",
    status: 400,
    meaning: "The logo is larger than 10,240 bytes decoded.",
  },
  V11204: {
    message: "hosted_payment_page_logo_bytes_invalid",
    status: 400,
    meaning: "The logo's bytes are not an image of the type that it declares.",
  },
  V11205: {
    message: "hosted_payment_page_logo_svg_unsafe",
    status: 400,
    meaning:
      "The SVG holds a script, an event handler, an outside reference, a DOCTYPE or another thing that a logo can't have.",
  },
  V11206: invalid("result_page", "`show`, `redirect` or `none`."),
  V11207: invalid("redirect_url", "An http or https URL; required when `resultPage` is `redirect`."),
  V11208: invalid("attempts", "A whole number from 1 to 3."),
  V11210: invalid("line_items", "A list of at most 50 items; required when there are `adjustments`."),
  V11211: invalid("line_item", "A line item is an object with `title` and `amount`."),
  V11212: invalid("line_item_title", "Required: 1 to 50 characters."),
  V11213: invalid("line_item_image", "An http or https URL."),
  V11214: invalid("line_item_amount", "Required: a whole number of cents from 0 to 99999999999."),
  V11215: invalid(
    "line_item_quantity",
    "A number above 0 after rounding to 3 decimals, at most 99999999999.",
  ),
  V11216: invalid("line_item_modifier", "1 to 50 characters."),
  V11220: invalid("adjustments", "A list of at most 10 adjustments."),
  V11221: invalid("adjustment", "An adjustment is an object with `title`, `amount` and `adjustmentType`."),
  V11222: invalid("adjustment_title", "Required: 1 to 30 characters."),
  V11223: invalid("adjustment_amount", "Required: a whole number of cents from -99999999999 to 99999999999."),
  V11224: invalid("adjustment_type", "Required: `Other`, `Discount`, `Shipping` or `Tax`."),
  V11225: invalid("adjustment_order", "A whole number (32 bits), on all adjustments or on none, each once."),
  V11230: {
    message: "hosted_payment_page_totals_mismatch",
    status: 400,
    meaning: "Line items and adjustments add up to `expected`, `payment.amount` is `given`; make them equal.",
  },
} as const satisfies Record<string, Code>;
