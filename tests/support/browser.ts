import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { findChromium } from "../../tools/chromium.ts";
import { CARD, createRequest, createToken, type RequestWish, type Shop, shopOf } from "./checkout.ts";
import { type CheckoutPage, checkoutPage, PATIENCE_MS } from "./checkout-page.ts";
import { eventually } from "./eventually.ts";
import { startTestGateway, type TestGateway, type TestOptions } from "./gateway.ts";
import { type MerchantSite, type PageWish, startMerchantSite } from "./merchant-page.ts";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error("run `node tools/chromium.ts` first: there is no browser");
  return chromium.launch({ executablePath, args: QUIET });
}

/** A request that the browser made, wherever in its pages. */
export type SeenRequest = { readonly method: string; readonly url: string; readonly body: string };

/** One payer with a browser of their own: nothing is left of an earlier one. */
export type Payer = {
  readonly context: BrowserContext;
  /** Opens a merchant's page as wished, in a tab of its own. */
  readonly open: (wish: PageWish) => Promise<CheckoutPage>;
  readonly requests: readonly SeenRequest[];
  readonly console: readonly string[];
  /** Waits until the loader has said this to the integrator. */
  readonly said: (sentence: RegExp) => Promise<void>;
  /** How many times the gateway was asked to do this. */
  readonly asked: (path: string) => number;
};

export type VisitOptions = BrowserContextOptions & {
  /** Errors that the merchant's own code throws, when a test makes it. */
  readonly thrown?: RegExp;
  /** A policy that is meant to stop something, when a test tries it. */
  readonly stopped?: RegExp;
  /** Origins of vendors that a page of real money may ask, when a test plays them. */
  readonly vendors?: readonly string[];
};

/** One gateway, one merchant's site and one browser for all tests of a file. */
export type BrowserWorld = {
  readonly gateway: TestGateway;
  readonly shop: Shop;
  readonly site: MerchantSite;
  /** Lets a payer in, and sees at the end that nothing went where it must not go. */
  readonly visit: (work: (payer: Payer) => Promise<void>, options?: VisitOptions) => Promise<void>;
  /** A new request with a token for it. */
  readonly request: (wish?: RequestWish, shop?: Shop) => Promise<{ id: string; token: string }>;
};

/** Call it once per file, or inside its one `describe`. */
export function browserWorld(options: TestOptions = {}): BrowserWorld {
  let gateway: TestGateway | undefined;
  let site: MerchantSite | undefined;
  let browser: Browser | undefined;
  before(async () => {
    gateway = await startTestGateway(options);
    site = await startMerchantSite(gateway.hostedUrl);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
    await gateway?.stop();
  });
  const ready = <Part>(part: Part | undefined): Part => {
    assert.ok(part, "everything was started");
    return part;
  };
  return {
    get gateway() {
      return ready(gateway);
    },
    get shop() {
      return shopOf(ready(gateway));
    },
    get site() {
      return ready(site);
    },
    visit: (work, visit = {}) =>
      visitOnce(ready(browser), ready(site), ready(gateway).hostedUrl, work, visit),
    request: async (wish = {}, shop = shopOf(ready(gateway))) => {
      const { id } = await createRequest(shop, wish);
      return { id, token: await createToken(shop, id) };
    },
  };
}

export async function visitOnce(
  browser: Browser,
  site: MerchantSite,
  hostedUrl: string,
  work: (payer: Payer) => Promise<void>,
  { thrown, stopped, vendors = [], ...options }: VisitOptions,
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const requests: SeenRequest[] = [];
  const said: string[] = [];
  const errors: string[] = [];
  context.on("request", (request) =>
    requests.push({ method: request.method(), url: request.url(), body: request.postData() ?? "" }),
  );
  context.on("console", (message) => said.push(message.text()));
  context.on("weberror", (error) => errors.push(String(error.error())));
  await context.addInitScript(REPORT_VIOLATIONS);
  try {
    await work({
      context,
      requests,
      console: said,
      said: async (sentence) => {
        const told = () => said.some((line) => line.startsWith("SVC.PayUI: ") && sentence.test(line));
        await eventually(
          `the console says ${sentence}, not only ${said.join()}`,
          async () => told(),
          PATIENCE_MS,
        );
      },
      asked: (path) => requests.filter(({ url }) => url === hostedUrl + path).length,
      open: async (wish) => {
        const page = await context.newPage();
        await page.goto(await site.addressOf(wish));
        return checkoutPage(page);
      },
    });
    assert.deepEqual(
      strangers(requests, [site.origin, site.newOrigin, hostedUrl, ...vendors]),
      [],
      "requests to strangers",
    );
    assert.deepEqual(requests.filter(tellsSecrets), [], "secrets in addresses");
    const violations = said.filter((text) => VIOLATION.test(text));
    assert.deepEqual(
      violations.filter((text) => stopped?.test(text) !== true),
      [],
      "policies broken",
    );
    assert.deepEqual(
      errors.filter((text) => thrown?.test(text) !== true),
      [],
      "errors in pages",
    );
  } finally {
    await context.close();
  }
}

/** What the loader says to integrators can name the policy, too; that breaks none. */
const VIOLATION = /^(?!SVC\.PayUI: ).*content.?security.?policy/i;

/** Chromium reports most violations in the console by itself; this makes it all of them. */
const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("Content-Security-Policy broken:", event.violatedDirective, event.blockedURI));`;

function strangers(requests: readonly SeenRequest[], ours: readonly string[]): readonly string[] {
  const urls = requests.map(({ url }) => url).filter((url) => /^(?:https?|wss?):/.test(url));
  return urls.filter((url) => !ours.includes(new URL(url).origin));
}

function tellsSecrets({ url }: SeenRequest): boolean {
  return url.includes("tok_") || url.includes(CARD.number);
}
