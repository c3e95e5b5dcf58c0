import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { callApi, ok, type Shop } from "../../tests/support/checkout.ts";
import type { MerchantSite } from "../../tests/support/merchant-page.ts";
import { APPEARANCES, WIDTHS } from "./appearances.ts";

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
const transfer = async (shop: Shop, { email: payId }: Made, amount: number) =>
  ok(await callApi(shop, "POST", "/sandbox/payid/transfers", { payId, amount }));

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
];

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
  );
  return { id: body.id, ...body.payment.instrument.payId };
}

/** The page and the panel of a PayID in all their states. */
export async function takePayIdPictures(
  browser: Browser,
  shop: Shop,
  {
    site,
    folder,
    only,
  }: { readonly site: MerchantSite; readonly folder: string; readonly only: string | undefined },
): Promise<void> {
  for (const { name, locale, scripts, embedded, reach } of SCENES) {
    if (only !== undefined && only !== name) continue;
    for (const width of WIDTHS) {
      for (const { name: appearance, ...appearances } of APPEARANCES) {
        const request = await create(shop, locale);
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          reducedMotion: "reduce",
          javaScriptEnabled: scripts !== false,
          // A phone has no mouse.
          ...(width === 390 && { isMobile: true, hasTouch: true }),
          ...appearances,
        });
        try {
          const page = await context.newPage();
          const address =
            embedded === true ? await site.addressOf({ page: panelPage(shop, request.token) }) : request.url;
          await page.goto(address);
          await reach(page, shop, request);
          const path = join(folder, `payid-${name}-${width}-${appearance}.png`);
          await page.screenshot({ path, fullPage: true, animations: "disabled", caret: "hide" });
        } finally {
          await context.close();
        }
      }
    }
  }
}

function panelPage({ hostedUrl }: Shop, token: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Books</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<script src="${hostedUrl}/static/pay/js/payui.js"></script></head>
<body><main style="max-width: 30rem; margin: auto"><h1>Harbour Books</h1><div id="panel"></div></main>
<script>SVC.PayID.show(${JSON.stringify({ token, containerId: "panel" })});</script></body></html>`;
}
