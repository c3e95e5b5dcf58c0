import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup, type Payer, stretched } from "../support/browser.ts";
import { type CheckoutPage, checkoutPage } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import { DAY_SECONDS, payIdShop } from "../support/payid.ts";

const setup = browserSetup();
const shop = () => payIdShop(setup.gateway);

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
const payIdOf = (body: any): { readonly url: string; readonly token: string } =>
  body.payment.instrument.payId;

/** A merchant's page with the panel. */
function pageWith(config: object, call = "SVC.PayID.show"): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Books</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script src="${setup.gateway.hostedUrl}/static/pay/js/payui.js"></script></head>
<body><main><h1>Harbour Books</h1><div id="checkout"></div></main>
<script>
window.events = [];
window.instance = ${call}(${JSON.stringify(config)});
for (const name of ["initialise", "process"])
  window.instance.on(name, (payload) => window.events.push({ name, ...payload }));
</script></body></html>`;
}

type Panel = { readonly page: Page; readonly frame: FrameLocator; readonly checkout: CheckoutPage };

async function openPanel({ context }: Payer, config: object): Promise<Panel> {
  const page = await context.newPage();
  await page.goto(await setup.site.addressOf({ page: pageWith({ containerId: "checkout", ...config }) }));
  return { page, frame: page.frameLocator("#checkout iframe"), checkout: checkoutPage(page) };
}

const shows = (frame: FrameLocator, state: string) =>
  frame.locator(`main[data-state="${state}"]`).waitFor({ state: "attached" });

/** What the payer pastes. */
async function pasted(page: Page): Promise<string> {
  const other = await page.context().newPage();
  await other.setContent("<label>Here <input></label>");
  await other.getByLabel("Here").focus();
  await other.keyboard.press("Control+V");
  const value = await other.getByLabel("Here").inputValue();
  await other.close();
  return value;
}

describe("SVC.PayID.show", () => {
  test("shows address, amount and time left, copies both, and turns to received when the transfer arrives", async () => {
    const { payId, body } = await shop().request();
    await setup.visit(async (payer) => {
      await payer.context.addInitScript(stretched(2_000, 30_000));
      const { page, frame, checkout } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "ready");
      assert.equal((await checkout.event("initialise")).result.status, "ok");
      assert.equal(await page.locator("#checkout iframe").getAttribute("title"), "Payment by PayID");
      await frame.getByText(payId, { exact: true }).waitFor();
      assert.match(await frame.locator(".payid-amount").innerText(), /\$30\.00\s+AUD/);
      assert.match(await frame.getByRole("timer").innerText(), /^(?:23:5\d:\d\d|24:00:00)$/);

      await frame.getByRole("button", { name: "Copy the PayID" }).click();
      await frame.getByText("Copied", { exact: true }).first().waitFor();
      assert.equal(await pasted(page), payId);
      await frame.getByRole("button", { name: "Copy the amount" }).click();
      await eventually("the amount is copied", async () => (await pasted(page)) === "30.00");

      const regions = await frame.getByRole("status").elementHandles();
      await shop().pay(payId, 2999);
      const returned = "$29.99 arrived and was sent back to you. Please pay exactly $30.00.";
      await frame.getByText(returned).waitFor();
      const said = await Promise.all(regions.map((region) => region.innerText()));
      assert.ok(said.includes(returned), "it is announced, in a region that screen readers knew before");
      await shop().pay(payId, 3000);
      await shows(frame, "approved");
      await frame.getByRole("heading", { name: "Payment received" }).waitFor();
      const { result, transactionId } = await checkout.event("process");
      assert.equal(result.status, "approved");
      assert.match(transactionId ?? "", /^txn_/);
      const asked = payer.requestCount("/checkout/payid/state");
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      assert.equal(payer.requestCount("/checkout/payid/state"), asked, "a paid panel checks no more");
    });
  });

  test("docs/guides/payid.md: its page shows the panel and goes on when it is paid", async () => {
    const { payId, body } = await shop().request();
    const [block = assert.fail()] = (await blocksOf("docs/guides/payid.md")).filter(
      ({ kind }) => kind === "html",
    );
    const page = block.text
      .replaceAll("http://localhost:4001", setup.gateway.hostedUrl)
      .replace("tok_…", payIdOf(body).token);
    await setup.visit(async ({ context }) => {
      const shown = await context.newPage();
      await shown.goto(await setup.site.addressOf({ page }));
      await shown.frameLocator("iframe").getByText(payId, { exact: true }).waitFor();
      await shop().pay(payId, 3000);
      await shown.waitForURL("**/thanks");
    });
  });

  test("a page that is loaded again after the payment shows it at once", async () => {
    const { payId, body } = await shop().request();
    await shop().pay(payId, 3000);
    await setup.visit(async (payer) => {
      const { frame, checkout } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "approved");
      assert.equal((await checkout.event("process")).result.status, "approved");
    });
  });

  test("a request that ends is said so, with the codes", async () => {
    const { id, payId, body } = await shop().request();
    await setup.visit(async (payer) => {
      const { frame, checkout } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "ready");
      await shop().cancel(id);
      await shows(frame, "cancelled");
      assert.equal(await frame.getByText(payId).count(), 0);
      const { result } = await checkout.event("process");
      assert.deepEqual(
        [result.status, result.codes?.map(({ message }) => message)],
        ["failed", ["payment_request_state_conflict"]],
      );
    });
  });

  test("turns to expired when the time has run out", async () => {
    const own = await setup.gateway.newMerchant();
    const other = payIdShop(setup.gateway, own.key);
    const { body } = await other.request();
    await other.advance(DAY_SECONDS - 4);
    await setup.visit(async (payer) => {
      const { frame } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "expired");
      await frame.getByRole("heading", { name: "This payment has expired" }).waitFor();
    });
  });

  test("a page in the background does not check; when the payer returns it does so at once", async () => {
    const { body } = await shop().request();
    await setup.visit(async (payer) => {
      const { frame } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "ready");
      const count = () => payer.requestCount("/checkout/payid/state");
      await eventually("a first check", async () => count() > 0);
      const set = (hidden: boolean) =>
        frame.locator("main").evaluate((main, isHidden) => {
          Object.defineProperty(main.ownerDocument, "hidden", { value: isHidden, configurable: true });
          main.ownerDocument.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
      await set(true);
      const asked = count();
      // A panel in the foreground has its first check after a whole pause.
      await setup.visit(async (other) => {
        const next = await shop().request();
        await openPanel(other, { token: payIdOf(next.body).token });
        await eventually("a check elsewhere", async () => other.requestCount("/checkout/payid/state") > 0);
      });
      assert.ok(count() - asked <= 1, `${count() - asked} checks, of which one may have been under way`);
      const before = count();
      await set(false);
      await eventually("a check", async () => count() > before);
    });
  });

  test("a lost connection is said so and the panel goes on; back online it shows the payment", async () => {
    const { payId, body } = await shop().request();
    await setup.visit(async (payer) => {
      const { frame } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "ready");
      await payer.context.route("**/checkout/payid/state", (route) => route.abort("internetdisconnected"));
      await frame.getByText("The connection was lost. This page keeps checking.").waitFor();
      await shop().pay(payId, 3000);
      await payer.context.unroute("**/checkout/payid/state");
      await shows(frame, "approved");
    });
  });

  test("an offline panel has a button that checks at once, and loses it when the connection is back", async () => {
    const { body } = await shop().request();
    await setup.visit(async (payer) => {
      await payer.context.addInitScript(stretched(500, 5_000));
      const { frame } = await openPanel(payer, { token: payIdOf(body).token });
      await shows(frame, "ready");
      const button = frame.getByRole("button", { name: "Check again" });
      assert.equal(await button.count(), 0);
      await payer.context.setOffline(true);
      await button.waitFor();
      await button.click();
      await frame.getByRole("button", { name: "One moment" }).waitFor();
      await button.waitFor();
      await payer.context.setOffline(false);
      await frame.getByText("The connection was lost").waitFor({ state: "hidden" });
      assert.equal(await button.count(), 0);
    });
  });

  test("destroy empties the container and stops the checks; show replaces an earlier panel", async () => {
    const first = await shop().request();
    const second = await shop().request();
    await setup.visit(async (payer) => {
      const { page, frame } = await openPanel(payer, { token: payIdOf(first.body).token });
      await shows(frame, "ready");
      const config = JSON.stringify({ token: payIdOf(second.body).token, containerId: "checkout" });
      await page.evaluate(`window.instance = SVC.PayID.show(${config})`);
      await frame.getByText(second.payId, { exact: true }).waitFor();
      assert.equal(await page.locator("iframe").count(), 1);
      await page.evaluate("window.instance.destroy()");
      assert.equal(await page.locator("iframe").count(), 0);
    });
  });

  test("mistakes: no container, no token, a token of another kind or an unknown one", async () => {
    const { token } = payIdOf((await shop().request()).body);
    const unknown = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    await setup.visit(async (payer) => {
      const notice = "The payment form couldn't be loaded. Try again";
      for (const [config, codes, payerSees] of [
        [{ token, containerId: "nowhere" }, ["V11602"], ""],
        [{}, ["V11601"], notice],
        [{ token: "tok_x" }, ["V11601"], notice],
        [{ token: { toString: token } }, ["V11601"], notice],
      ] as const) {
        const { page, checkout } = await openPanel(payer, config);
        const { result } = await checkout.event("initialise");
        assert.deepEqual([result.status, result.codes?.map(({ id }) => id)], ["failed", codes]);
        assert.equal(await page.locator("#checkout").innerText(), payerSees);
      }
      const { frame, checkout } = await openPanel(payer, { token: unknown });
      await shows(frame, "error");
      await frame.getByRole("heading", { name: "This payment can't be found" }).waitFor();
      assert.equal((await checkout.event("initialise")).result.codes?.[0]?.message, "checkout_token_refused");
    });
  });

  test("theme and language of the merchant's page apply, right to left too", async () => {
    const { body } = await shop().request();
    await setup.visit(async (payer) => {
      const { page, frame } = await openPanel(payer, {
        token: payIdOf(body).token,
        locale: "ar",
        ui: { theme: "dark", variables: { colorPrimary: "#ff8800", fontFamily: "Georgia, serif" } },
      });
      await shows(frame, "ready");
      const root = frame.locator("html");
      assert.deepEqual(
        [await root.getAttribute("dir"), await root.getAttribute("data-theme")],
        ["rtl", "dark"],
      );
      const inside = page.frames().at(-1);
      const style = (name: string) =>
        inside?.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue("${name}")`);
      assert.equal(await style("--primary"), "rgb(255, 136, 0)");
      assert.match((await style("--font")) ?? "", /Georgia/);
      await frame.getByRole("button", { name: "نسخ المبلغ" }).waitFor();
    });
  });
});

describe("the page of a PayID", () => {
  test("turns to the receipt by itself when the transfer arrives", async () => {
    const { payId, body } = await shop().request({ reference: "order-1042" });
    await setup.visit(async ({ context }) => {
      const page = await context.newPage();
      await page.goto(payIdOf(body).url);
      await page.getByRole("timer").waitFor();
      await page.getByRole("button", { name: "Copy the PayID" }).click();
      assert.equal(await pasted(page), payId);
      await shop().pay(payId, 3000);
      await page.locator('main[data-state="approved"]').waitFor();
      await page.getByText("order-1042").waitFor();
      assert.match(await page.title(), /^Payment received – /);
    });
  });

  test("works without scripts: the payer reads, pays and checks again", async () => {
    const { payId, body } = await shop().request();
    await setup.visit(
      async ({ context }) => {
        const page = await context.newPage();
        await page.goto(payIdOf(body).url);
        await page.getByText(payId, { exact: true }).waitFor();
        assert.equal(await page.getByRole("button").count(), 0, "nothing that needs a script");
        await shop().pay(payId, 3000);
        await page.getByRole("link", { name: "Check again" }).click();
        await page.getByRole("heading", { name: "Payment received" }).waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  for (const { name, options } of [
    { name: "light", options: { colorScheme: "light" } },
    { name: "dark", options: { colorScheme: "dark" } },
    { name: "forced colours", options: { colorScheme: "dark", forcedColors: "active" } },
  ] as const) {
    test(`page and panel meet WCAG 2.2 AA and fit 320 px, with long texts: ${name}`, async () => {
      const value = "w".repeat(64);
      const made = await shop().request({ value: `${value.slice(8)}${name.length}` });
      await shop().pay(made.payId, 2999);
      const { url, token } = payIdOf(made.body);
      await setup.visit(
        async (payer) => {
          const page = await payer.context.newPage();
          await page.goto(url);
          await page.getByRole("timer").waitFor();
          await page.locator(".payid-phone").evaluate((details) => details.setAttribute("open", ""));
          await assertAccessible(page.mainFrame(), `the page, ${name}`);
          assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth")) <= 320);
          const { frame, checkout, page: merchants } = await openPanel(payer, { token });
          await shows(frame, "ready");
          assert.ok(checkout);
          const inside = await (await merchants.locator("#checkout iframe").elementHandle())?.contentFrame();
          assert.ok(inside);
          await assertAccessible(inside, `the panel, ${name}`);
          assert.ok((await inside.evaluate<number>("document.documentElement.scrollWidth")) <= 320);
          await shop().pay(made.payId, 3000);
          await shows(frame, "approved");
          await assertAccessible(inside, `the received panel, ${name}`);
          await page.locator('main[data-state="approved"]').waitFor();
          await assertAccessible(page.mainFrame(), `the receipt, ${name}`);
        },
        { ...options, viewport: { width: 320, height: 700 } },
      );
    });
  }
});
