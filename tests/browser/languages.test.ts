import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import type { PageState } from "../../browser/ui/page-state.ts";
import type { Catalogue } from "../../src/kernel/languages/catalogue.ts";
import { findLanguage } from "../../src/kernel/languages/languages.ts";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup, type Payer } from "../support/browser.ts";
import { CARD, type RequestOverrides } from "../support/checkout.ts";
import { EXPIRY, PATIENCE_MS } from "../support/checkout-page.ts";
import { createHosted } from "../support/hosted-page.ts";
import type { PageOverrides } from "../support/merchant-page.ts";

const setup = browserSetup();

const languageOf = (tag: string): Catalogue => {
  const language = findLanguage(tag);
  assert.ok(language, tag);
  return language;
};

/** A form in some language, located by that language's labels. */
function formIn(place: Page | FrameLocator, { checkout }: Catalogue) {
  const field = (label: string) => place.getByLabel(label, { exact: true });
  return {
    number: field(checkout.cardNumber),
    root: place.locator("html"),
    main: place.locator("main"),
    payButton: place.locator("button.pay"),
    waitFor: (state: PageState) =>
      place.locator(`main[data-state="${state}"]`).waitFor({ state: "attached", timeout: PATIENCE_MS }),
    fill: async (number: string = CARD.number) => {
      await field(checkout.cardNumber).fill(number);
      await field(checkout.expiryDate).fill(EXPIRY);
      await field(checkout.securityCode).fill(CARD.securityCode);
    },
  };
}

async function openFrame(
  payer: Payer,
  language: Catalogue,
  request: RequestOverrides,
  page: PageOverrides = {},
) {
  const { token } = await setup.request(request);
  const checkout = await payer.open({ token, ...page });
  const form = formIn(checkout.page.frameLocator("iframe"), language);
  await form.waitFor("ready");
  return { checkout, form };
}

const sideways = (root: ReturnType<typeof formIn>["root"]) =>
  root.evaluate(
    (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth - element.clientWidth,
  );

/** Where an element is, from the left. */
async function leftOf(place: ReturnType<typeof formIn>["root"]): Promise<number> {
  const box = await place.boundingBox();
  assert.ok(box);
  return box.x;
}

describe("contract 3: the checkout in the payer's language", () => {
  test("Arabic by the request's locale: right to left, numbers left to right, through to the outcome", async () => {
    const language = languageOf("ar");
    const { checkout: words } = language;
    await setup.visit(async (payer) => {
      const { checkout, form } = await openFrame(
        payer,
        language,
        { locale: "ar", amount: 3000, description: "Two tickets" },
        { width: "320px" },
      );
      assert.deepEqual(
        [await form.root.getAttribute("lang"), await form.root.getAttribute("dir")],
        ["ar", "rtl"],
      );
      assert.equal(await checkout.page.locator("iframe").getAttribute("title"), words.frameTitle);
      assert.equal(await sideways(form.root), 0);
      await form.payButton.click();
      await form.main.getByText(words.numberMissing).waitFor();
      await form.number.pressSequentially("4111 1111 1111 1111");
      assert.equal(await form.number.inputValue(), "4111 1111 1111 1111");
      const style = await form.number.evaluate((input) => {
        const { direction, textAlign } = input.ownerDocument.defaultView.getComputedStyle(input);
        return [direction, textAlign];
      });
      assert.deepEqual(style, ["ltr", "right"]);
      const marks = form.main.locator("#marks");
      assert.ok((await leftOf(marks)) < (await leftOf(form.number)) + 60, "the mark is at the left end");
      const [, document] = checkout.page.frames();
      assert.ok(document);
      await assertAccessible(document, "the form in Arabic");
      await form.fill();
      assert.match(
        (await form.payButton.innerText()).replace(/[\u200e\u200f\u00a0]/g, ""),
        /^ادفع 30\.00\$$/,
      );
      await form.payButton.click();
      await form.waitFor("approved");
      await form.main.getByRole("heading", { name: words.approved }).waitFor();
      assert.equal((await checkout.event("process")).result.status, "approved");
    });
  });

  test("Chinese by initialise wins over the request's locale; a decline is in Chinese, too", async () => {
    const language = languageOf("zh-CN");
    await setup.visit(async (payer) => {
      const { checkout, form } = await openFrame(
        payer,
        language,
        { locale: "ar", amount: 14_451, attempts: 2 },
        { config: { locale: "zh-CN" } },
      );
      assert.equal(await form.root.getAttribute("lang"), "zh-Hans");
      assert.equal(await form.root.getAttribute("dir"), "ltr");
      assert.equal("ignored" in (await checkout.event("initialise")), false);
      await form.fill();
      await form.payButton.click();
      await form.waitFor("declined");
      assert.match(await form.main.innerText(), /您未被扣款/);
    });
  });

  test("without a locale the browser decides, from the first moment on", async () => {
    const language = languageOf("vi");
    await setup.visit(
      async (payer) => {
        const { checkout, form } = await openFrame(payer, language, {});
        assert.equal(await checkout.page.evaluate("navigator.language"), "vi-VN");
        assert.equal(await form.root.getAttribute("lang"), "vi");
        assert.match(await form.payButton.innerText(), /^Thanh toán 30,00\s\$$/);
      },
      { locale: "vi-VN" },
    );
  });

  test("an English browser, an unknown language and a wrong one get English; the wrong one is named", async () => {
    await setup.visit(async (payer) => {
      const english = languageOf("en");
      for (const [config, request] of [
        [{}, {}],
        [{}, { locale: "de" }],
        [{ locale: "de" }, { locale: "ar" }],
      ] as const) {
        const { checkout, form } = await openFrame(payer, english, request, { config });
        assert.equal(await form.root.getAttribute("lang"), "en");
        assert.equal("ignored" in (await checkout.event("initialise")), false);
      }
      for (const locale of ["en_AU", 7, { tag: "ar" }]) {
        const { checkout } = await openFrame(payer, english, {}, { config: { locale } });
        assert.deepEqual((await checkout.event("initialise")).ignored, ["locale"]);
        await payer.consoleShows(/locale is left out: it must be a language tag/);
      }
      const { form } = await openFrame(
        payer,
        languageOf("ar"),
        { locale: "ar" },
        { config: { locale: "!" } },
      );
      assert.equal(await form.root.getAttribute("lang"), "ar", "the request's locale is left");
    });
  });

  test("a checkout that can't start says so in the language that the page chose", async () => {
    await setup.visit(async (payer) => {
      const { token } = await setup.request();
      const checkout = await payer.open({ token: `${token.slice(0, -1)}_`, config: { locale: "mi" } });
      const form = formIn(checkout.page.frameLocator("iframe"), languageOf("mi"));
      await form.waitFor("error");
      await form.main.getByRole("heading", { name: languageOf("mi").checkout.openTooLong }).waitFor();
    });
  });

  test("the wallet's sheet is in the payer's language", async () => {
    const language = languageOf("zh");
    await setup.visit(async (payer) => {
      const { form } = await openFrame(payer, language, {
        locale: "zh",
        paymentMethods: ["card", "google_pay"],
      });
      await form.main.getByRole("button", { name: "Google Pay" }).click();
      await form.main.getByText(language.wallets.simulation).waitFor();
      await form.main.getByRole("button", { name: language.wallets.confirm }).click();
      await form.waitFor("approved");
    });
  });
});

describe("contract 3: the hosted page in the payer's language", () => {
  test("Vietnamese at 320 pixels: label and Optional stand apart, and the fields of a pair in line", async () => {
    await setup.visit(
      async (payer) => {
        const { hostedPaymentPage } = await createHosted(setup.shop, {
          more: { locale: "vi", transactionRequest: { collectAddress: "full" } },
        });
        const page = await payer.context.newPage();
        await page.goto(hostedPaymentPage.url);
        const form = formIn(page, languageOf("vi"));
        await form.waitFor("ready");
        assert.equal(await sideways(form.root), 0);
        const boxOf = async (selector: string) => {
          const box = await page.locator(selector).boundingBox();
          assert.ok(box, selector);
          return box;
        };
        for (const field of ["name", "state"]) {
          const label = await boxOf(`.field-${field} label`);
          const optional = await boxOf(`.field-${field} .optional`);
          const isApart = optional.x >= label.x + label.width + 4 || optional.y >= label.y + label.height;
          assert.ok(isApart, field);
        }
        assert.equal((await boxOf("#city")).y, (await boxOf("#state")).y);
      },
      { viewport: { width: 320, height: 720 } },
    );
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`Arabic with${javaScriptEnabled ? "" : "out"} scripts: mirrored, with the merchant's texts as they are`, async () => {
      const language = languageOf("ar");
      await setup.visit(
        async (payer) => {
          const { hostedPaymentPage } = await createHosted(setup.shop, {
            description: "Beans, 1 kg (dark)",
            page: {
              merchantName: "Harbour Coffee",
              lineItems: [{ title: "Beans (dark)", amount: 1500, quantity: 2 }],
            },
            more: { locale: "ar" },
          });
          const page = await payer.context.newPage();
          await page.setViewportSize({ width: 320, height: 720 });
          await page.goto(hostedPaymentPage.url);
          const form = formIn(page, language);
          await form.waitFor("ready");
          assert.equal(await form.root.getAttribute("dir"), "rtl");
          assert.equal(await sideways(form.root), 0);
          assert.equal(await page.locator(".item-title").textContent(), "Beans (dark)");
          assert.ok(
            (await leftOf(page.locator(".item-total"))) < (await leftOf(page.locator(".item-title"))),
          );
          if (javaScriptEnabled) await assertAccessible(page.mainFrame(), "the hosted page in Arabic");
          await form.fill();
          await form.payButton.click();
          await form.waitFor("approved");
          await page.getByRole("heading", { name: language.checkout.approved }).waitFor();
          assert.equal(await sideways(form.root), 0);
        },
        { javaScriptEnabled },
      );
    });
  }
});
