import type { Currency } from "../money.ts";
import type { ENGLISH_CHECKOUT, ENGLISH_MAIL, ENGLISH_PAGE, ENGLISH_WALLETS } from "./english.ts";

type Texts<Source> = { readonly [key in keyof Source]: string };

export type CheckoutWords = Texts<typeof ENGLISH_CHECKOUT> & { readonly [currency in Currency]: string };
export type WalletWords = Texts<typeof ENGLISH_WALLETS>;
export type PageWords = Texts<typeof ENGLISH_PAGE>;
export type MailWords = Texts<typeof ENGLISH_MAIL>;

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
  readonly wallets: WalletWords;
  readonly page: PageWords;
  readonly mail: MailWords;
};
