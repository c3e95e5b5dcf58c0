import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { browserSetup, type Payer } from "../support/browser.ts";
import { checkoutPage } from "../support/checkout-page.ts";
import { freePort } from "../support/free-port.ts";

const SCRIPT = "/static/pay/js/payui.js";

describe("loadTidegate of @tidegate/react/load, in a page without React", () => {
  const setup = browserSetup();

  async function openPage(payer: Payer): Promise<Page> {
    const { outputFiles } = await build({
      entryPoints: ["packages/react/src/load-tidegate.ts"],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "tidegate",
      target: "chrome60",
    });
    const code = outputFiles[0]?.text ?? assert.fail();
    const page = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><div id="checkout"></div><script>${code}</script>`;
    return (await payer.open({ page })).page;
  }
  const scripts = (page: Page) => page.locator("script[src]").count();
  const load = (page: Page, options: object): Promise<string> =>
    page.evaluate(
      `tidegate.loadTidegate(${JSON.stringify(options)}).then((payUI) => typeof payUI.initialise, (error) => error.message)`,
    );

  test("loads the script once for calls at the same time and later, and its PayUI takes a payment", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const page = await openPage(payer);
      const { hostedUrl } = setup.shop;
      const isSame = await page.evaluate(
        `Promise.all(["", "/", "/path"].map((end) => tidegate.loadTidegate({ hostedUrl: "${hostedUrl}" + end })))
          .then((all) => all.every((one) => one === window.SVC.PayUI))`,
      );
      assert.equal(isSame, true);
      assert.equal(await load(page, { hostedUrl }), "function");
      assert.deepEqual([await scripts(page), payer.requestCount(SCRIPT)], [1, 1]);
      const config = JSON.stringify({ token, containerId: "checkout", version: "1.0.0" });
      await page.evaluate(
        `tidegate.loadTidegate({ hostedUrl: "${hostedUrl}" }).then((payUI) => void payUI.initialise(${config}))`,
      );
      const checkout = checkoutPage(page);
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("rejects with what to check if the script does not load, leaves no tag, and the next call tries again", async () => {
    await setup.visit(async (payer) => {
      const page = await openPage(payer);
      const { hostedUrl } = setup.shop;
      await payer.context.route(`**${SCRIPT}`, (route) => route.abort());
      assert.match(await load(page, { hostedUrl }), /payui\.js did not load\. Check that hostedUrl is/);
      assert.equal(await scripts(page), 0);
      await payer.context.unroute(`**${SCRIPT}`);
      assert.equal(await load(page, { hostedUrl }), "function");
      assert.deepEqual([await scripts(page), payer.requestCount(SCRIPT)], [1, 2]);
    });
  });

  test("rejects a script that is not the gateway's, one that takes too long, and addresses that are none", async () => {
    const other = `http://127.0.0.1:${await freePort()}`;
    await setup.visit(
      async (payer) => {
        const page = await openPage(payer);
        assert.equal(await load(page, { hostedUrl: setup.shop.hostedUrl }), "function");
        await payer.context.route(`${other}/**`, (route) =>
          route.fulfill({ contentType: "text/javascript", body: "window.other = 1" }),
        );
        assert.match(await load(page, { hostedUrl: other }), /is not the gateway's script; check hostedUrl/);
        await payer.context.unroute(`${other}/**`);
        await payer.context.route(`${other}/**`, () => undefined);
        assert.match(await load(page, { hostedUrl: other, timeoutMs: 50 }), /did not load within 50 ms/);
        for (const hostedUrl of ["", "pay.example", "javascript:alert(1)", "file:///etc"]) {
          assert.match(
            await load(page, { hostedUrl }),
            /hostedUrl must be an http or https address/,
            hostedUrl,
          );
        }
        assert.equal(await scripts(page), 1);
      },
      { vendors: [other] },
    );
  });

  test("a pinned script is loaded by its hash, and refused with another", async () => {
    await setup.visit(async (payer) => {
      const page = await openPage(payer);
      const { hostedUrl } = setup.shop;
      const published = await fetch(
        `${hostedUrl.replace("localhost", "127.0.0.1")}/static/pay/integrity.json`,
      );
      const { "1.0.0": pinned = assert.fail() } = (await published.json()) as Record<
        string,
        { readonly address: string; readonly "payui.js": string }
      >;
      const wrong = { ...pinned, "payui.js": `sha384-${"A".repeat(64)}` };
      assert.match(await load(page, { hostedUrl, pinned: wrong }), /did not load/);
      assert.equal(await load(page, { hostedUrl, pinned }), "function");
      assert.equal(payer.requestCount(SCRIPT), 0);
    });
  });
});
