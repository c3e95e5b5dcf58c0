import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { CARD } from "../support/checkout.ts";
import { type CheckoutPage, EXPIRY } from "../support/checkout-page.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";

const VISA = "4111111111111111";

/** The field with the focus, by its id. */
const focused = (checkout: CheckoutPage) =>
  checkout.number.evaluate((input) => input.ownerDocument.activeElement?.id);

describe("complete fields move on, without taking the caret", () => {
  const setup = browserSetup();

  /** Each case gets an empty form. */
  async function typed(work: (checkout: CheckoutPage) => Promise<unknown>, expected: string, what: string) {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      await checkout.number.focus();
      await work(checkout);
      assert.equal(await focused(checkout), expected, what);
    });
  }

  test("a payer types number, expiry date and code without Tab, and pays", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const { keyboard } = checkout.page;
      await checkout.number.focus();
      await keyboard.type(CARD.number);
      assert.equal(await focused(checkout), "expiry");
      await keyboard.type(EXPIRY);
      assert.equal(await focused(checkout), "securityCode");
      await keyboard.type(CARD.securityCode);
      assert.equal(await focused(checkout), "securityCode", "the code may still be wrong: it stays");
      await keyboard.press("Enter");
      await checkout.waitFor("approved");
    });
  });

  test("a number moves on at its scheme's length, not before, and never with a wrong check digit", async () => {
    const numbers = [
      [VISA, "expiry"],
      ["5555555555554444", "expiry"],
      ["378282246310005", "expiry"],
      ["6011111111111117", "expiry"],
      ["6205500000000000004", "expiry"],
      ["4111111111111112", "number"],
      ["378282246310006", "number"],
      // Valid by chance, but too short for Visa; and of a scheme with several lengths.
      ["4222222222222", "number"],
      ["36227206271667", "number"],
      ["6200000000000005", "number"],
      ["5018000000000009", "number"],
    ] as const;
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      for (const [number, expected] of numbers) {
        await checkout.number.fill("");
        await checkout.page.keyboard.type(number);
        assert.equal(await focused(checkout), expected, number);
      }
    });
  });

  test("an expiry date moves on in every form, but not while a digit may follow or if it is wrong", async () => {
    const dates = [
      ["1230", "securityCode"],
      ["12/2030", "securityCode"],
      ["2030-12", "securityCode"],
      ["Dec 2030", "securityCode"],
      ["930", "securityCode"],
      ["2030-1", "expiry"],
      ["12/20", "expiry"],
      ["1320", "expiry"],
      ["1330", "expiry"],
      ["1", "expiry"],
    ] as const;
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      for (const [text, expected] of dates) {
        await checkout.expiry.fill("");
        await checkout.page.keyboard.type(text);
        assert.equal(await focused(checkout), expected, text);
      }
    });
  });

  test("pasting a whole number or date moves on; into the middle it does not", async () => {
    const paste = async (
      { page, name, ...fields }: CheckoutPage,
      field: "number" | "expiry",
      text: string,
      at = 0,
    ) => {
      await name.fill(text);
      await name.press("Control+A");
      await name.press("Control+X");
      await fields[field].focus();
      await fields[field].evaluate((input, caret) => input.setSelectionRange(caret, caret), at);
      await page.keyboard.press("Control+V");
    };
    await typed((checkout) => paste(checkout, "number", "4111-1111-1111-1111"), "expiry", "whole");
    await typed((checkout) => paste(checkout, "expiry", "2030-12"), "securityCode", "whole");
    await typed(
      async (checkout) => {
        await checkout.page.keyboard.type("41111111");
        await paste(checkout, "number", "11111111", 4);
        assert.equal(await checkout.number.inputValue(), "4111 1111 1111 1111");
      },
      "number",
      "middle",
    );
  });

  test("editing, deleting and coming back keep the caret where the payer put it", async () => {
    await typed(
      async ({ page, number }) => {
        await page.keyboard.type("411111111111111");
        await number.evaluate((input) => input.setSelectionRange(2, 2));
        await page.keyboard.type("1");
        assert.equal(await number.inputValue(), "4111 1111 1111 1111");
        assert.equal(await number.evaluate((input) => input.selectionStart), 3);
      },
      "number",
      "a digit in the middle completes the number",
    );
    await typed(
      async ({ page, number }) => {
        await page.keyboard.type(`${VISA.slice(0, 12)}91111`);
        await number.evaluate((input) => input.setSelectionRange(15, 16));
        await page.keyboard.press("Delete");
      },
      "number",
      "deleting",
    );
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const { keyboard } = checkout.page;
      await checkout.number.focus();
      await keyboard.type(VISA);
      assert.equal(await focused(checkout), "expiry");
      await keyboard.press("Shift+Tab");
      assert.equal(await focused(checkout), "number", "it does not move on again by itself");
      await keyboard.press("End");
      await keyboard.press("Backspace");
      await keyboard.type("1");
      assert.equal(await checkout.number.inputValue(), "4111 1111 1111 1111");
      assert.equal(await focused(checkout), "number", "the payer came back to edit");
      await checkout.number.fill("");
      await keyboard.type(VISA);
      assert.equal(await focused(checkout), "expiry", "a new number moves on");
      await keyboard.press("Backspace");
      await keyboard.press("Backspace");
      assert.equal(
        await checkout.number.inputValue(),
        "4111 1111 1111 11",
        "Backspace goes back and deletes",
      );
      assert.equal(await focused(checkout), "number");
    });
  });

  test("a filled next field keeps its caret, and autofill moves nothing", async () => {
    await typed(
      async ({ page, number, expiry }) => {
        await expiry.fill("12 / 30");
        await number.focus();
        await page.keyboard.type(VISA);
      },
      "number",
      "expiry is filled",
    );
    await typed(
      async ({ number }) => {
        await number.evaluate((input) => {
          input.value = "4111111111111111";
        });
        await number.dispatchEvent("input");
        assert.equal(await number.inputValue(), "4111 1111 1111 1111");
      },
      "number",
      "autofill",
    );
  });

  test("WCAG 3.2.2: both fields say beforehand that they move on", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const described = async (field: "number" | "expiry") => {
        const ids = (await checkout[field].getAttribute("aria-describedby"))?.split(" ") ?? [];
        const texts = await Promise.all(ids.map((id) => checkout.frame.locator(`#${id}`).textContent()));
        return texts.join(" ").trim();
      };
      const moves = "Once this is complete, the cursor moves to the next field.";
      assert.equal(await described("number"), moves);
      assert.equal(await described("expiry"), `Month and year, two digits each. ${moves}`);
    });
  });

  test("Tab from habit does not skip a field, and a second Tab goes on", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const { keyboard } = checkout.page;
      await checkout.number.focus();
      await keyboard.type(VISA);
      await keyboard.press("Tab");
      assert.equal(await focused(checkout), "expiry");
      await keyboard.press("Tab");
      assert.equal(await focused(checkout), "securityCode");
    });
  });

  test("the hosted page moves on as well; without scripts it understands the same dates", async () => {
    const urlOf = async () =>
      ((await createHosted(setup.shop, {})) as { hostedPaymentPage: { url: string } }).hostedPaymentPage.url;
    await setup.visit(async ({ context }) => {
      const page = await context.newPage();
      await page.goto(await urlOf());
      const hosted = hostedPage(page);
      await hosted.waitFor("ready");
      await page.locator("#number").focus();
      await page.keyboard.type(VISA);
      await page.keyboard.type("Dec 2030");
      await page.keyboard.type("123");
      await page.keyboard.press("Enter");
      await hosted.waitFor("approved");
    });
    for (const date of ["2030-12", "12/2030", "Dec 2030", "december 30", "1230"]) {
      await setup.visit(
        async ({ context }) => {
          const page = await context.newPage();
          await page.goto(await urlOf());
          const hosted = hostedPage(page);
          await hosted.fill();
          await page.locator("#expiry").fill(date);
          await hosted.pay();
          await hosted.waitFor("approved");
        },
        { javaScriptEnabled: false },
      );
    }
  });
});
