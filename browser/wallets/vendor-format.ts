/** Cents as the vendors write money: 30.00. */
export function decimalText(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The vendors' names of networks, without case and gaps, where they are not ours. */
const NETWORKS: Readonly<Record<string, string>> = {
  americanexpress: "amex",
  chinaunionpay: "unionpay",
  dinersclub: "diners",
  maestro: "mastercard",
};

/** The card type that a vendor's network stands for: "MasterCard" is mastercard. */
export function cardTypeOfNetwork(network: unknown): string {
  const word = typeof network === "string" ? network.toLowerCase().replace(/[^a-z]/g, "") : "";
  return NETWORKS[word] ?? word;
}

/** The country that the vendors ask for beside a currency; the gateway deals in two. */
export function countryOf(currencyCode: string): string {
  return currencyCode === "NZD" ? "NZ" : "AU";
}
