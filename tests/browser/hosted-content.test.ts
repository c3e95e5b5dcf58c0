import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup, type Payer } from "../support/browser.ts";
import { createHosted, type HostedOverrides, hostedPage } from "../support/hosted-page.ts";

/** Texts that a merchant, or an author of its product names, could send. */
const HOSTILE: Readonly<Record<string, string>> = {
  "a script": "<script>window.evil=1</script>",
  "an image with a handler": '<img src=x onerror="window.evil=1">',
  "an svg": "<svg onload=window.evil=1>",
  "the end of an attribute": "\"><b onmouseover='window.evil=1'>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it has to stay text
  "a template": "${window.evil=1}{{evil}}<%= evil %>",
  "an entity": "&lt;b&gt;&#60;script&#62;",
  "the end of a title": "</title><script>window.evil=1</script>",
  "a bidi override": "\u202eevil gnp.exe\u202c",
  "right to left": "\u05e7\u05e4\u05d4 \u0628\u0646",
  emoji: "\ud83d\ude80\ud83d\udc69\u200d\ud83d\udcbb",
  "one long word": "W".repeat(50),
  "stacked diacritics": `Z${"\u0337".repeat(45)}`,
};

/** Everywhere on the page that a merchant's words appear. */
function overridesWith(words: string): HostedOverrides {
  return {
    amount: 1000,
    description: words,
    page: {
      merchantName: words,
      lineItems: [{ title: words, amount: 900, quantity: 1, modifier: words }],
      adjustments: [{ title: Array.from(words).slice(0, 30).join(""), amount: 100, adjustmentType: "Other" }],
    },
  };
}

describe("hosted page: merchant content is never markup", () => {
  const setup = browserSetup();

  test("hostile texts are shown as text, nothing overflows, and the payer can pay", async () => {
    await setup.visit(async (payer) => {
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.setViewportSize({ width: 320, height: 640 });
      for (const [what, words] of Object.entries(HOSTILE)) {
        const { hostedPaymentPage } = await createHosted(setup.shop, overridesWith(words));
        await hosted.page.goto(hostedPaymentPage.url);
        await hosted.waitFor("ready");
        const plain = words.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
        assert.equal(await hosted.page.locator(".shop-name").textContent(), plain, what);
        assert.equal(await hosted.page.locator(".item-title").first().textContent(), plain, what);
        assert.equal(await hosted.page.title(), `Pay ${plain}`, what);
        assert.equal(await hosted.page.evaluate("window.evil"), undefined, what);
        assert.equal(await hosted.page.evaluate("document.scripts.length"), 1, what);
        const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert.equal(await hosted.page.evaluate(wide), false, `nothing overflows: ${what}`);
        await hosted.fill();
        await hosted.pay();
        await hosted.waitFor("approved");
        assert.equal(await hosted.page.evaluate("window.evil"), undefined, what);
      }
    });
  });

  test("item pictures are loaded from the hosted origin alone, and the page works without them", async () => {
    await setup.visit(async (payer) => {
      const image = `${setup.site.origin}/no-picture.png`;
      const { hostedPaymentPage } = await createHosted(setup.shop, {
        page: { lineItems: [{ title: "Beans", amount: 3000, image }] },
      });
      const hosted = hostedPage(await payer.context.newPage());
      const origins = new Set<string>();
      hosted.page.on("request", (request) => origins.add(new URL(request.url()).origin));
      await hosted.page.goto(hostedPaymentPage.url);
      await hosted.page.locator(".item-picture img").waitFor({ state: "hidden" });
      await hosted.waitFor("ready");
      assert.deepEqual([...origins], [new URL(hostedPaymentPage.url).origin]);
    });
  });

  test("50 items are collapsed on a phone, and listed beside the form on a desktop", async () => {
    const lineItems = Array.from({ length: 50 }, (_, at) => ({ title: `Item ${at + 1}`, amount: 60 }));
    const { hostedPaymentPage } = await createHosted(setup.shop, { page: { lineItems } });
    for (const [width, open] of [
      [390, false],
      [1280, true],
    ] as const) {
      await setup.visit(async (payer) => {
        const hosted = hostedPage(await payer.context.newPage());
        await hosted.page.setViewportSize({ width, height: 844 });
        await hosted.page.goto(hostedPaymentPage.url);
        assert.equal(await hosted.page.locator(".item").first().isVisible(), open);
        assert.ok(((await hosted.payButton.boundingBox())?.y ?? 9999) < 844, "the button is in view");
        if (!open) await hosted.page.getByText("50 items").click();
        await hosted.page.locator(".item").nth(49).scrollIntoViewIfNeeded();
        assert.ok(await hosted.page.locator(".item").nth(49).isVisible());
        await assertAccessible(hosted.page.mainFrame(), `${width} px`);
      });
    }
  });
});

describe("hosted page: accessibility", () => {
  const setup = browserSetup();

  /** Pays on a page with a way back. */
  async function openReceipt(payer: Payer) {
    const { hostedPaymentPage } = await createHosted(setup.shop, {
      page: { redirectUrl: "https://shop.example/back" },
    });
    const hosted = hostedPage(await payer.context.newPage());
    await hosted.page.goto(hostedPaymentPage.url);
    await hosted.fill();
    await hosted.pay();
    await hosted.waitFor("approved");
    return { hosted, url: hostedPaymentPage.url };
  }
  const order: HostedOverrides = {
    amount: 14451,
    page: {
      attempts: 2,
      redirectUrl: "https://shop.example/back",
      lineItems: [{ title: "Beans", amount: 14451, image: "http://127.0.0.1:9/none.png" }],
    },
  };

  const appearances = [
    { name: "light", colorScheme: "light" },
    { name: "dark", colorScheme: "dark" },
    { name: "forced colours", colorScheme: "dark", forcedColors: "active" },
  ] as const;
  for (const { name, ...appearance } of appearances) {
    test(`axe finds no violation in form, wrong fields, retry and decline, ${name}`, async () => {
      await setup.visit(async (payer) => {
        const { hostedPaymentPage } = await createHosted(setup.shop, { ...order, page: { attempts: 2 } });
        const hosted = hostedPage(await payer.context.newPage());
        await hosted.page.goto(hostedPaymentPage.url);
        await hosted.waitFor("ready");
        await assertAccessible(hosted.page.mainFrame(), "form");
        await hosted.pay();
        await hosted.page.locator(".field-wrong").first().waitFor();
        await assertAccessible(hosted.page.mainFrame(), "wrong fields");
        await hosted.fill();
        await hosted.pay();
        await hosted.waitFor("declined");
        await assertAccessible(hosted.page.mainFrame(), "retry");
        await hosted.fill();
        await hosted.pay();
        await hosted.page.getByRole("heading", { name: "Payment declined" }).waitFor();
        await assertAccessible(hosted.page.mainFrame(), "decline");
      }, appearance);
    });

    test(`axe finds no violation in receipt and unknown page, ${name}`, async () => {
      await setup.visit(async (payer) => {
        const { hosted, url } = await openReceipt(payer);
        await assertAccessible(hosted.page.mainFrame(), "receipt");
        await hosted.page.goto(`${url}nowhere`);
        await hosted.waitFor("error");
        await assertAccessible(hosted.page.mainFrame(), "unknown page");
      }, appearance);
    });
  }

  test("no line of a receipt breaks, on a phone or a tablet", async () => {
    await setup.visit(async (payer) => {
      const { hostedPaymentPage } = await createHosted(setup.shop, {
        page: { redirectUrl: "https://shop.example/back", merchantName: "Harbour Coffee Roasters" },
      });
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.goto(hostedPaymentPage.url);
      await hosted.fill();
      await hosted.pay();
      await hosted.waitFor("approved");
      // As wide as a date gets.
      await hosted.page.evaluate(
        `[...document.querySelectorAll(".receipt dd")].find((value) => /AE[DS]T$/.test(value.textContent)).textContent =
           "30 September 2026 at 10:58 pm AEDT"`,
      );
      for (const width of [360, 390, 768, 1280]) {
        await hosted.page.setViewportSize({ width, height: 800 });
        const broken = await hosted.page.evaluate(
          `[...document.querySelectorAll(".receipt dd")].filter((value) => {
             const range = document.createRange();
             range.selectNodeContents(value);
             return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1;
           }).map((value) => value.textContent)`,
        );
        assert.deepEqual(broken, [], `at ${width}`);
      }
    });
  });

  test("a receipt prints dark on light, even from a dark screen, and without buttons", async () => {
    await setup.visit(
      async (payer) => {
        const { hosted } = await openReceipt(payer);
        const ink = () =>
          hosted.page.evaluate("getComputedStyle(document.querySelector('.receipt dd')).color");
        const wayBack = hosted.page.getByRole("link", { name: /^Return to/ });
        assert.equal(await ink(), "rgb(237, 241, 246)");
        assert.ok(await wayBack.isVisible());
        await hosted.page.emulateMedia({ media: "print", colorScheme: "dark" });
        assert.equal(await ink(), "rgb(23, 32, 46)");
        assert.equal(await wayBack.isVisible(), false);
        assert.ok(await hosted.page.locator(".receipt").isVisible());
      },
      { colorScheme: "dark" },
    );
  });

  test("a payer can pay by keyboard alone", async () => {
    await setup.visit(async (payer) => {
      const { hostedPaymentPage } = await createHosted(setup.shop);
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.goto(hostedPaymentPage.url);
      await hosted.page.keyboard.press("Tab");
      await hosted.page.keyboard.type("4111111111111111");
      await hosted.page.keyboard.press("Tab");
      await hosted.page.keyboard.type("1230");
      await hosted.page.keyboard.press("Tab");
      await hosted.page.keyboard.type("123");
      await hosted.page.keyboard.press("Enter");
      await hosted.waitFor("approved");
    });
  });
});
