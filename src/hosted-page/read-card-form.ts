import { digitsOf, plainText } from "../../browser/ui/card-number.ts";
import { readExpiry } from "../../browser/ui/expiry.ts";
import type { CardInput } from "../features/checkout/index.ts";
import { defined } from "../kernel/defined.ts";
import type { FormFields } from "../platform/http/form-posts.ts";

/** Reads the card from a form that was submitted without scripts. An unreadable date becomes one that the rules refuse. */
export function readCardForm(fields: FormFields): CardInput {
  const { month, year } = readExpiry(fields["expiry"] ?? "") ?? { month: 0, year: 0 };
  const name = (fields["name"] ?? "").trim();
  return defined({
    number: digitsOf(fields["number"] ?? ""),
    expiryMonth: month,
    expiryYear: year,
    securityCode: plainText(fields["securityCode"] ?? "").trim(),
    name: name === "" ? undefined : name,
  });
}
