import { join } from "node:path";
import type { Browser } from "playwright-core";
import { assertAccessible } from "../../tests/support/axe.ts";
import type { Shop } from "../../tests/support/checkout.ts";
import { signedIn } from "../../tests/support/dashboard.ts";
import type { TestGateway } from "../../tests/support/gateway.ts";
import { APPEARANCES } from "./appearances.ts";
import { fillShop } from "./dashboard-data.ts";

/** The dashboard's payment pages, with a month of a shop's data; each is checked by axe before it is pictured. */
export async function takeDashboardPictures(
  browser: Browser,
  gateway: TestGateway,
  { shop, merchantId }: { readonly shop: Shop; readonly merchantId: string },
  { folder, widths }: { readonly folder: string; readonly widths: readonly number[] },
): Promise<void> {
  const data = await fillShop(gateway.database.url, shop, merchantId);
  const visitor = await signedIn(gateway, { role: "operator", merchantId });
  const scenes: Readonly<Record<string, string>> = {
    overview: "?period=30d",
    "overview-day": "?period=24h",
    requests: "/payment-requests",
    "requests-unpaid": "/payment-requests?status=unpaid",
    transactions: "/transactions?status=declined&sort=-amount",
    "transactions-none": "/transactions?q=nothing",
    payouts: "/payouts",
    customers: "/customers",
    settings: "/settings",
    theme: "/settings/theme",
    refunds: "/refunds",
    payment: `/transactions/${data.refunded}`,
    declined: `/payment-requests/${data.declined}`,
    authorised: `/transactions/${data.authorised}`,
    refund: `/transactions/${data.refunded}/refund?amount=999`,
    confirm: `/transactions/${data.refunded}/refund?amount=20`,
    customer: `/customers/${data.customer}`,
    payout: `/payouts/${data.payout}`,
    events: "/events",
    event: `/events/${data.event}`,
    webhook: `/webhooks/${data.webhook}`,
    "webhook-disable": `/webhooks/${data.webhook}/disable`,
    redeliver: "/events/redeliver",
    sandbox: "/sandbox",
    disputes: "/disputes",
    acquirers: "/acquirers",
    "payment-link": "/payment-links/new",
  };
  for (const width of widths) {
    for (const { name: appearance, colorScheme, forcedColors } of APPEARANCES) {
      const context = await browser.newContext({
        viewport: { width, height: width >= 1280 ? 800 : 844 },
        colorScheme,
        forcedColors,
        reducedMotion: "reduce",
      });
      try {
        for (const [name, value] of visitor.cookies) {
          await context.addCookies([{ name, value, url: gateway.baseUrl }]);
        }
        const page = await context.newPage();
        for (const [name, path] of Object.entries(scenes)) {
          await page.goto(`${gateway.baseUrl}/dashboard/${merchantId}${path}`);
          await assertAccessible(page.mainFrame(), `${name} at ${width} px, ${appearance}`);
          const picture = join(folder, `dashboard-${name}-${width}-${appearance}.png`);
          await page.screenshot({ path: picture, fullPage: true, animations: "disabled", caret: "hide" });
        }
      } finally {
        await context.close();
      }
    }
  }
}
