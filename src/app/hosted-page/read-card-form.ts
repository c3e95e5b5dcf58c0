import { digitsOf } from "../../../browser/ui/card-number.ts";
import { type Expiry, readExpiry } from "../../../browser/ui/expiry.ts";
import type { CardAsk } from "../../features/checkout/index.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";

/** The card as it was typed into a form that no script looked at. What is no date becomes one that the rules refuse. */
export function readCardForm(fields: FormFields): CardAsk {
  const { month, year } = expiryOf(fields["expiry"] ?? "") ?? { month: 0, year: 0 };
  const name = (fields["name"] ?? "").trim();
  return {
    number: digitsOf(fields["number"] ?? ""),
    expiryMonth: month,
    expiryYear: year,
    securityCode: (fields["securityCode"] ?? "").trim(),
    ...(name === "" ? {} : { name }),
  };
}

const MONTH_AND_YEAR = /^\s*(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})\s*$/;

/** Nobody watched it being typed, so a month that can't be is not guessed at: 13 / 30 stays wrong. */
function expiryOf(text: string): Expiry | undefined {
  const [, month, year] = MONTH_AND_YEAR.exec(text) ?? [];
  if (month === undefined || year === undefined) return readExpiry(text);
  return { month: Number(month), year: 2000 + Number(year) };
}
