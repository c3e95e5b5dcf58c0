import { COUNTRIES, type Country } from "../country.ts";
import type { Instant } from "../time.ts";
import { ARABIC } from "./arabic.ts";
import { type Catalogue, type PayIdWords, WORDS_OF_CHECKOUT } from "./catalogue.ts";
import { CHINESE_SIMPLIFIED } from "./chinese-simplified.ts";
import {
  ENGLISH_ADDRESS,
  ENGLISH_CHECKOUT,
  ENGLISH_MAIL,
  ENGLISH_PAGE,
  ENGLISH_PAYID,
  ENGLISH_WALLETS,
} from "./english.ts";
import { MAORI } from "./maori.ts";
import type { SpokenLanguage } from "./speech.ts";
import { VIETNAMESE } from "./vietnamese.ts";

export const ENGLISH: Catalogue = {
  tag: "en",
  direction: "ltr",
  numbers: "en",
  dates: "en",
  isReviewed: true,
  checkout: ENGLISH_CHECKOUT,
  address: ENGLISH_ADDRESS,
  wallets: ENGLISH_WALLETS,
  payid: ENGLISH_PAYID,
  page: ENGLISH_PAGE,
  mail: ENGLISH_MAIL,
};

/** Every language that payers can be addressed in. */
export const LANGUAGES: readonly Catalogue[] = [ENGLISH, CHINESE_SIMPLIFIED, VIETNAMESE, ARABIC, MAORI];

/** The longest header that is read; no browser sends more than a few languages. */
const LONGEST_HEADER = 1_000;

/**
 * The language for a payer. A locale that the merchant set decides, and falls back to English; without one the first that
 * the browser prefers and that there is.
 */
export function languageFor(locale: string | undefined, acceptLanguage: string | undefined): Catalogue {
  if (locale !== undefined) return findLanguage(locale) ?? ENGLISH;
  for (const tag of preferredTags(acceptLanguage ?? "")) {
    const found = findLanguage(tag);
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

/** The language of a tag. Chinese in the traditional script is another language to its readers. */
export function findLanguage(tag: string): Catalogue | undefined {
  const wanted = readTag(tag);
  return LANGUAGES.find((one) => {
    const own = new Intl.Locale(one.tag).maximize();
    return own.language === wanted?.language && own.script === wanted.script;
  });
}

function readTag(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    // Well-formed and yet unknown to `Intl`, such as a private tag.
    return undefined;
  }
}

/** The tags of an `Accept-Language` header, the preferred first. Those with `q=0` are unwanted. */
function preferredTags(header: string): readonly string[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.split(/;\s*q=/i);
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== "" && tag !== "*" && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/** How the dates of a language are written; English ones as the merchant's country does. */
function dateLocale({ dates }: Catalogue, country: string): string {
  return dates === ENGLISH.dates ? `en-${country}` : dates;
}

/** Date and time in the payer's language and the country's time zone; English as that country writes it. */
export function momentText(language: Catalogue, country: Country, moment: Instant): string {
  return new Intl.DateTimeFormat(dateLocale(language, country), {
    timeZone: COUNTRIES[country].zone,
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(moment));
}

/** What a page's script gets. */
export function spoken(language: Catalogue, withWallets = false): SpokenLanguage {
  const { tag, direction, numbers, checkout: words, wallets: walletWords } = language;
  return { tag, direction, numbers, words, ...(withWallets && { walletWords }) };
}

/** The texts of a PayID's page and panel. */
export function payIdWords({ payid, checkout }: Catalogue): PayIdWords {
  const shared = Object.fromEntries(WORDS_OF_CHECKOUT.map((key) => [key, checkout[key]]));
  return { ...payid, ...(shared as Pick<PayIdWords, (typeof WORDS_OF_CHECKOUT)[number]>) };
}
