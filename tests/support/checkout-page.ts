import assert from "node:assert/strict";
import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import type { PageState } from "../../browser/ui/page-state.ts";
import { CARD } from "./checkout.ts";
import { eventually } from "./eventually.ts";

/** Generous, because two busy cores are slow. */
export const PATIENCE_MS = 120_000;

export type ClientEvent = {
  readonly name: "initialise" | "surchargeUpdate" | "process";
  readonly result: { readonly status: string; readonly codes?: readonly ClientCode[] };
  readonly surcharge?: number;
  readonly transactionId?: string;
  readonly ignored?: readonly string[];
};
export type ClientCode = {
  readonly id: string;
  readonly message: string;
  readonly detail: string;
  readonly docs?: string;
  readonly field?: string;
};

export type TypedCard = {
  readonly number?: string;
  readonly expiry?: string;
  readonly code?: string;
  readonly name?: string;
};

export const EXPIRY = `${CARD.expiryMonth} / ${String(CARD.expiryYear).slice(2)}`;

/** The checkout in a merchant's page, located by labels and names as a payer does. */
export type CheckoutPage = {
  readonly page: Page;
  readonly frame: FrameLocator;
  readonly main: Locator;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly code: Locator;
  readonly name: Locator;
  readonly consent: Locator;
  readonly payButton: Locator;
  /** The bank's page, while a challenge is open. */
  readonly bank: FrameLocator;
  /** The frame as a document, for what no locator can express. */
  readonly document: () => Promise<Frame>;
  readonly waitFor: (state: PageState) => Promise<void>;
  readonly words: () => Promise<string>;
  readonly fill: (card?: TypedCard) => Promise<void>;
  readonly pay: () => Promise<void>;
  /** Every event that the merchant's page has received. */
  readonly events: () => Promise<readonly ClientEvent[]>;
  /** Waits for the event of that name; `nth` picks the second or third. */
  readonly event: (name: ClientEvent["name"], nth?: number) => Promise<ClientEvent>;
};

const FRAME = 'iframe[title="Secure card payment"]';

export function checkoutPage(page: Page): CheckoutPage {
  const frame = page.frameLocator(FRAME);
  const main = frame.locator("main");
  const field = (label: string) => frame.getByLabel(label, { exact: true });
  const payButton = frame.getByRole("button", { name: /^Pay/ });
  const [number, expiry, code, name] = [
    field("Card number"),
    field("Expiry date"),
    field("Security code"),
    field("Name on card"),
  ];
  const events = () => page.evaluate("window.events") as Promise<readonly ClientEvent[]>;
  return {
    page,
    frame,
    main,
    number,
    expiry,
    code,
    name,
    consent: frame.getByRole("checkbox", { name: "Save this card for future payments" }),
    payButton,
    bank: frame.frameLocator('iframe[title="Sandbox bank"]'),
    document: async () => {
      const contentFrame = await (await page.locator(FRAME).elementHandle())?.contentFrame();
      assert.ok(contentFrame, "the checkout's frame is in the page");
      return contentFrame;
    },
    waitFor: (state) =>
      frame.locator(`main[data-state="${state}"]`).waitFor({ state: "attached", timeout: PATIENCE_MS }),
    words: () => main.innerText(),
    fill: async (card = {}) => {
      await number.fill(card.number ?? CARD.number);
      await expiry.fill(card.expiry ?? EXPIRY);
      await code.fill(card.code ?? CARD.securityCode);
      if (card.name !== undefined) await name.fill(card.name);
    },
    pay: () => payButton.click(),
    events,
    event: (wanted, nth = 1) =>
      eventually(
        `the page receives ${wanted} (${nth})`,
        async () => (await events()).filter((event) => event.name === wanted)[nth - 1],
        PATIENCE_MS,
      ),
  };
}
