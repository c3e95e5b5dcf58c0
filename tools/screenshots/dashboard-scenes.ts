import type { Shop } from "../../tests/support/checkout.ts";
import { signedIn } from "../../tests/support/dashboard.ts";
import type { TestGateway } from "../../tests/support/gateway.ts";
import { fillShop } from "./dashboard-data.ts";
import type { Scene } from "./studio.ts";

/** The dashboard's payment pages, with a month of a shop's data. */
export async function dashboardScenes(
  gateway: TestGateway,
  { shop, merchantId }: { readonly shop: Shop; readonly merchantId: string },
): Promise<readonly Scene[]> {
  const data = await fillShop(gateway.database.url, shop, merchantId);
  const { cookies } = await signedIn(gateway, { role: "operator", merchantId });
  const paths: Readonly<Record<string, string>> = {
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
    dispute: `/disputes/${data.dispute}`,
    "refund-page": `/refunds/${data.refund}`,
    paid: `/payment-requests/${data.paid}`,
    unpaid: `/payment-requests/${data.open}`,
    "requests-partly-paid": "/payment-requests?status=partly+paid",
    verified: `/transactions/${data.verified}`,
    "request-cancel": `/payment-requests/${data.open}/cancel`,
    link: `/payment-requests/${data.open}/link`,
    acquirers: "/acquirers",
    "payment-link": "/payment-links/new",
  };
  return Object.entries(paths).map(([name, path]) => ({
    name: `dashboard-${name}`,
    reloads: true,
    reach: async (page) => {
      for (const [cookie, value] of cookies)
        await page.context().addCookies([{ name: cookie, value, url: gateway.baseUrl }]);
      await page.goto(`${gateway.baseUrl}/dashboard/${merchantId}${path}`);
    },
  }));
}
