import type { DefaultTheme } from "../features/merchants/index.ts";
import { makeAsset } from "../platform/assets/asset.ts";
import { themeCss } from "./theme.ts";

/** The paths of one hosted page, below the hosted origin. */
export type PageAddresses = {
  readonly page: string;
  readonly logo: string;
  /** The picture of a line item. */
  readonly picture: (item: number) => string;
  /** The stylesheet of the page's own theme. Its address changes with the theme. */
  readonly theme: (theme: DefaultTheme) => string;
  /** Where the bank redirects the payer after a challenge in the full window. */
  readonly comeBack: string;
  readonly abandon: string;
  /** Where a saved card is removed. */
  readonly remove: string;
  /** The page right after a payment: it may redirect the payer to the merchant. */
  readonly after: string;
};

export function addressesOf(pageKey: string, failedAttempts: number): PageAddresses {
  const page = `/pay/${encodeURIComponent(pageKey)}`;
  return {
    page,
    logo: `${page}/logo`,
    picture: (item) => `${page}/items/${item}`,
    theme: (theme) => `${page}/theme/${makeAsset(themeCss(theme), "text/css").hash}.css`,
    comeBack: `${page}/return`,
    abandon: `${page}/abandon`,
    remove: `${page}/remove`,
    after: `${page}?after=${failedAttempts}`,
  };
}
