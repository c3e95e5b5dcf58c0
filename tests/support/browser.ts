import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { findChromium } from "../../tools/chromium.ts";
import { CARD, createRequest, createToken, type RequestOverrides, type Shop, shopOf } from "./checkout.ts";
import { type CheckoutPage, checkoutPage, PATIENCE_MS } from "./checkout-page.ts";
import { eventually } from "./eventually.ts";
import { startTestGateway, type TestGateway, type TestOptions } from "./gateway.ts";
import { type MerchantSite, type PageOverrides, startMerchantSite } from "./merchant-page.ts";

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
    throw new Error("no browser found: run `node bin/run.js tools/chromium.ts` first");
  return chromium.launch({ executablePath, args: QUIET, timeout: 180_000 });
}

/** An init script: timers of exactly this length take longer, so that what a page shows for a moment is seen on a busy machine. */
export const stretched = (milliseconds: number, to: number): string => `{
  const set = window.setTimeout;
  window.setTimeout = (run, wait, ...more) => set.call(window, run, wait === ${milliseconds} ? ${to} : wait, ...more);
}`;

/** The next file of the process begins sooner than this, on a busy machine too. */
const KEPT_MS = 3_000;
let shared: Promise<Browser> | undefined;
let borrowers = 0;
let closing: NodeJS.Timeout | undefined;

/**
 * The browser that all files of a process share: a launch costs as much as several pages. It closes when no file has used
 * it for a while, so borrow it before you start a gateway, and return it after you have stopped the gateway.
 */
export async function borrowBrowser(): Promise<Browser> {
  borrowers += 1;
  clearTimeout(closing);
  shared ??= launchBrowser();
  return shared;
}

/** Call it once for each `borrowBrowser`, with your contexts closed. */
export function returnBrowser(): void {
  borrowers -= 1;
  if (borrowers > 0) return;
  closing = setTimeout(() => {
    const unused = shared;
    shared = undefined;
    void unused?.then((browser) => browser.close());
  }, KEPT_MS);
}

/** A request that any page of the browser made. */
export type SeenRequest = { readonly method: string; readonly url: string; readonly body: string };

/** One payer with a fresh browser context. */
export type Payer = {
  readonly context: BrowserContext;
  /** Opens a merchant's page with these options in a new tab. */
  readonly open: (overrides: PageOverrides) => Promise<CheckoutPage>;
  readonly requests: readonly SeenRequest[];
  readonly console: readonly string[];
  /** Waits until the loader has logged a matching message for the integrator. */
  readonly consoleShows: (sentence: RegExp) => Promise<void>;
  /** How many requests the browser sent to this path of the gateway. */
  readonly requestCount: (path: string) => number;
};

export type VisitOptions = BrowserContextOptions & {
  /** Errors that the merchant's own code throws on purpose. */
  readonly thrown?: RegExp;
  /** Policy violations that the test provokes on purpose. */
  readonly stopped?: RegExp;
  /** Vendors' origins that a live page may call and that the test fakes. */
  readonly vendors?: readonly string[];
};

/** One gateway, one merchant's site and one browser, shared by all tests of a file. */
export type BrowserSetup = {
  readonly gateway: TestGateway;
  readonly shop: Shop;
  readonly site: MerchantSite;
  /** Runs one payer's visit, then asserts that no page leaked secrets, called other origins or broke a policy. */
  readonly visit: (work: (payer: Payer) => Promise<void>, options?: VisitOptions) => Promise<void>;
  /** Creates a payment request and a token for it. */
  readonly request: (overrides?: RequestOverrides, shop?: Shop) => Promise<{ id: string; token: string }>;
  /** A merchant's page with the empty form of a new request. */
  readonly openForm: (payer: Payer) => Promise<CheckoutPage>;
};

/** Call it once per file, or inside the file's only `describe`. */
export function browserSetup(options: TestOptions = {}): BrowserSetup {
  let gateway: TestGateway | undefined;
  let site: MerchantSite | undefined;
  let browser: Browser | undefined;
  before(async () => {
    browser = await borrowBrowser();
    gateway = await startTestGateway(options);
    site = await startMerchantSite(gateway.hostedUrl);
  });
  after(async () => {
    try {
      await site?.stop();
      await gateway?.stop();
    } finally {
      if (browser !== undefined) returnBrowser();
    }
  });
  const ready = <Part>(part: Part | undefined): Part => {
    assert.ok(part, "the gateway, the site and the browser are running");
    return part;
  };
  const request: BrowserSetup["request"] = async (overrides = {}, shop = shopOf(ready(gateway))) => {
    const { id } = await createRequest(shop, overrides);
    return { id, token: await createToken(shop, id) };
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
      visitOnce(
        { browser: ready(browser), site: ready(site), hostedUrl: ready(gateway).hostedUrl },
        work,
        visit,
      ),
    request,
    openForm: async (payer) => {
      const { token } = await request();
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      return checkout;
    },
  };
}

type VisitPlace = { readonly browser: Browser; readonly site: MerchantSite; readonly hostedUrl: string };

async function visitOnce(
  { browser, site, hostedUrl }: VisitPlace,
  work: (payer: Payer) => Promise<void>,
  { thrown, stopped, vendors = [], ...options }: VisitOptions,
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const requests: SeenRequest[] = [];
  const messages: string[] = [];
  const errors: string[] = [];
  context.on("request", (request) =>
    requests.push({ method: request.method(), url: request.url(), body: request.postData() ?? "" }),
  );
  context.on("console", (message) => messages.push(message.text()));
  context.on("weberror", (error) => errors.push(String(error.error())));
  await context.addInitScript(REPORT_VIOLATIONS);
  try {
    await work({
      context,
      requests,
      console: messages,
      consoleShows: async (sentence) => {
        const isLogged = () => messages.some((line) => line.startsWith("SVC.PayUI: ") && sentence.test(line));
        await eventually(
          `the console shows ${sentence}, not only ${messages.join()}`,
          async () => isLogged(),
          PATIENCE_MS,
        );
      },
      requestCount: (path) => requests.filter(({ url }) => url === hostedUrl + path).length,
      open: async (overrides) => {
        const page = await context.newPage();
        await page.goto(await site.addressOf(overrides));
        return checkoutPage(page);
      },
    });
    assert.deepEqual(
      foreignUrls(requests, [site.origin, site.newOrigin, hostedUrl, ...vendors]),
      [],
      "requests to other origins",
    );
    assert.deepEqual(requests.filter(leaksSecrets), [], "secrets in URLs");
    const violations = messages.filter((text) => VIOLATION.test(text));
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

/** A loader message that names the policy is not a violation of it. */
const VIOLATION = /^(?!SVC\.PayUI: ).*content.?security.?policy/i;

/** Chromium logs most violations to the console; this logs the rest. */
const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("Content-Security-Policy broken:", event.violatedDirective, event.blockedURI));`;

function foreignUrls(requests: readonly SeenRequest[], ours: readonly string[]): readonly string[] {
  const urls = requests.map(({ url }) => url).filter((url) => /^(?:https?|wss?):/.test(url));
  return urls.filter((url) => !ours.includes(new URL(url).origin));
}

function leaksSecrets({ url }: SeenRequest): boolean {
  return url.includes("tok_") || url.includes(CARD.number);
}
