import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { createLink } from "../../src/dashboard/access/invitations/link.ts";
import { instant } from "../../src/kernel/time.ts";
import { totpCodeAt } from "../support/authenticator.ts";
import { assertAccessible } from "../support/axe.ts";
import { borrowBrowser, returnBrowser } from "../support/browser.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { inContext } from "../support/operator.ts";

const PATIENCE_MS = 30_000;

describe("dashboard: from the one-time link to an API key and a theme, in a browser", () => {
  let gateway: TestGateway;
  let context: BrowserContext;
  let ahead = 0;
  const now = () => instant(Date.now() + ahead);
  before(async () => {
    const browser = await borrowBrowser();
    context = await browser.newContext({
      reducedMotion: "reduce",
      viewport: { width: 1280, height: 900 },
    });
    context.setDefaultTimeout(PATIENCE_MS);
    gateway = await startTestGateway({ now });
  });
  after(async () => {
    try {
      await context.close();
      await gateway.stop();
    } finally {
      returnBrowser();
    }
  });

  /** Focuses the control with that label and types into it, without a mouse. */
  const type = async (page: Page, label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).focus();
    await page.keyboard.type(text);
  };

  test("sign-in, second factor, API key, settings and sign-out work by keyboard, accessibly, within policy and size", async () => {
    const { settings } = gateway;
    const link = await inContext(
      gateway.database,
      (ctx) => ctx.db.transaction((tx) => createLink(ctx, tx, null)),
      { now, settings },
    );
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));

    await page.goto(link);
    await page.getByLabel("Your name").waitFor();
    assert.doesNotMatch(page.url(), /#/, "the secret is removed from the URL");
    await assertAccessible(page.mainFrame(), "welcome");
    await type(page, "E-mail address", "aroha@gateway.example");
    await type(page, "Your name", "Aroha");
    await type(page, "Password", "a harbour in the morning");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();

    await page.goto(`${gateway.baseUrl}/dashboard/account/second-factor`);
    const secret = ((await page.locator('[data-copy="the secret"]').textContent()) ?? "").replaceAll(" ", "");
    await assertAccessible(page.mainFrame(), "second factor");
    await type(page, "Code", totpCodeAt(secret, now()));
    await page.keyboard.press("Enter");
    await page.getByText("Recovery codes").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).press("Enter");

    ahead += 60_000;
    await type(page, "E-mail address", "aroha@gateway.example");
    await type(page, "Password", "a harbour in the morning");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    await assertAccessible(page.mainFrame(), "the second factor at sign-in");
    await type(page, "Code", totpCodeAt(secret, now()));
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Sections" }).waitFor();

    await page.getByRole("link", { name: "API keys" }).press("Enter");
    await page.getByRole("heading", { name: "New API key" }).waitFor();
    await assertAccessible(page.mainFrame(), "keys");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to content");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    const key = (await page.locator('[data-copy="the API key"]').textContent()) ?? "";
    assert.equal((await gateway.get("/management/account", { key })).status, 200);

    await page.getByRole("link", { name: "Settings" }).press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("Harbour Books");
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
    assert.match(
      await page.evaluate("document.activeElement.className"),
      /notice-good/,
      "the result has the focus",
    );
    await page.getByLabel("Visa: Percent").fill("much");
    await page.keyboard.press("Enter");
    await page.locator("#p-visa-percent").waitFor();
    const focused = 'document.activeElement.getAttribute("name")';
    assert.equal(await page.evaluate(focused), "visa.percent", "the wrong field has the focus");
    await assertAccessible(page.mainFrame(), "settings, refused");

    await page.getByRole("link", { name: "Try the variables in a preview" }).click();
    await page.getByLabel("Main colour", { exact: true }).fill("#8a2be2");
    await page.getByRole("button", { name: "Show it" }).click();
    await page.frameLocator("#preview iframe").getByRole("button", { name: "Pay $128.50" }).waitFor();
    const scripts = await page.locator("script").all();
    const hashes = await Promise.all(scripts.map((script) => script.getAttribute("integrity")));
    assert.equal(hashes.length, 2, "the dashboard's script and the loader");
    for (const hash of hashes) assert.match(hash ?? "", /^sha384-/);
    await page.getByLabel("Borders", { exact: true }).fill("plaid");
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("Left out, because this browser can't take the value: colorBorder.").waitFor();

    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of ["settings", "webhooks", "keys"]) {
      await page.goto(`${new URL(page.url()).origin}/dashboard/${merchantIn(page.url())}/${path}`);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      assert.equal(wide, 320, `${path} fits a narrow phone`);
      await assertAccessible(page.mainFrame(), `${path} on a phone`);
      if (path !== "keys") continue;
      const hidden = '((list) => list.scrollWidth - list.clientWidth)(document.querySelector(".scroll"))';
      assert.equal(await page.evaluate(hidden), 0, "a narrow table is a stack of cards: no column is hidden");
    }
    const refusals = messages.filter((line) => line.includes("status of 400"));
    assert.equal(refusals.length, 1, "the console is recorded");
    assert.deepEqual(
      messages.filter((line) => !refusals.includes(line) && !line.includes("colorBorder is left out")),
      [],
      "no script error and no policy violation",
    );
    assert.ok((await weight(page)) < 40 * 1024, "a page with style and script is under 40 KB");
  });
});

function merchantIn(url: string): string {
  return /mer_\w+/.exec(url)?.[0] ?? "";
}

/** Transferred bytes of the page, its style and its script. */
async function weight(page: Page): Promise<number> {
  const text = await page.evaluate(
    `Promise.all([location.href, ...[...document.querySelectorAll("link[rel=stylesheet],script[src]")].map((one) => one.href || one.src)]
      .map((url) => fetch(url, { cache: "no-store" }).then(() => performance.getEntriesByName(url).at(-1).encodedBodySize)))
      .then((sizes) => sizes.join())`,
  );
  const sizes = String(text).split(",").map(Number);
  assert.ok(sizes.length === 3 && sizes.every((size) => size > 200), `three files: ${String(text)}`);
  return sizes.reduce((sum, size) => sum + size, 0);
}
