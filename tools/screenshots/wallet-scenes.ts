import { defined } from "../../src/kernel/defined.ts";
import {
  callApi,
  createRequest,
  createToken,
  ok,
  type RequestOverrides,
  type Shop,
} from "../../tests/support/checkout.ts";
import type { CheckoutPage } from "../../tests/support/checkout-page.ts";
import {
  createHosted,
  type HostedOverrides,
  type HostedPage,
  hostedPage,
} from "../../tests/support/hosted-page.ts";
import type { MerchantSite } from "../../tests/support/merchant-page.ts";
import { walletButtons } from "../../tests/support/wallet-buttons.ts";
import { EMBEDDED, openEmbedded } from "./embedded.ts";
import type { Scene } from "./studio.ts";

const ALL = ["card", "apple_pay", "google_pay"];
const WALLETS = ["apple_pay", "google_pay"];
const STORED = { paymentInstrument: "create" };

type WalletScene = {
  readonly name: string;
  readonly overrides: RequestOverrides;
  readonly reach: (checkout: CheckoutPage) => Promise<unknown>;
  readonly unanswered?: string;
};

type HostedScene = {
  readonly name: string;
  readonly overrides: HostedOverrides;
  readonly scripts?: false;
  readonly reach: (hosted: HostedPage) => Promise<unknown>;
};

const SCENES: readonly WalletScene[] = [
  {
    name: "buttons",
    overrides: { paymentMethods: ALL },
    reach: ({ frame }) => walletButtons(frame).googlePay.waitFor(),
  },
  {
    name: "consent",
    overrides: { paymentMethods: ALL, customerRequest: STORED },
    reach: ({ frame }) => walletButtons(frame).googlePay.waitFor(),
  },
  {
    name: "only",
    overrides: { paymentMethods: WALLETS, customerRequest: STORED },
    reach: ({ frame }) => walletButtons(frame).googlePay.waitFor(),
  },
  {
    name: "none",
    overrides: { paymentMethods: ["google_pay"] },
    reach: async ({ page }) => {
      await page.waitForLoadState("networkidle");
    },
  },
  {
    name: "sheet",
    overrides: { paymentMethods: ALL, amount: 12_850 },
    reach: async ({ frame }) => {
      const { googlePay, card } = walletButtons(frame);
      await googlePay.click();
      await card("American Express").check();
    },
  },
  {
    name: "sheet-only",
    overrides: { paymentMethods: ["apple_pay"] },
    reach: async ({ frame }) => {
      await walletButtons(frame).applePay.click();
      await walletButtons(frame).confirm.waitFor();
    },
  },
  {
    name: "processing",
    overrides: { paymentMethods: ALL, amount: 14480 },
    reach: async (checkout) => {
      await confirmWith(checkout.frame);
      await checkout.waitFor("processing");
    },
    unanswered: "**/checkout/pay",
  },
  {
    name: "declined",
    overrides: { paymentMethods: ALL, amount: 14451 },
    reach: async (checkout) => {
      await confirmWith(checkout.frame);
      await checkout.waitFor("declined");
    },
  },
];

const HOSTED_SCENES: readonly HostedScene[] = [
  {
    name: "buttons",
    overrides: { more: { paymentMethods: ALL }, description: "Order 1042" },
    reach: ({ page }) => walletButtons(page).googlePay.waitFor(),
  },
  {
    name: "only-without-scripts",
    overrides: { more: { paymentMethods: WALLETS } },
    scripts: false,
    reach: ({ waitFor }) => waitFor("ready"),
  },
  {
    name: "sheet",
    overrides: { more: { paymentMethods: ALL }, amount: 12_850, description: "Order 1042" },
    reach: async ({ page }) => {
      await walletButtons(page).googlePay.click();
      await walletButtons(page).card("American Express").check();
    },
  },
  {
    name: "retry",
    overrides: { more: { paymentMethods: ALL }, amount: 14451, page: { attempts: 2 } },
    reach: async (hosted) => {
      await confirmWith(hosted.page);
      await hosted.waitFor("declined");
      await walletButtons(hosted.page).applePay.waitFor();
    },
  },
];

async function confirmWith(place: Parameters<typeof walletButtons>[0]): Promise<void> {
  const { applePay, confirm } = walletButtons(place);
  await applePay.click();
  await confirm.click();
}

type WalletPlaces = {
  readonly site: MerchantSite;
  /** A shop with a surcharge on American Express; a new one each time, because a scene may change it. */
  readonly newShop: () => Promise<Shop>;
};

/** Apple Pay and Google Pay in the checkout and on the hosted page. */
export function walletScenes({ site, newShop }: WalletPlaces): readonly Scene[] {
  const shopWithWallets = async () => {
    const shop = await newShop();
    ok(await callApi(shop, "POST", "/management/applepaydomains", { domains: ["localhost"] }));
    return shop;
  };
  const embedded = SCENES.map(
    ({ name, overrides, reach, unanswered }): Scene => ({
      name: `wallets-${name}`,
      ...EMBEDDED,
      ...defined({ unanswered }),
      reach: async (page) => {
        const shop = await shopWithWallets();
        const { id } = (await createRequest(shop, overrides)) as { readonly id: string };
        const token = await createToken(shop, id);
        if (name === "none")
          ok(await callApi(shop, "PUT", "/management/account", { capabilities: { googlePay: false } }));
        await reach(await openEmbedded(page, site, { token, named: true }));
      },
    }),
  );
  const hosted = HOSTED_SCENES.map(
    ({ name, overrides, scripts, reach }): Scene => ({
      name: `wallets-hosted-${name}`,
      options: { javaScriptEnabled: scripts !== false },
      reach: async (page) => {
        const { hostedPaymentPage } = (await createHosted(await shopWithWallets(), overrides)) as Made;
        await page.goto(hostedPaymentPage.url);
        await reach(hostedPage(page));
      },
    }),
  );
  return [...embedded, ...hosted];
}

type Made = { readonly hostedPaymentPage: { readonly url: string } };
