import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { borrowBrowser, returnBrowser, stretched } from "../support/browser.ts";
import { PATIENCE_MS } from "../support/checkout-page.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;
let browser: Browser;
before(async () => {
  browser = await borrowBrowser();
  gateway = await startTestGateway({ environment: { TIDEGATE_ROLES: "api" } });
});
after(async () => {
  try {
    await gateway.stop();
  } finally {
    returnBrowser();
  }
});

type Reader = { readonly page: Page; readonly context: BrowserContext; readonly errors: readonly string[] };

async function read(
  path: string,
  work: (reader: Reader) => Promise<void>,
  options: { readonly width?: number; readonly scripts?: boolean; readonly dark?: true } = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    javaScriptEnabled: options.scripts ?? true,
    colorScheme: options.dark === true ? "dark" : "light",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  try {
    await page.goto(gateway.baseUrl + path);
    await work({ page, context, errors });
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
  }
}

const programs = (page: Page) => page.locator(".programs").first();

describe("examples in the docs", () => {
  test("show one language with tabs; the choice holds on every page and after a reload", async () => {
    await read("/docs/guides/customers", async ({ page }) => {
      const shown = programs(page).locator(".program:visible");
      assert.match(String(await shown.innerText()), /^curl /);
      assert.equal(await shown.count(), 1);
      await page.getByRole("tab", { name: "Python" }).first().click();
      assert.match(String(await shown.innerText()), /urllib/);
      assert.match(
        String(await page.locator(".programs").nth(1).locator(".program:visible").innerText()),
        /urllib/,
      );
      await page.goto(`${gateway.baseUrl}/docs`);
      assert.match(String(await shown.innerText()), /urllib/);
      await page.reload();
      assert.equal(
        await page.getByRole("tab", { name: "Python" }).first().getAttribute("aria-selected"),
        "true",
      );
    });
  });

  test("tabs move by arrow keys, Home and End, and the chosen one stays where it is", async () => {
    await read("/docs#createRefund", async ({ page }) => {
      const tabs = page.locator("#createRefund").getByRole("tab");
      await tabs.first().focus();
      const top = async () => Math.round((await tabs.first().boundingBox())?.y ?? Number.NaN);
      const before = await top();
      const chosen = async () => page.evaluate("document.activeElement.textContent");
      await page.keyboard.press("ArrowRight");
      assert.equal(await chosen(), "TypeScript");
      await page.keyboard.press("End");
      assert.equal(await chosen(), "PHP");
      assert.ok(Math.abs((await top()) - before) <= 1);
      await page.keyboard.press("ArrowRight");
      assert.equal(await chosen(), "curl");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await chosen(), "PHP");
      await page.keyboard.press("Home");
      assert.equal(await chosen(), "curl");
    });
  });

  test("without scripts every language is shown and named, and no button is dead", async () => {
    await read(
      "/docs/guides/customers",
      async ({ page }) => {
        assert.equal(await programs(page).locator("pre").count(), 4);
        for (const name of ["curl", "TypeScript", "Python", "PHP"])
          assert.ok(await programs(page).getByText(name, { exact: true }).isVisible(), name);
        assert.equal(await page.locator("button").count(), 0);
      },
      { scripts: false },
    );
  });

  test("an unknown remembered language shows curl", async () => {
    await read("/docs/guides/customers", async ({ page }) => {
      await page.evaluate('localStorage.setItem("tidegate-docs-language", "cobol\\" .x")');
      await page.reload();
      assert.match(String(await programs(page).locator(".program:visible").innerText()), /^curl /);
    });
  });

  test("a button copies a block as it stands, and says so", async () => {
    await read("/docs/guides/quick-start", async ({ page }) => {
      await page.addInitScript(stretched(2_000, 10_000));
      await page.reload();
      const block = page.locator(".code-block").first();
      await block.getByRole("button", { name: "Copy" }).click();
      await block.getByRole("button", { name: "Copied" }).waitFor();
      const copied = await page.evaluate("navigator.clipboard.readText()");
      assert.equal(copied, await block.locator("code").textContent());
      await block.getByRole("button", { name: "Copy" }).waitFor();
    });
  });
});

describe("search in the docs", () => {
  test("finds guides, operations and codes while the reader types, by keyboard alone", async () => {
    await read("/docs/guides", async ({ page }) => {
      await page.keyboard.press("/");
      await page.keyboard.type("refund a tran");
      await page.getByRole("option").first().waitFor();
      assert.equal(await page.getByRole("combobox").getAttribute("aria-expanded"), "true");
      await assertAccessible(page.mainFrame(), "the open list");
      await page.keyboard.press("ArrowDown");
      const active = await page.getByRole("combobox").getAttribute("aria-activedescendant");
      const option = page.locator(`#${active}`);
      assert.equal(await option.getAttribute("aria-selected"), "true");
      const address = await option.getAttribute("data-address");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${gateway.baseUrl}${address}`);
      assert.match(String(address), /^\/docs#/);
    });
  });

  test("a code leads to its row; Escape closes the list; Enter without a choice opens all results", async () => {
    await read("/docs/guides", async ({ page }) => {
      const box = page.getByRole("combobox");
      await box.fill("V10018");
      const first = page.getByRole("option").first();
      assert.match(await first.innerText(), /^V10018 header_idempotency_key_is_used/);
      await page.keyboard.press("Escape");
      assert.equal(await page.getByRole("option").count(), 0);
      assert.equal(await box.inputValue(), "V10018");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/docs\/search\?q=V10018$/);
      await page.getByRole("link", { name: /^V10018/ }).click();
      await page.waitForURL(/\/docs\/codes#V10018$/);
    });
  });

  test("works without scripts, on a phone, and says when nothing is found", async () => {
    await read(
      "/docs/guides",
      async ({ page }) => {
        await page.getByRole("link", { name: "Search" }).click();
        await page.getByRole("searchbox").fill("webhook signature");
        await page.keyboard.press("Enter");
        await page.waitForURL(/q=webhook\+signature/);
        assert.ok((await page.locator(".results li").count()) > 2);
        await page.getByRole("searchbox").fill("<script>zebra");
        await page.keyboard.press("Enter");
        await page.getByText("No results.").waitFor();
        assert.equal(await page.getByRole("searchbox").inputValue(), "<script>zebra");
      },
      { scripts: false, width: 390 },
    );
  });

  test("every address of the index leads to a place that exists", async () => {
    const entries = (await gateway.get("/docs/search.json", { key: null })).body as readonly {
      readonly address: string;
      readonly title: string;
    }[];
    assert.ok(entries.length > 300);
    const pages = new Map<string, string>();
    for (const { address, title } of entries) {
      const [path = "", anchor] = address.split("#");
      if (!pages.has(path)) pages.set(path, (await gateway.get(path, { key: null })).body);
      const isThere = anchor === undefined || pages.get(path)?.includes(` id="${anchor}"`);
      assert.ok(isThere, `${title}: ${address}`);
    }
  });

  test("the index is under 64 KB compressed, and the script under 4 KB", async () => {
    const size = async (path: string) => {
      const url = gateway.baseUrl.replace("localhost", "127.0.0.1") + path;
      const { headers } = await fetch(url, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
      assert.equal(headers.get("content-encoding"), "gzip");
      return Number(headers.get("content-length"));
    };
    const [index, script] = [await size("/docs/search.json"), await size("/docs/docs.js")];
    assert.ok(index > 1_000 && index <= 64 * 1024, `index: ${index}`);
    assert.ok(script > 500 && script <= 4 * 1024, `script: ${script}`);
  });
});

describe("pages of the docs use their width", () => {
  for (const path of ["/", "/docs/search?q=zebra", "/docs/guides"]) {
    test(`${path} at 1280 px`, async () => {
      await read(path, async ({ page }) => {
        const width = Number(await page.evaluate("document.querySelector('main').clientWidth"));
        assert.ok(width >= 700, `${width} px`);
      });
    });
  }

  test("what a setting does has room beside its name", async () => {
    for (const width of [768, 1280])
      await read(
        "/docs/generated/settings",
        async ({ page }) => {
          const room = Number(
            await page.evaluate(`document.querySelector("td:nth-child(2)").getBoundingClientRect().width`),
          );
          assert.ok(room >= 150, `${room} px at ${width}`);
          assert.equal(await page.getByText("Made from").count(), 0, "a note to authors");
        },
        { width },
      );
  });

  test("names of settings are whole", async () => {
    await read("/docs/generated/settings", async ({ page }) => {
      const broken = await page.evaluate(
        `[...document.querySelectorAll("td:first-child > code")].filter((name) => name.getClientRects().length > 1).length`,
      );
      assert.equal(broken, 0);
    });
  });
});

const LOOKS = [
  [390, "light"],
  [390, "dark"],
  [768, "light"],
  [1280, "light"],
  [1280, "dark"],
] as const;

describe("contract 11: the docs meet WCAG 2.2 AA and fit their window", () => {
  for (const path of ["/", "/nowhere", "/docs/guides", "/docs/guides/customers", "/docs/search?q=refund"]) {
    test(`${path} at 390, 768 and 1280 px, light and dark`, () =>
      read(path, async ({ page, errors }) => {
        for (const [width, colorScheme] of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await assertAccessible(page.mainFrame(), `${path} at ${width} px, ${colorScheme}`);
          const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          assert.equal(await page.evaluate(wide), 0, `${width} px`);
        }
        // A browser logs every 404 of a page.
        (errors as string[]).splice(0, path === "/nowhere" ? 1 : 0);
      }));
  }

  test("the reference fits a phone", () =>
    read(
      "/docs",
      async ({ page }) => {
        const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert.equal(await page.evaluate(wide), 0);
      },
      { width: 390 },
    ));
});
