import type { FrameLocator, Locator, Page } from "playwright-core";
import type { PageState } from "../../browser/ui/page-state.ts";
import { CARD, callApi, ok, type Shop } from "./checkout.ts";
import { EXPIRY, PATIENCE_MS, type TypedCard } from "./checkout-page.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><rect width="80" height="40" fill="#0b5f7c"/></svg>';
export const LOGO = `data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`;

/** Overrides of the default hosted request. */
export type HostedOverrides = {
  readonly amount?: number;
  readonly page?: Readonly<Record<string, unknown>>;
  readonly category?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly more?: Readonly<Record<string, unknown>>;
};

/** Creates a hosted payment request; returns the API's answer. */
export async function createHosted(shop: Shop, overrides: HostedOverrides = {}) {
  const { amount = 3000, page = {}, category, description, more = {} } = overrides;
  return ok(
    await callApi(shop, "POST", "/paymentrequests", {
      payment: { amount, ...(description === undefined ? {} : { description }) },
      hostedPaymentPage: { logo: LOGO, ...page },
      ...(category === undefined ? {} : { transactionRequest: { category } }),
      ...more,
    }),
  );
}

/** A hosted page, located by labels and names as a payer does. */
export type HostedPage = {
  readonly page: Page;
  readonly main: Locator;
  readonly number: Locator;
  readonly payButton: Locator;
  /** The bank's page in its frame, if scripts are on. */
  readonly bank: FrameLocator;
  readonly waitFor: (state: PageState) => Promise<void>;
  readonly words: () => Promise<string>;
  readonly fill: (card?: TypedCard) => Promise<void>;
  readonly pay: () => Promise<void>;
};

export function hostedPage(page: Page): HostedPage {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const payButton = page.getByRole("button", { name: /^Pay/ });
  const main = page.locator("main");
  return {
    page,
    main,
    number: field("Card number"),
    payButton,
    bank: page.frameLocator("iframe"),
    waitFor: (state) =>
      page.locator(`main[data-state="${state}"]`).waitFor({ state: "attached", timeout: PATIENCE_MS }),
    words: () => main.innerText(),
    fill: async (card = {}) => {
      await field("Card number").fill(card.number ?? CARD.number);
      await field("Expiry date").fill(card.expiry ?? EXPIRY);
      await field("Security code").fill(card.code ?? CARD.securityCode);
      if (card.name !== undefined) await field("Name on card").fill(card.name);
    },
    pay: () => payButton.click(),
  };
}
