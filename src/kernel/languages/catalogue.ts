import type { Currency } from "../money.ts";
import type {
  ENGLISH_ADDRESS,
  ENGLISH_CHECKOUT,
  ENGLISH_MAIL,
  ENGLISH_PAGE,
  ENGLISH_PAYID,
  ENGLISH_WALLETS,
} from "./english.ts";

type Texts<Source> = { readonly [key in keyof Source]: string };

export type CheckoutWords = Texts<typeof ENGLISH_CHECKOUT> & { readonly [currency in Currency]: string };
export type AddressWords = Texts<typeof ENGLISH_ADDRESS>;
export type WalletWords = Texts<typeof ENGLISH_WALLETS>;
export type PayIdWords = Texts<typeof ENGLISH_PAYID> &
  Pick<CheckoutWords, (typeof WORDS_OF_CHECKOUT)[number]>;
export type PageWords = Texts<typeof ENGLISH_PAGE>;
export type MailWords = Texts<typeof ENGLISH_MAIL>;

/** What the page of a PayID has in common with the checkout. */
export const WORDS_OF_CHECKOUT = [
  "secured",
  "sandbox",
  "amount",
  "tryAgain",
  "checkAgain",
  "oneMoment",
  "expired",
  "cancelled",
  "notHere",
  "notHereHelp",
  "notLoadedHelp",
] as const;

/** All texts of one language. A text that English has and another language lacks does not compile. */
export type Catalogue = {
  /** BCP 47, for `lang`. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  /** The locale whose amounts `Intl` writes, and the one whose dates it writes. */
  readonly numbers: string;
  readonly dates: string;
  /** Whether a speaker of the language has read these texts. */
  readonly isReviewed: boolean;
  readonly checkout: CheckoutWords;
  readonly address: AddressWords;
  readonly wallets: WalletWords;
  readonly payid: Texts<typeof ENGLISH_PAYID>;
  readonly page: PageWords;
  readonly mail: MailWords;
};
