import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { CARD, callApi, getRequest, getTransaction, ok, type Shop, shopOf } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";
import { AMEX, MASTERCARD, newCustomer, savedVisa } from "../support/saved-cards.ts";
import { storedCard } from "../support/stored-cards.ts";

const VISA = /^Visa ending in 1111/;
const ANOTHER = "Use another card";
/** Declined on the first attempt, approved on the second. */
const DECLINED_ONCE = 14_419;

describe("contract 3: a payer pays with a saved card", () => {
  const setup = browserSetup();
  const radio = (within: FrameLocator | Page, name: string | RegExp) =>
    within.getByRole("radio", { name, exact: typeof name === "string" });
  /** The question takes no answer in its first moment. */
  const reallyRemove = (within: FrameLocator | Page, name: string) =>
    eventually(`${name} is removed`, async () => {
      if ((await radio(within, new RegExp(`^${name}`)).count()) === 0) return true;
      const answer = within.getByRole("button", { name: new RegExp(`^Really remove\\? ${name}`) });
      await answer.click({ timeout: 1_000 }).catch(() => undefined);
      return false;
    });
  const cardTypes = async (shop: Shop) => {
    const id = await newCustomer(shop);
    const visa = await storedCard(shop, { customerRequest: { id } });
    const amex = await storedCard(shop, { customerRequest: { id } }, { card: AMEX });
    return { id, visa: visa.paymentInstrumentId, amex: amex.paymentInstrumentId };
  };

  test("in the frame, with the security code alone; no box, and customerResult stays absent", async () => {
    const { id: customer, paymentInstrumentId } = await savedVisa(setup.shop);
    const customerRequest = { id: customer, paymentInstrument: "create" };
    const { id, token } = await setup.request({ customerRequest });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.equal(await radio(checkout.frame, VISA).isChecked(), true);
      for (const hidden of [checkout.number, checkout.expiry, checkout.name, checkout.consent])
        assert.equal(await hidden.isVisible(), false);
      await checkout.pay();
      assert.equal(await checkout.code.getAttribute("aria-invalid"), "true", "the code is asked for");
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      await checkout.waitFor("approved");
      const sent = payer.requests.filter(({ url }) => url.endsWith("/checkout/pay"));
      assert.deepEqual(
        sent.map(({ body }) => Object.keys(JSON.parse(body)).sort()),
        [["consent", "language", "method", "savedCard", "total"]],
      );
    });
    const { customerResult, transactionResult } = await getRequest(setup.shop, id);
    assert.equal(customerResult, undefined);
    const { payment } = await getTransaction(setup.shop, transactionResult.id);
    assert.equal(payment.instrument.customer.paymentInstrumentId, paymentInstrumentId);
  });

  test("or with another card, by keyboard, and stores it with consent", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const customerRequest = { id: customer, paymentInstrument: "create" };
    const { id, token } = await setup.request({ customerRequest });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await radio(checkout.frame, VISA).focus();
      await checkout.page.keyboard.press("ArrowDown");
      assert.equal(await radio(checkout.frame, ANOTHER).isChecked(), true);
      await checkout.fill({ number: MASTERCARD });
      await checkout.consent.check();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
    assert.equal((await getRequest(setup.shop, id)).customerResult.id, customer);
  });

  test("the security code has the chosen card's length, and surcharge and total follow the choice", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const { id: customer } = await cardTypes(shop);
    const rates = { visa: { percent: 1, fixed: 0 }, amex: { percent: 2, fixed: 0 } };
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    const { id, token } = await setup.request({ customerRequest: { id: customer } }, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.equal((await checkout.event("surchargeUpdate")).surcharge, 60);
      assert.deepEqual(
        (await checkout.events()).map(({ name }) => name),
        ["initialise", "surchargeUpdate"],
      );
      assert.match(await checkout.payButton.innerText(), /30\.60/);
      await checkout.code.fill("1234");
      await radio(checkout.frame, VISA).check();
      assert.equal(await checkout.code.inputValue(), "", "a code belongs to one card");
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 30);
      await radio(checkout.frame, ANOTHER).check();
      assert.match(await checkout.payButton.innerText(), /30\.00/);
      await radio(checkout.frame, VISA).check();
      await checkout.code.fill("123");
      await checkout.pay();
      await checkout.waitFor("approved");
    });
    const { transactionResult } = await getRequest(shop, id);
    assert.equal((await getTransaction(shop, transactionResult.id)).payment.totalAmount, 3030);
  });

  test("after a decline the card stays chosen with an empty code, and the next attempt is approved", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const { token } = await setup.request({
      amount: DECLINED_ONCE,
      attempts: 2,
      customerRequest: { id: customer },
    });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      await checkout.waitFor("declined");
      assert.equal(await radio(checkout.frame, VISA).isChecked(), true);
      assert.equal(await checkout.code.inputValue(), "");
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("a card that was removed meanwhile is refused with words, and another card pays", async () => {
    const { id: customer, paymentInstrumentId } = await savedVisa(setup.shop);
    const { token } = await setup.request({ customerRequest: { id: customer } });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.code.fill(CARD.securityCode);
      const path = `/customers/${customer}/paymentinstruments/${paymentInstrumentId}`;
      ok(await callApi(setup.shop, "DELETE", path));
      await checkout.pay();
      const notice = checkout.frame.getByRole("alert").filter({ hasText: "can't be used any more" });
      await notice.waitFor();
      await radio(checkout.frame, ANOTHER).check();
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("3D Secure asks the payer of a saved card, too", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const { token } = await setup.request({
      amount: 14_418,
      category: { authenticationType: "3d_secure" },
      customerRequest: { id: customer },
    });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      await checkout.waitFor("approved");
    });
  });

  test("a double click on Remove removes nothing; the question is announced, and withdrawn by Escape or by leaving", async () => {
    const { id: customer, visa } = await cardTypes(setup.shop);
    const { token } = await setup.request({ customerRequest: { id: customer, allowRemoval: true } });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      const remove = checkout.frame.getByRole("button", { name: "Remove Visa ending in 1111", exact: true });
      const question = checkout.frame.getByRole("button", { name: /^Really remove\? Visa/ });
      const announced = checkout.frame.locator("#announcer");
      await remove.dblclick();
      await question.waitFor();
      assert.equal(await announced.innerText(), "Really remove? Visa ending in 1111");
      await question.press("Escape");
      await remove.waitFor();
      assert.equal(await announced.innerText(), "");
      await remove.click();
      await question.waitFor();
      await checkout.code.focus();
      await remove.waitFor();
      assert.equal(payer.requestCount("/checkout/remove-card"), 0);
      const path = `/customers/${customer}/paymentinstruments/${visa}`;
      assert.equal((await callApi(setup.shop, "GET", path)).status, 200);
    });
  });

  test("a card is removed by a second click, where the merchant allows it", async () => {
    const { id: customer, visa, amex } = await cardTypes(setup.shop);
    const customerRequest = { id: customer, allowRemoval: true };
    const { token } = await setup.request({ customerRequest });
    const isThere = async (id: string) =>
      (await callApi(setup.shop, "GET", `/customers/${customer}/paymentinstruments/${id}`)).status === 200;
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      const remove = checkout.frame.getByRole("button", { name: /^Remove American Express ending in 0005/ });
      await remove.click();
      assert.equal(await isThere(amex), true, "the first click asks");
      await reallyRemove(checkout.frame, "American");
      assert.deepEqual([await isThere(amex), await isThere(visa)], [false, true]);
      assert.equal(await radio(checkout.frame, VISA).isChecked(), true);
      await checkout.frame.getByRole("button", { name: /^Remove Visa/ }).click();
      await reallyRemove(checkout.frame, "Visa");
      await checkout.number.waitFor();
      assert.equal(await radio(checkout.frame, ANOTHER).isVisible(), false, "nothing is left to choose");
      assert.equal(await (await checkout.document()).evaluate("document.activeElement.id"), "number");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("no button removes a card where the merchant does not allow it", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const { token } = await setup.request({ customerRequest: { id: customer } });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.equal(await checkout.frame.getByRole("button", { name: /Remove/ }).count(), 0);
    });
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`on the hosted page ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const { id: customer, visa, amex } = await cardTypes(setup.shop);
      const customerRequest = { id: customer, allowRemoval: true };
      const { id, hostedPaymentPage } = await createHosted(setup.shop, { more: { customerRequest } });
      await setup.visit(
        async (payer) => {
          const hosted = hostedPage(await payer.context.newPage());
          await hosted.page.goto(hostedPaymentPage.url);
          const code = hosted.page.getByLabel("Security code", { exact: true });
          assert.equal(await hosted.number.isVisible(), false);
          await radio(hosted.page, ANOTHER).check();
          await hosted.number.waitFor();
          await hosted.page.getByRole("button", { name: /^Remove American/ }).click();
          if (javaScriptEnabled) await reallyRemove(hosted.page, "American");
          else await hosted.page.getByRole("button", { name: /^Remove American/ }).click();
          await radio(hosted.page, /^American/).waitFor({ state: "detached" });
          await radio(hosted.page, VISA).check();
          await code.fill(CARD.securityCode);
          // The Enter key pays; it removes nothing.
          await code.press("Enter");
          await hosted.waitFor("approved");
        },
        { javaScriptEnabled },
      );
      const { customerResult, transactionResult } = await getRequest(setup.shop, id);
      assert.equal(customerResult, undefined);
      const { payment } = await getTransaction(setup.shop, transactionResult.id);
      assert.equal(payment.instrument.customer.paymentInstrumentId, visa);
      const { paymentInstruments } = ok(
        await callApi(setup.shop, "GET", `/customers/${customer}/paymentinstruments`),
      );
      assert.deepEqual(
        paymentInstruments.map((one: { id: string }) => one.id),
        [visa],
        `${amex} is gone`,
      );
    });
  }

  for (const colorScheme of ["light", "dark"] as const) {
    test(`is accessible at 320 pixels, ${colorScheme}, and nothing is cut off`, async () => {
      const { id: customer } = await cardTypes(setup.shop);
      const customerRequest = { id: customer, allowRemoval: true, paymentInstrument: "create" };
      const { token } = await setup.request({ customerRequest });
      await setup.visit(
        async (payer) => {
          const checkout = await payer.open({ token });
          await checkout.waitFor("ready");
          const document = await checkout.document();
          await assertAccessible(document, "saved cards");
          const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          assert.equal(await document.evaluate(overflow), 0);
          for (const target of await checkout.frame.locator(".saved label, .saved button").all()) {
            const box = await target.boundingBox();
            assert.ok(box !== null && box.height >= 24 && box.width >= 24, "large enough to touch");
          }
          await radio(checkout.frame, ANOTHER).check();
          await assertAccessible(document, "another card");
        },
        { colorScheme, viewport: { width: 320, height: 800 } },
      );
    });
  }

  test("the chosen card is visible in forced colours", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const { token } = await setup.request({ customerRequest: { id: customer } });
    await setup.visit(
      async (payer) => {
        const checkout = await payer.open({ token });
        await checkout.waitFor("ready");
        const document = await checkout.document();
        const opacities = `Array.from(document.querySelectorAll(".saved .tick")).map((tick) =>
          [getComputedStyle(tick, "::after").opacity, getComputedStyle(tick).borderTopStyle].join(" "))`;
        assert.deepEqual(await document.evaluate(opacities), ["1 solid", "0 solid"]);
      },
      { forcedColors: "active" },
    );
  });
});
