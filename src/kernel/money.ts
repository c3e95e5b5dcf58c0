/** An amount in cents: an integer, never a float. Every noun and every port states its amounts in it. */
export type Cents = number & { readonly __brand: "Cents" };

/** The limits of one payment. */
export const MAX_CENTS = 99_999_999_999;
export const MIN_CENTS = 1;
/** The most that one payment charges, its surcharge included. */
export const MAX_TOTAL_CENTS = 2 * MAX_CENTS;

export const CURRENCIES = ["AUD", "NZD"] as const;
export type Currency = (typeof CURRENCIES)[number];
/** Their ISO 4217 numbers, which messages to acquirers and Apple's tokens have. */
export const CURRENCY_NUMBERS: Readonly<Record<Currency, string>> = { AUD: "036", NZD: "554" };
/** As messages list them. */
export const CURRENCY_CHOICE = CURRENCIES.map((code) => `\`${code}\``).join(" or ");

export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError("an amount is an integer of cents");
  return value as Cents;
}

export function sum(amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce((total, amount) => total + amount, 0));
}

/** A quantity in thousandths, exact: 1.5 is 1500n. */
export type Thousandths = bigint & { readonly __brand: "Thousandths" };

/**
 * Rounds a quantity half up to three decimals. It works on the decimal text of the number, because 1.0005 means
 * 1.0005 to the person who wrote it, whatever its nearest double is.
 */
export function quantityToThousandths(quantity: number): Thousandths {
  const { digits, scale } = decimalOf(quantity);
  return divideHalfUp(digits * 1000n, 10n ** BigInt(scale)) as Thousandths;
}

export function thousandthsToQuantity(quantity: Thousandths): number {
  return Number(quantity) / 1000;
}

/** Amount times quantity, rounded half up to a cent. A bigint, because a line can be larger than any payment. */
export function lineTotal(amount: Cents, quantity: Thousandths): bigint {
  return divideHalfUp(BigInt(amount) * quantity, 1000n);
}

/** The one rounding rule: halves go up (away from zero for what is not negative). */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n || divisor <= 0n)
    throw new RangeError("rounding is defined for amounts that are not negative");
  return (2n * dividend + divisor) / (2n * divisor);
}

/** A number's decimal text as digits and scale: 1.25 is 125 with scale 2, 1e-7 is 1 with scale 7. */
function decimalOf(value: number): { readonly digits: bigint; readonly scale: number } {
  if (!Number.isFinite(value) || value < 0)
    throw new RangeError("a quantity is a number that is not negative");
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -scale));
  return { digits, scale: Math.max(0, scale) };
}

const DOLLARS = /^\$?(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/;

/** Dollars as people type them: 30, 30.5, $1,234.50. Undefined when it is not an amount that can be paid. */
export function readCents(text: string, most = MAX_CENTS): number | undefined {
  const [, dollars, cents = ""] = DOLLARS.exec(text) ?? [];
  if (dollars === undefined) return undefined;
  const amount = Number(dollars.replace(/,/g, "")) * 100 + Number(cents.padEnd(2, "0"));
  return amount >= MIN_CENTS && amount <= most ? amount : undefined;
}
