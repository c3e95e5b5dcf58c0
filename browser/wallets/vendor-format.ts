import { COUNTRY_OF_CURRENCY } from "../../src/kernel/country.ts";

/** The vendors' format for money: 30.00. */
export function decimalText(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The vendors' network names that differ from our card types, in lower case without spaces. */
const NETWORKS: Readonly<Record<string, string>> = {
  americanexpress: "amex",
  chinaunionpay: "unionpay",
  dinersclub: "diners",
  maestro: "mastercard",
};

/** "MasterCard" is mastercard. */
export function cardTypeOfNetwork(network: unknown): string {
  const word = typeof network === "string" ? network.toLowerCase().replace(/[^a-z]/g, "") : "";
  return NETWORKS[word] ?? word;
}

/** The vendors require a country besides the currency. */
export function countryOf(currencyCode: string): string {
  return (COUNTRY_OF_CURRENCY as Readonly<Record<string, string>>)[currencyCode] ?? "AU";
}
