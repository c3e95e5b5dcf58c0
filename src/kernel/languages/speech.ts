import type { Catalogue, CheckoutWords, WalletWords } from "./catalogue.ts";

/** The part of a catalogue that a page's script gets. */
export type SpokenLanguage = Pick<Catalogue, "tag" | "direction" | "numbers"> & {
  readonly words: CheckoutWords;
  /** Absent in English, which the wallets' script carries itself. */
  readonly walletWords?: WalletWords;
};

/** How a page speaks to its payer: the texts of one language, and amounts as that language writes them. */
export type Speech = SpokenLanguage & {
  /** `$1,234.50`, without the currency, which every page names once. */
  readonly money: (cents: number) => string;
  readonly percent: (percent: number) => string;
};

export function speechIn(language: SpokenLanguage, currency: string): Speech {
  const { numbers } = language;
  const money = new Intl.NumberFormat(numbers, { style: "currency", currency });
  const percent = new Intl.NumberFormat(numbers, { style: "percent", maximumFractionDigits: 4 });
  return {
    ...language,
    // `Intl` writes A$ or AU$; the oldest browsers know no option that leaves the country out.
    money: (cents) => money.format(cents / 100).replace(/[A-Z]+(?=\$)/, ""),
    percent: (value) => percent.format(value / 100),
  };
}

/** The text with its places filled. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/{(\w+)}/g, (_, name: string) => String(values[name]));
}
