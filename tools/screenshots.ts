/**
 * Takes screenshots of the checkout, the hosted page, the dashboard and the example shop in all their states. Starts its
 * own gateway.
 *
 *   npm run screenshots              everything into a new temporary folder; the screenshots of the docs also into
 *                                    docs/pictures/
 *   npm run screenshots -- <folder>  everything into that folder
 *   npm run screenshots -- <folder> wallets   one part: checkout, hosted, payid, wallets, dashboard, sign-in or shop
 *   npm run screenshots -- <folder> hosted form   one scene of the checkout, the hosted page or PayID
 *   npm run screenshots -- <folder> dashboard 768   the dashboard at one width
 */
import { copyFile, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openEmbeddedPostgres } from "../src/platform/embedded-postgres/index.ts";
import { launchBrowser, type Payer, visitOnce } from "../tests/support/browser.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  createToken,
  ok,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "../tests/support/checkout.ts";
import type { CheckoutPage } from "../tests/support/checkout-page.ts";
import type { TestDatabase } from "../tests/support/database.ts";
import { startDemo } from "../tests/support/demo.ts";
import { startTestGateway } from "../tests/support/gateway.ts";
import { type MerchantSite, startMerchantSite } from "../tests/support/merchant-page.ts";
import { customerWithCards } from "../tests/support/saved-cards.ts";
import { ensureChromium } from "./chromium.ts";
import { WIDTHS as ALL_WIDTHS } from "./screenshots/appearances.ts";
import { takeDashboardPictures } from "./screenshots/dashboard-scenes.ts";
import { takeHostedPictures } from "./screenshots/hosted-scenes.ts";
import { takePayIdPictures } from "./screenshots/payid-scenes.ts";
import { takeShopPictures } from "./screenshots/shop-scenes.ts";
import { takeSignInPictures } from "./screenshots/sign-in-scenes.ts";
import { takeWalletPictures } from "./screenshots/wallet-scenes.ts";

type Scene = {
  readonly name: string;
  readonly overrides?: RequestOverrides | ((shop: Shop) => Promise<RequestOverrides>);
  readonly reach: (checkout: CheckoutPage, shop: Shop) => Promise<unknown>;
};

/** Higher than the checkout in any state. */
const HEIGHT = 900;
const WIDTHS = [320, 390, 1280] as const;
const THEMES = ["light", "dark"] as const;
const CHALLENGED = { amount: 14418, category: { authenticationType: "3d_secure" } };

/** The screenshots of the docs. */
const CHOSEN = [
  { name: "checkout-light", scene: "filled-390-light" },
  { name: "checkout-dark", scene: "filled-390-dark" },
  { name: "challenge", scene: "challenge-390-light" },
  { name: "hosted-page", scene: "hosted-form-1280-light" },
] as const;
const LARGEST_CHOSEN = 80 * 1024;
const PICTURES = join(import.meta.dirname, "../docs/pictures");

async function pay(checkout: CheckoutPage): Promise<void> {
  await checkout.fill({ name: "Mere Tui" });
  await checkout.pay();
}

const SCENES: readonly Scene[] = [
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
  },
  {
    name: "bank-check",
    overrides: { ...CHALLENGED, amount: 14429 },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.frame.getByRole("heading", { name: "Checking with your bank" }).waitFor();
    },
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

type Studio = { readonly browser: Browser; readonly site: MerchantSite; readonly shops: ShopMaker };
type ShopMaker = { readonly hostedUrl: string; readonly plain: Shop; readonly surcharging: Shop };

async function takePictures(studio: Studio, folder: string, only?: string): Promise<void> {
  const { browser, site, shops } = studio;
  for (const { name, overrides = {}, reach } of SCENES) {
    if (only !== undefined && only !== name) continue;
    const shop = name === "surcharge" ? shops.surcharging : shops.plain;
    for (const width of WIDTHS) {
      for (const theme of THEMES) {
        const request = (await createRequest(
          shop,
          typeof overrides === "function" ? await overrides(shop) : overrides,
        )) as { readonly id: string };
        const token = await createToken(shop, request.id);
        const work = async (payer: Payer) => {
          const background = theme === "light" ? "#fff" : "#0d1117";
          // At 320 px the checkout fills the page; wider pages have a margin.
          const containerWidth = width === 320 ? "auto" : "calc(100% - 2rem)";
          const checkout = await payer.open({
            token,
            config: { ui: { theme } },
            background,
            width: containerWidth,
          });
          await reach(checkout, shop);
          // Clipped, because `fullPage` resizes the window, which sometimes leaves a frame of another origin blank.
          const shown = await checkout.page.locator("body").boundingBox();
          await checkout.page.screenshot({
            path: join(folder, `${name}-${width}-${theme}.png`),
            clip: { x: 0, y: 0, width, height: Math.ceil((shown?.y ?? 0) + (shown?.height ?? HEIGHT) + 16) },
            animations: "disabled",
            caret: "hide",
          });
        };
        const viewport = { width, height: HEIGHT };
        await visitOnce(browser, site, shops.hostedUrl, work, { viewport, colorScheme: theme });
      }
    }
  }
}

async function keepChosen(folder: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  for (const { name, scene } of CHOSEN) {
    const source = join(folder, `${scene}.png`);
    const { size } = await stat(source);
    if (size > LARGEST_CHOSEN) throw new Error(`${name}.png has ${size} bytes, more than ${LARGEST_CHOSEN}`);
    await copyFile(source, join(PICTURES, `${name}.png`));
  }
}

async function takeDemoPictures(browser: Browser, dataDir: string, folder: string): Promise<void> {
  const demo = await startDemo(join(dataDir, "demo"));
  try {
    await takeShopPictures(browser, demo.shopUrl, folder);
  } finally {
    await demo.interrupt();
  }
}

async function main(): Promise<void> {
  ensureChromium();
  const [, , chosenFolder, part, scene] = process.argv;
  const folder = chosenFolder ?? (await mkdtemp(join(tmpdir(), "tidegate-pictures-")));
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), "tidegate-studio-"));
  const server = await openEmbeddedPostgres({ dataDir, holdFolder: true, notice: console.log });
  const database: TestDatabase = { url: server.url, rows: async () => [], drop: async () => {} };
  const gateway = await startTestGateway({ database });
  const site = await startMerchantSite(gateway.hostedUrl);
  const browser = await launchBrowser();
  try {
    const plain = shopOf(gateway);
    const surcharging = shopOf(gateway, (await gateway.newMerchant()).key);
    const rates = { amex: { percent: 1.9, fixed: 0 } };
    const change = { name: "Harbour Books", surcharging: { enabled: true, rates } };
    ok(await callApi(surcharging, "PUT", "/management/account", change));
    ok(await callApi(plain, "PUT", "/management/account", { name: "Harbour Books" }));
    const { hostedUrl } = gateway;
    const wants = (name: string): boolean => part === undefined || part === name;
    if (wants("checkout"))
      await takePictures({ browser, site, shops: { hostedUrl, plain, surcharging } }, folder, scene);
    if (wants("hosted")) await takeHostedPictures(browser, surcharging, folder, scene);
    if (wants("payid")) await takePayIdPictures(browser, plain, { site, folder, only: scene });
    if (wants("wallets")) await takeWalletPictures({ browser, site, hostedUrl, shop: surcharging }, folder);
    if (wants("dashboard")) {
      const { id: merchantId, key } = await gateway.newMerchant();
      const shop = shopOf(gateway, key);
      ok(await callApi(shop, "PUT", "/management/account", { name: "Harbour Books" }));
      const widths = scene === undefined ? ALL_WIDTHS : [Number(scene)];
      await takeDashboardPictures(browser, gateway, { shop, merchantId }, { folder, widths });
    }
    if (wants("sign-in"))
      await takeSignInPictures(browser, gateway, (await gateway.newMerchant()).id, folder);
    if (wants("shop")) await takeDemoPictures(browser, dataDir, folder);
    if (chosenFolder === undefined) await keepChosen(folder);
    console.log(`the screenshots are in ${folder}`);
  } finally {
    await browser.close();
    await site.stop();
    await gateway.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
