import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Locator } from "playwright-core";
import { browserSetup } from "../support/browser.ts";
import { CARD, getTransaction } from "../support/checkout.ts";
import { type CheckoutPage, EXPIRY, type TypedCard } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";

describe("contract 11: the card's fields", () => {
  const setup = browserSetup();

  /** The error text of a field, found by the ids that assistive technology follows. */
  async function problemOf(checkout: CheckoutPage, field: Locator): Promise<string | undefined> {
    if ((await field.getAttribute("aria-invalid")) !== "true") return undefined;
    const described = ((await field.getAttribute("aria-describedby")) ?? "").split(" ");
    const ids = described.filter((id) => !id.endsWith("-hint"));
    const descriptions = checkout.frame
      .locator(ids.map((id) => `#${id}`).join(", "))
      .filter({ visible: true });
    const texts = (await descriptions.allInnerTexts()).map((text) => text.trim());
    return texts.find((text) => text !== "");
  }

  test("an empty form marks every required field, focuses the first, and sends nothing", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      for (const field of [checkout.number, checkout.expiry, checkout.code]) {
        assert.equal(await problemOf(checkout, field), undefined, "no error before the payer submits");
      }
      await checkout.pay();
      assert.equal(await problemOf(checkout, checkout.number), "Enter your card number.");
      assert.equal(await problemOf(checkout, checkout.expiry), "Enter the expiry date.");
      assert.equal(await problemOf(checkout, checkout.code), "Enter the security code.");
      assert.equal(await problemOf(checkout, checkout.name), undefined);
      assert.equal(await checkout.main.getAttribute("data-state"), "ready");
      assert.ok(await checkout.number.evaluate((input) => input === input.ownerDocument.activeElement));
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      await checkout.fill();
      assert.equal(await problemOf(checkout, checkout.number), undefined, "the error goes while typing");
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.equal(payer.requestCount("/checkout/pay"), 1);
    });
  });

  test("a wrong field shows its error, and nothing is sent until it is fixed", async () => {
    const lastYear = String(new Date().getUTCFullYear() - 1).slice(2);
    const mistakes: readonly (readonly [keyof TypedCard, string, RegExp])[] = [
      ["number", "4111 1111 1111 1112", /not valid/],
      ["number", "4111 1111", /too short/],
      ["expiry", `12${lastYear}`, /expired/],
      ["expiry", "00 / 30", /month/],
      ["expiry", "12", /MM \/ YY/],
      ["code", "12", /3 digits/],
      ["name", "4111 1111 1111 1111", /name/],
    ];
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      for (const [field, typed, error] of mistakes) {
        await checkout.fill({ name: "", [field]: typed });
        await checkout.pay();
        assert.match((await problemOf(checkout, checkout[field])) ?? "no problem", error);
        const others = (["number", "expiry", "code", "name"] as const).filter((other) => other !== field);
        for (const other of others) assert.equal(await problemOf(checkout, checkout[other]), undefined);
      }
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      await checkout.fill({ name: "" });
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("a number that is typed or pasted in any form is grouped as on the card", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const { number } = checkout;
      await number.pressSequentially("4111111111111111");
      assert.equal(await number.inputValue(), "4111 1111 1111 1111");
      await number.fill("");
      await number.pressSequentially("378282246310005");
      assert.equal(await number.inputValue(), "3782 822463 10005");
      await number.fill("");
      await number.focus();
      await checkout.page.keyboard.insertText("  5555-5555 5555.4444 ");
      assert.equal(await number.inputValue(), "5555 5555 5555 4444");
      await checkout.page.keyboard.press("Backspace");
      await checkout.page.keyboard.press("Backspace");
      assert.equal(await number.inputValue(), "5555 5555 5555 44");
      await number.fill("4111 1111 1111 1111");
      await number.evaluate((input) => input.setSelectionRange(5, 5));
      await checkout.page.keyboard.press("Backspace");
      assert.equal(await number.inputValue(), "4111 1111 1111 111", "Backspace deletes a digit across a gap");
      await checkout.page.keyboard.type("1");
      assert.equal(await number.inputValue(), "4111 1111 1111 1111");
    });
  });

  test("a security code that is pasted with spaces keeps its digits, and has as many as its scheme allows", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const pasted = async (number: string, text: string) => {
        await checkout.number.fill(number);
        await checkout.code.fill("");
        await checkout.code.focus();
        await checkout.page.keyboard.insertText(text);
        return checkout.code.inputValue();
      };
      assert.equal(await pasted("4111111111111111", " 123"), "123");
      assert.equal(await pasted("378282246310005", " 1234 "), "1234");
      assert.equal(await pasted("", "  1234"), "1234");
      assert.equal(await pasted("4111111111111111", "1234"), "123");
    });
  });

  test("an expiry date that is typed in any form becomes MM / YY", async () => {
    await setup.visit(async (payer) => {
      const { expiry } = await setup.openForm(payer);
      for (const [typed, shown] of [
        ["1230", "12 / 30"],
        ["12/30", "12 / 30"],
        ["12 / 30", "12 / 30"],
        ["12/2030", "12 / 30"],
        ["1/30", "01 / 30"],
        ["930", "09 / 30"],
        ["2030-12", "12 / 30"],
        ["Dec 2030", "12 / 30"],
        ["1 2030", "01 / 30"],
        ["١٢٣٠", "12 / 30"],
        ["１２３０", "12 / 30"],
      ] as const) {
        await expiry.fill("");
        await expiry.pressSequentially(typed);
        assert.equal(await expiry.inputValue(), shown, typed);
      }
      await expiry.fill("2030-12");
      assert.equal(await expiry.inputValue(), "12 / 30", "as a browser's autofill enters it");
      await expiry.fill("September 2030");
      assert.equal(await expiry.inputValue(), "09 / 30", "pasted");
    });
  });

  test("a card whose digits are Arabic pays", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      await checkout.number.pressSequentially("٤١١١١١١١١١١١١١١١");
      await checkout.expiry.fill("١٢/٢٠٣٠");
      await checkout.code.pressSequentially("١٢٣");
      assert.deepEqual(
        [
          await checkout.number.inputValue(),
          await checkout.expiry.inputValue(),
          await checkout.code.inputValue(),
        ],
        ["4111 1111 1111 1111", "12 / 30", "123"],
      );
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("Tab moves through the form in order, and Enter pays", async () => {
    await setup.visit(async (payer) => {
      const checkout = await setup.openForm(payer);
      const { keyboard } = checkout.page;
      await checkout.number.focus();
      await keyboard.type(CARD.number);
      await keyboard.press("Tab");
      await keyboard.type(EXPIRY);
      await keyboard.press("Tab");
      await keyboard.type(CARD.securityCode);
      await keyboard.press("Tab");
      await keyboard.type("Aroha Rangi");
      await keyboard.press("Tab");
      assert.ok(await checkout.payButton.evaluate((button) => button === button.ownerDocument.activeElement));
      await keyboard.press("Shift+Tab");
      await keyboard.press("Enter");
      await checkout.waitFor("approved");
      const focused = checkout.frame.locator("h1:focus");
      await eventually("the outcome has the focus", async () => (await focused.count()) === 1);
      const { transactionId = "" } = await checkout.event("process");
      const { card } = (await getTransaction(setup.shop, transactionId)).payment.instrument;
      assert.equal(card.name, "Aroha Rangi");
      assert.equal(card.expiryYear, CARD.expiryYear);
    });
  });

  test("browsers and password managers find the fields by their standard names", async () => {
    await setup.visit(async (payer) => {
      const { number, expiry, code, name } = await setup.openForm(payer);
      const names = [number, expiry, code, name].map((field) => field.getAttribute("autocomplete"));
      assert.deepEqual(await Promise.all(names), ["cc-number", "cc-exp", "cc-csc", "cc-name"]);
      assert.equal(await number.getAttribute("inputmode"), "numeric");
    });
  });
});
