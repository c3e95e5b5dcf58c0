import { after, before } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Role } from "../../src/features/dashboard-users/index.ts";
import { assertAccessible } from "./axe.ts";
import { launchBrowser } from "./browser.ts";
import { type Shop, shopOf } from "./checkout.ts";
import { signedIn } from "./dashboard.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";

export type DashboardVisit = {
  readonly gateway: TestGateway;
  readonly page: Page;
  readonly shop: Shop;
  /** The address of the merchant's pages. */
  readonly base: string;
  /** What a policy stopped, or a script stumbled over. */
  readonly troubles: readonly string[];
  readonly accessible: (what: string) => Promise<void>;
};

/** A gateway, a merchant of it, and somebody of that role who looks at its dashboard, for the tests of a file. */
export function visitDashboard(role: Role): () => DashboardVisit {
  let browser: Browser;
  let visit: DashboardVisit;
  before(async () => {
    const [gateway, launched] = await Promise.all([startTestGateway(), launchBrowser()]);
    browser = launched;
    const merchant = await gateway.newMerchant();
    const { cookies } = await signedIn(gateway, { role, merchantId: merchant.id });
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
    });
    for (const [name, value] of cookies) await context.addCookies([{ name, value, url: gateway.baseUrl }]);
    const page = await context.newPage();
    visit = {
      gateway,
      page,
      shop: shopOf(gateway, merchant.key),
      base: `${gateway.baseUrl}/dashboard/${merchant.id}`,
      troubles: listenForTrouble(page),
      accessible: (what) => assertAccessible(page.mainFrame(), what),
    };
  });
  after(async () => {
    try {
      await browser.close();
    } finally {
      await visit.gateway.stop();
    }
  });
  return () => visit;
}

function listenForTrouble(page: Page): readonly string[] {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TypeError/.test(message.text())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  return troubles;
}
