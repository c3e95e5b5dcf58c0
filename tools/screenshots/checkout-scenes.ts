import { defined } from "../../src/kernel/defined.ts";
import {
  advanceClock,
  createRequest,
  createToken,
  type RequestOverrides,
  type Shop,
} from "../../tests/support/checkout.ts";
import type { CheckoutPage } from "../../tests/support/checkout-page.ts";
import type { MerchantSite } from "../../tests/support/merchant-page.ts";
import { customerWithCards } from "../../tests/support/saved-cards.ts";
import { EMBEDDED, openEmbedded } from "./embedded.ts";
import type { Scene } from "./studio.ts";

type CheckoutScene = {
  readonly name: string;
  readonly overrides?: RequestOverrides | ((shop: Shop) => Promise<RequestOverrides>);
  readonly reach: (checkout: CheckoutPage, shop: Shop) => Promise<unknown>;
  readonly unanswered?: string;
};

const CHALLENGED = { amount: 14418, category: { authenticationType: "3d_secure" } };

async function pay(checkout: CheckoutPage): Promise<void> {
  await checkout.fill({ name: "Mere Tui" });
  await checkout.pay();
}

const SCENES: readonly CheckoutScene[] = [
  { name: "empty", reach: (checkout) => checkout.waitFor("ready") },
  {
    name: "filled",
    overrides: { amount: 12_850 },
    reach: async (checkout) => {
      await checkout.fill({ name: "Mere Tui" });
      await checkout.name.blur();
    },
  },
  {
    name: "error",
    overrides: { customerRequest: { paymentInstrument: "create" } },
    reach: async (checkout) => {
      await checkout.number.fill("4111 1111 1111 1112");
      await checkout.expiry.fill("12 / 20");
      await checkout.pay();
    },
  },
  {
    name: "address",
    overrides: { collectAddress: "full" },
    reach: async (checkout) => {
      await checkout.fill();
      await checkout.pay();
    },
  },
  { name: "surcharge", reach: (checkout) => checkout.fill({ number: "378282246310005", code: "1234" }) },
  {
    name: "saved",
    overrides: async (shop) => ({ customerRequest: await customerWithCards(shop) }),
    reach: (checkout) => checkout.code.fill("123"),
  },
  {
    name: "saved-another",
    overrides: async (shop) => ({ customerRequest: await customerWithCards(shop) }),
    reach: async (checkout) => {
      await checkout.frame.getByRole("radio", { name: "Use another card" }).check();
    },
  },
  {
    name: "processing",
    overrides: { amount: 14480 },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.waitFor("processing");
    },
    unanswered: "**/checkout/pay",
  },
  {
    name: "bank-check",
    overrides: { ...CHALLENGED, amount: 14429 },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.frame.getByRole("heading", { name: "Checking with your bank" }).waitFor();
      // The bank is done after nine seconds.
      await checkout.frame.locator("#method-frame").waitFor({ state: "detached" });
    },
    unanswered: "**/checkout/continue",
  },
  {
    name: "challenge",
    overrides: CHALLENGED,
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.bank.getByRole("button", { name: "Approve" }).waitFor();
    },
  },
  {
    name: "approved",
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.waitFor("approved");
    },
  },
  {
    name: "declined",
    overrides: { amount: 14451 },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.waitFor("declined");
    },
  },
  {
    name: "pending",
    overrides: { amount: 14481 },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.waitFor("pending");
    },
    unanswered: "**/checkout/outcome",
  },
  {
    name: "lost",
    reach: async (checkout) => {
      await checkout.fill({ name: "Mere Tui" });
      await checkout.page.context().setOffline(true);
      await checkout.pay();
      await checkout.frame.getByRole("button", { name: "Check again" }).waitFor();
    },
  },
  {
    name: "expired",
    reach: async (checkout, shop) => {
      await checkout.fill();
      await advanceClock(shop, 90_000);
      await checkout.pay();
      await checkout.waitFor("expired");
    },
  },
];

/** The embedded checkout in all its states. A new shop for each: one moves its clock. */
export function checkoutScenes(site: MerchantSite, newShop: () => Promise<Shop>): readonly Scene[] {
  return SCENES.map(({ name, overrides = {}, reach, unanswered }) => ({
    name: `checkout-${name}`,
    ...EMBEDDED,
    ...defined({ unanswered }),
    reach: async (page) => {
      const shop = await newShop();
      const wanted = typeof overrides === "function" ? await overrides(shop) : overrides;
      const { id } = (await createRequest(shop, wanted)) as { readonly id: string };
      await reach(await openEmbedded(page, site, { token: await createToken(shop, id) }), shop);
    },
  }));
}
