import { after, before } from "node:test";
import type { Page } from "playwright-core";
import type { Role } from "../../src/dashboard/access/users/user.ts";
import { assertAccessible } from "./axe.ts";
import { borrowBrowser, returnBrowser } from "./browser.ts";
import { type Shop, shopOf } from "./checkout.ts";
import { PATIENCE_MS } from "./checkout-page.ts";
import { signedIn } from "./dashboard.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";

export type DashboardVisit = {
  readonly gateway: TestGateway;
  readonly page: Page;
  readonly shop: Shop;
  /** The URL of the merchant's pages. */
  readonly base: string;
  /** Policy violations and script errors. */
  readonly errors: readonly string[];
  readonly accessible: (what: string) => Promise<void>;
};

/** One gateway, one merchant, and a dashboard user with that role, shared by the tests of a file. */
export function visitDashboard(role: Role): () => DashboardVisit {
  let visit: DashboardVisit;
  before(async () => {
    const browser = await borrowBrowser();
    const gateway = await startTestGateway();
    const merchant = await gateway.newMerchant();
    const { cookies } = await signedIn(gateway, { role, merchantId: merchant.id });
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    for (const [name, value] of cookies) await context.addCookies([{ name, value, url: gateway.baseUrl }]);
    const page = await context.newPage();
    visit = {
      gateway,
      page,
      shop: shopOf(gateway, merchant.key),
      base: `${gateway.baseUrl}/dashboard/${merchant.id}`,
      errors: collectErrors(page),
      accessible: (what) => assertAccessible(page.mainFrame(), what),
    };
  });
  after(async () => {
    try {
      await visit.page.context().close();
      await visit.gateway.stop();
    } finally {
      returnBrowser();
    }
  });
  return () => visit;
}

function collectErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TypeError/.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}
