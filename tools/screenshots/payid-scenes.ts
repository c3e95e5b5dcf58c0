import type { Page } from "playwright-core";
import { callApi, ok, type Shop } from "../../tests/support/checkout.ts";
import type { MerchantSite } from "../../tests/support/merchant-page.ts";
import type { Scene } from "./studio.ts";

type Made = { readonly id: string; readonly email: string; readonly url: string; readonly token: string };

type PayIdScene = {
  readonly name: string;
  readonly locale?: string;
  readonly scripts?: false;
  /** On a merchant's page. */
  readonly embedded?: true;
  readonly reach: (page: Page, shop: Shop, made: Made) => Promise<unknown>;
};

const shown = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();
const transfer = async (shop: Shop, { email: payId }: Made, amount: number): Promise<void> => {
  ok(await callApi(shop, "POST", "/sandbox/payid/transfers", { payId, amount }));
};

const SCENES: readonly PayIdScene[] = [
  { name: "waiting", reach: (page) => page.getByRole("timer").waitFor() },
  { name: "waiting-without-scripts", scripts: false, reach: (page) => shown(page, "ready") },
  { name: "waiting-arabic", locale: "ar", reach: (page) => page.getByRole("timer").waitFor() },
  {
    name: "returned",
    reach: async (page, shop, made) => {
      await transfer(shop, made, 12_800);
      await page.reload();
      await page.getByText("sent back to you. Please").waitFor();
    },
  },
  {
    name: "received",
    reach: async (page, shop, made) => {
      await transfer(shop, made, 12_850);
      await page.reload();
      await shown(page, "approved");
    },
  },
  {
    name: "cancelled",
    reach: async (page, shop, made) => {
      ok(await callApi(shop, "POST", `/paymentrequests/${made.id}/cancel`));
      await page.reload();
      await shown(page, "cancelled");
    },
  },
  {
    name: "panel",
    embedded: true,
    reach: (page) => page.frameLocator("iframe").getByRole("timer").waitFor(),
  },
  {
    name: "panel-offline",
    embedded: true,
    reach: async (page) => {
      const frame = page.frameLocator("iframe");
      await frame.getByRole("timer").waitFor();
      await page.context().setOffline(true);
      await frame.getByRole("button", { name: "Check again" }).waitFor();
    },
  },
];

type Created = {
  readonly id: string;
  readonly payment: { readonly instrument: { readonly payId: Omit<Made, "id"> } };
};

let made = 0;

async function create(shop: Shop, locale: string | undefined): Promise<Made> {
  made += 1;
  const payId = { type: "single", value: `harbour-${process.pid}-${made}` };
  const payment = {
    amount: 12_850,
    description: "Order 1042, collected at the harbour",
    instrument: { payId },
  };
  const body = ok(
    await callApi(shop, "POST", "/paymentrequests", {
      reference: "1042",
      payment,
      ...(locale && { locale }),
    }),
  ) as Created;
  return { id: body.id, ...body.payment.instrument.payId };
}

/** The page and the panel of a PayID in all their states. */
export function payIdScenes(shop: Shop, site: MerchantSite): readonly Scene[] {
  return SCENES.map(
    ({ name, locale, scripts, embedded, reach }): Scene => ({
      name: `payid-${name}`,
      ...(embedded === true ? {} : { reloads: true }),
      options: { javaScriptEnabled: scripts !== false },
      reach: async (page) => {
        const request = await create(shop, locale);
        const address =
          embedded === true ? await site.addressOf({ page: panelPage(shop, request.token) }) : request.url;
        await page.goto(address);
        await reach(page, shop, request);
      },
    }),
  );
}

function panelPage({ hostedUrl }: Shop, token: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Books</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<script src="${hostedUrl}/static/pay/js/payui.js"></script></head>
<body><main style="max-width: 30rem; margin: auto"><h1>Harbour Books</h1><div id="panel"></div></main>
<script>SVC.PayID.show(${JSON.stringify({ token, containerId: "panel" })});</script></body></html>`;
}
