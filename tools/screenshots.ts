/**
 * Takes screenshots of every page in all its states, at four widths, light, dark and in forced colours, and checks each
 * with axe and for its width. Starts its own gateway. Ends with 1 and a list if anything has to be fixed.
 *
 *   npm run screenshots                       everything into a new temporary folder; the screenshots of the docs also
 *                                             into docs/pictures/
 *   npm run screenshots -- <folder>           everything into that folder
 *   npm run screenshots -- <folder> wallets   one part: checkout, hosted, payid, wallets, bank-app, dashboard, sign-in,
 *                                             docs or shop
 *   npm run screenshots -- <folder> hosted-form 390   scenes whose names begin so, at one width
 */
import { copyFile, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../src/platform/embedded-postgres/index.ts";
import { launchBrowser } from "../tests/support/browser.ts";
import { callApi, ok, type Shop, shopOf } from "../tests/support/checkout.ts";
import type { TestDatabase } from "../tests/support/database.ts";
import { startDemo } from "../tests/support/demo.ts";
import { startTestGateway, type TestGateway } from "../tests/support/gateway.ts";
import { type MerchantSite, startMerchantSite } from "../tests/support/merchant-page.ts";
import { ensureChromium } from "./chromium.ts";
import { WIDTHS } from "./screenshots/appearances.ts";
import { bankAppScenes } from "./screenshots/bank-app-scenes.ts";
import { checkoutScenes } from "./screenshots/checkout-scenes.ts";
import { dashboardScenes } from "./screenshots/dashboard-scenes.ts";
import { docsScenes } from "./screenshots/docs-scenes.ts";
import { hostedScenes } from "./screenshots/hosted-scenes.ts";
import { payIdScenes } from "./screenshots/payid-scenes.ts";
import { shopScenes } from "./screenshots/shop-scenes.ts";
import { signInScenes } from "./screenshots/sign-in-scenes.ts";
import { note, pictureAll, type Scene, type Studio } from "./screenshots/studio.ts";
import { walletScenes } from "./screenshots/wallet-scenes.ts";

/** The screenshots of the docs. */
const CHOSEN = [
  { name: "checkout-light", scene: "checkout-filled-390-light" },
  { name: "checkout-dark", scene: "checkout-filled-390-dark" },
  { name: "challenge", scene: "checkout-challenge-390-light" },
  { name: "hosted-page", scene: "hosted-form-1280-light" },
] as const;
const LARGEST_CHOSEN = 80 * 1024;
const PICTURES = join(import.meta.dirname, "../docs/pictures");

/** A first start creates a database and builds the client, beside a browser that is busy. */
const DEMO_PATIENCE_MS = 300_000;

const RATES = { amex: { percent: 1.9, fixed: 0 } };

type Places = { readonly gateway: TestGateway; readonly site: MerchantSite; readonly dataDir: string };

type Part = { readonly scenes: readonly Scene[]; readonly end?: () => Promise<unknown> };

/** Every part of the pages, by the name that chooses it. */
const PARTS: Readonly<Record<string, (places: Places) => Promise<Part>>> = {
  checkout: async ({ gateway, site }) => ({ scenes: checkoutScenes(site, () => newShop(gateway)) }),
  hosted: async ({ gateway }) => ({ scenes: hostedScenes(await newShop(gateway)) }),
  payid: async ({ gateway, site }) => ({ scenes: payIdScenes(await newShop(gateway), site) }),
  wallets: async ({ gateway, site }) => ({ scenes: walletScenes({ site, newShop: () => newShop(gateway) }) }),
  "bank-app": async ({ gateway }) => ({ scenes: bankAppScenes(gateway) }),
  dashboard: async ({ gateway }) => {
    const { id: merchantId, key } = await gateway.newMerchant();
    const shop = shopOf(gateway, key);
    ok(await callApi(shop, "PUT", "/management/account", { name: "Harbour Books" }));
    return { scenes: await dashboardScenes(gateway, { shop, merchantId }) };
  },
  "sign-in": async ({ gateway }) => ({
    scenes: await signInScenes(gateway, (await gateway.newMerchant()).id),
  }),
  docs: async ({ gateway }) => ({ scenes: docsScenes(gateway.baseUrl) }),
  shop: async ({ dataDir }) => {
    const demo = await startDemo(join(dataDir, "demo"), { patienceMs: DEMO_PATIENCE_MS });
    return { scenes: shopScenes(demo.shopUrl), end: demo.interrupt };
  },
};

/** A merchant with a surcharge on American Express. */
async function newShop(gateway: TestGateway): Promise<Shop> {
  const shop = shopOf(gateway, (await gateway.newMerchant()).key);
  const surcharging = { enabled: true, rates: RATES };
  ok(await callApi(shop, "PUT", "/management/account", { name: "Harbour Books", surcharging }));
  return shop;
}

/** A part's own name, or the beginning of its scenes' names. */
async function takeParts(
  studio: Omit<Studio, "browser">,
  places: Places,
  wanted: string | undefined,
): Promise<void> {
  const parts = Object.entries(PARTS).filter(
    ([name]) => wanted === undefined || wanted === name || !(wanted in PARTS),
  );
  for (const [name, open] of parts) {
    const { scenes, end } = await open(places).catch((error: unknown): Part => {
      note(studio, name, error);
      return { scenes: [] };
    });
    const chosen = scenes.filter(
      (one) => wanted === undefined || wanted === name || one.name.startsWith(wanted),
    );
    if (chosen.length > 0) await takePart(studio, name, chosen);
    await end?.().catch((error: unknown) => note(studio, name, error));
  }
}

/** Each part has its own browser: one that crashes or grows costs no other part. */
async function takePart(
  studio: Omit<Studio, "browser">,
  name: string,
  scenes: readonly Scene[],
): Promise<void> {
  const began = Date.now();
  const browser = await launchBrowser();
  try {
    await pictureAll({ ...studio, browser }, scenes);
  } finally {
    await browser.close();
  }
  console.log(`${name}: ${scenes.length} scenes in ${minutesSince(began)}`);
}

function minutesSince(began: number): string {
  const seconds = Math.round((Date.now() - began) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
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

async function main(): Promise<void> {
  ensureChromium();
  const began = Date.now();
  const [, , chosenFolder, wanted, width] = process.argv;
  const folder = chosenFolder ?? (await mkdtemp(join(tmpdir(), "tidegate-pictures-")));
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), "tidegate-studio-"));
  const server = await openEmbeddedPostgres({ dataDir, holdsFolder: true, notice: console.log });
  const database: TestDatabase = { url: server.url, rows: async () => [], drop: async () => {} };
  const gateway = await startTestGateway({ database });
  const site = await startMerchantSite(gateway.hostedUrl);
  const widths = width === undefined ? WIDTHS : [Number(width)];
  const studio = { folder, widths, counts: { shots: 0, checked: 0 }, problems: [] as string[] };
  try {
    await takeParts(studio, { gateway, site, dataDir }, wanted);
    if (chosenFolder === undefined) await keepChosen(folder);
  } finally {
    await site.stop();
    await gateway.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const { shots, checked } = studio.counts;
  console.log(
    `${shots} screenshots in ${folder}, ${checked} of them checked with axe: ${studio.problems.length} problems, ${minutesSince(began)}`,
  );
  for (const problem of studio.problems) console.log(problem);
  process.exitCode = studio.problems.length === 0 ? 0 : 1;
}

await main();
