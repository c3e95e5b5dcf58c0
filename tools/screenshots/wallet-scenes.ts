import { join } from "node:path";
import type { Browser } from "playwright-core";
import { type Payer, visitOnce } from "../../tests/support/browser.ts";
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

const ALL = ["card", "apple_pay", "google_pay"];
const WALLETS = ["apple_pay", "google_pay"];
const STORED = { paymentInstrument: "create" };
const WIDTHS = [320, 390, 1280] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT = 1100;

type Scene = {
  readonly name: string;
  readonly overrides: RequestOverrides;
  readonly reach: (checkout: CheckoutPage) => Promise<unknown>;
};

type HostedScene = {
  readonly name: string;
  readonly overrides: HostedOverrides;
  readonly scripts?: false;
  readonly reach: (hosted: HostedPage) => Promise<unknown>;
};

const SCENES: readonly Scene[] = [
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

type Studio = {
  readonly browser: Browser;
  readonly site: MerchantSite;
  readonly hostedUrl: string;
  /** Has a surcharge on American Express. */
  readonly shop: Shop;
};

/** Apple Pay and Google Pay in the checkout and on the hosted page. */
export async function takeWalletPictures(studio: Studio, folder: string): Promise<void> {
  ok(await callApi(studio.shop, "POST", "/management/applepaydomains", { domains: ["localhost"] }));
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      for (const scene of SCENES) await takeEmbedded(studio, scene, width, theme, folder);
      for (const scene of HOSTED_SCENES) await takeHosted(studio, scene, width, theme, folder);
    }
  }
}

type Theme = (typeof THEMES)[number];

async function takeEmbedded(
  { browser, site, hostedUrl, shop }: Studio,
  { name, overrides, reach }: Scene,
  width: number,
  theme: Theme,
  folder: string,
): Promise<void> {
  const { id } = (await createRequest(shop, overrides)) as { readonly id: string };
  const token = await createToken(shop, id);
  const noGoogle = { capabilities: { googlePay: name !== "none" } };
  ok(await callApi(shop, "PUT", "/management/account", noGoogle));
  const work = async (payer: Payer) => {
    const background = theme === "light" ? "#fff" : "#0d1117";
    const containerWidth = width === 320 ? "auto" : "calc(100% - 2rem)";
    const options = { config: { ui: { theme } }, background, width: containerWidth, named: true };
    const checkout = await payer.open({ token, ...options });
    await reach(checkout);
    const shown = await checkout.page.locator("body").boundingBox();
    await checkout.page.screenshot({
      path: join(folder, `wallets-${name}-${width}-${theme}.png`),
      clip: { x: 0, y: 0, width, height: Math.ceil((shown?.y ?? 0) + (shown?.height ?? HEIGHT) + 16) },
      animations: "disabled",
      caret: "hide",
    });
  };
  const viewport = { width, height: HEIGHT };
  await visitOnce(browser, site, hostedUrl, work, { viewport, colorScheme: theme });
  ok(await callApi(shop, "PUT", "/management/account", { capabilities: { googlePay: true } }));
}

type Made = { readonly hostedPaymentPage: { readonly url: string } };

async function takeHosted(
  { browser, shop }: Studio,
  { name, overrides, scripts, reach }: HostedScene,
  width: number,
  colorScheme: Theme,
  folder: string,
): Promise<void> {
  const { hostedPaymentPage } = (await createHosted(shop, overrides)) as Made;
  const context = await browser.newContext({
    viewport: { width, height: width === 1280 ? 800 : 740 },
    colorScheme,
    reducedMotion: "reduce",
    javaScriptEnabled: scripts !== false,
  });
  try {
    const hosted = hostedPage(await context.newPage());
    await hosted.page.goto(hostedPaymentPage.url);
    await reach(hosted);
    const path = join(folder, `wallets-hosted-${name}-${width}-${colorScheme}.png`);
    await hosted.page.screenshot({ path, fullPage: name !== "sheet", animations: "disabled", caret: "hide" });
  } finally {
    await context.close();
  }
}
