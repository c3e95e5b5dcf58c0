import type { Currency } from "./money.ts";

/** The countries of merchants and bank accounts. Dates without a time are days in `zone`. */
export const COUNTRIES = {
  AU: { name: "Australia", currency: "AUD", zone: "Australia/Sydney" },
  NZ: { name: "New Zealand", currency: "NZD", zone: "Pacific/Auckland" },
} as const satisfies Record<
  string,
  { readonly name: string; readonly currency: Currency; readonly zone: string }
>;
export type Country = keyof typeof COUNTRIES;
export type TimeZone = (typeof COUNTRIES)[Country]["zone"];

export const MERCHANT_COUNTRIES = Object.keys(COUNTRIES) as readonly Country[];
/** As messages list them. */
export const COUNTRY_CHOICE = MERCHANT_COUNTRIES.map((code) => `\`${code}\``).join(" or ");

/** The country whose banks settle a currency. */
export const COUNTRY_OF_CURRENCY: Readonly<Record<Currency, Country>> = { AUD: "AU", NZD: "NZ" };
