import validator from "card-validator";
import type { CodeId } from "../../kernel/codes/catalogue.ts";

/** A card as a payer types it. */
export type TypedCard = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode: string;
};

/** Names of schemes in the library, where they differ from ours. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  "american-express": "amex",
  "diners-club": "diners",
};

const YEARS_AHEAD = 20;

/** `visa`, `mastercard`, `amex`…, or `unknown`: any number that passes the Luhn check is a card. */
export function cardTypeOf(number: string): string {
  const scheme = validator.number(number).card?.type ?? "unknown";
  return OUR_NAMES[scheme] ?? scheme;
}

/** What is wrong with a card, by field. `month` and `year` are the payer's now. */
export function cardProblems(
  card: TypedCard,
  now: { readonly year: number; readonly month: number },
): readonly { readonly code: CodeId; readonly field: string }[] {
  const over = card.expiryYear === now.year && card.expiryMonth < now.month;
  const yearFine = card.expiryYear >= now.year && card.expiryYear <= now.year + YEARS_AHEAD;
  const monthFine = card.expiryMonth >= 1 && card.expiryMonth <= 12 && !over;
  return [
    ...(isCardNumber(card.number) ? [] : [{ code: "V10090", field: "/card/number" } as const]),
    ...(monthFine ? [] : [{ code: "V10087", field: "/card/expiryMonth" } as const]),
    ...(yearFine ? [] : [{ code: "V10088", field: "/card/expiryYear" } as const]),
    ...(isSecurityCode(card) ? [] : [{ code: "V10089", field: "/card/securityCode" } as const]),
  ];
}

function isCardNumber(number: string): boolean {
  return /^\d{12,19}$/.test(number) && passesLuhn(number);
}

function isSecurityCode({ number, securityCode }: TypedCard): boolean {
  const size = validator.number(number).card?.code.size;
  return size === undefined
    ? /^\d{3,4}$/.test(securityCode)
    : new RegExp(`^\\d{${size}}$`).test(securityCode);
}

/** The check digit of every card number. */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
