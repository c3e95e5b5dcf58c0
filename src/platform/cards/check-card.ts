import luhn10 from "card-validator/dist/luhn-10.js";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { schemeOf } from "./card-scheme.ts";
import { isCardholderName } from "./cardholder-name.ts";
import { plainDigits } from "./plain-digits.ts";

/** A card as a payer types it. */
export type TypedCard = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode: string;
  readonly name?: string | undefined;
};

const YEARS_AHEAD = 20;

/** `visa`, `mastercard`, `amex`…, or `unknown`: any number that passes the Luhn check is a card. */
export function cardTypeOf(number: string): string {
  return schemeOf(number)?.type ?? "unknown";
}

/** What is wrong with a card beside its expiry, by field. */
export function cardProblems(
  card: TypedCard,
): readonly { readonly code: CodeName; readonly field: string }[] {
  return [
    ...(isCardNumber(card.number) ? [] : [{ code: "card_number_invalid", field: "/card/number" } as const]),
    ...(isSecurityCode(card)
      ? []
      : [{ code: "card_security_code_invalid", field: "/card/securityCode" } as const]),
    ...(isCardholderName(plainDigits(card.name ?? ""))
      ? []
      : [{ code: "card_name_invalid", field: "/card/name" } as const]),
  ];
}

/** What is wrong with its expiry. `month` and `year` are the merchant's now. */
export function expiryProblems(
  card: Pick<TypedCard, "expiryMonth" | "expiryYear">,
  now: { readonly year: number; readonly month: number },
): readonly { readonly code: CodeName; readonly field: string }[] {
  const over = card.expiryYear === now.year && card.expiryMonth < now.month;
  const yearFine = card.expiryYear >= now.year && card.expiryYear <= now.year + YEARS_AHEAD;
  const monthFine = card.expiryMonth >= 1 && card.expiryMonth <= 12 && !over;
  return [
    ...(monthFine ? [] : [{ code: "card_expiry_month_invalid", field: "/card/expiryMonth" } as const]),
    ...(yearFine ? [] : [{ code: "card_expiry_year_invalid", field: "/card/expiryYear" } as const]),
  ];
}

export function isCardNumber(number: string): boolean {
  return /^\d{12,19}$/.test(number) && luhn10(number);
}

function isSecurityCode({ number, securityCode }: TypedCard): boolean {
  // A number that its own rule refuses is absent here.
  const length = isCardNumber(number) ? schemeOf(number)?.codeLength : undefined;
  return /^\d{3,4}$/.test(securityCode) && (length === undefined || securityCode.length === length);
}
