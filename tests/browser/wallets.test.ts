import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup, type Payer } from "../support/browser.ts";
import {
  callApi,
  getRequest,
  getTransaction,
  ok,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";
import { shownOf, type WalletButtons, walletButtons } from "../support/wallet-buttons.ts";
import { AGREEMENT, walletShop } from "../support/wallets.ts";

const setup = browserSetup();
const ALL = ["card", "apple_pay", "google_pay"];
const STORED = { paymentInstrument: "create" };

/** Created by the first test that needs it. */
let shop: Shop;

describe("contract 8, 11: wallets in the embedded checkout", () => {
  type Opened = { readonly id: string; readonly checkout: CheckoutPage; readonly wallets: WalletButtons };

  async function open(payer: Payer, overrides: RequestOverrides = {}, named = true): Promise<Opened> {
    shop ??= await walletShop(setup.gateway);
    const { id, token } = await setup.request({ paymentMethods: ALL, ...overrides }, shop);
    const checkout = await payer.open({ token, named });
    await checkout.waitFor("ready");
    return { id, checkout, wallets: walletButtons(checkout.frame) };
  }

  test("by keyboard, a payer chooses a card in the sandbox's sheet and is charged the total that it shows", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout, wallets } = await open(payer);
      assert.equal(await checkout.page.locator("iframe").getAttribute("allow"), "payment");
      const { keyboard } = checkout.page;
      await wallets.googlePay.focus();
      await keyboard.press("Enter");
      await wallets.sheet.waitFor();
      assert.match(await wallets.sheet.innerText(), /Sandbox wallet\s+Google Pay[\s\S]*no money moves/);
      await assertAccessible(await checkout.document(), "the sheet");

      assert.equal((await checkout.event("surchargeUpdate")).surcharge, 46);
      await keyboard.press("ArrowDown");
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 0, "Mastercard has no rate");
      await keyboard.press("ArrowDown");
      assert.equal((await checkout.event("surchargeUpdate", 3)).surcharge, 60);
      assert.match(
        await wallets.sheet.innerText(),
        /Amount\s+\$30\.00\s+Surcharge[\s\S]*\$0\.60\s+Total\s+\$30\.60/,
      );
      for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
        await keyboard.press(key);
        assert.equal(
          await wallets.sheet.locator(":focus").count(),
          1,
          `after ${key} the focus is in the sheet`,
        );
      }
      await wallets.confirm.focus();
      await keyboard.press("Enter");
      await checkout.waitFor("approved");
      const process = await checkout.event("process");
      assert.deepEqual(Object.keys(process).sort(), ["name", "result", "transactionId"], "as for a card");
      assert.equal(process.result.status, "approved");
      const { payment, category } = await getTransaction(shop, process.transactionId ?? "");
      assert.deepEqual([payment.surcharge, payment.totalAmount, category.source], [60, 3060, "google_pay"]);
      assert.equal((await getRequest(shop, id)).paymentRequestStatus, "completed");
    });
  });

  test("the sandbox's sheet shows the agreement: description, amount, frequency, billing text and link", async () => {
    await setup.visit(async (payer) => {
      const { checkout, wallets } = await open(payer, { agreementDetails: AGREEMENT });
      const terms =
        /Coffee <b>club<\/b>\nAmount: \$1,234\.50\nFrequency: Every 3 months\nCharged until you cancel\.\nManage/;
      await wallets.googlePay.click();
      assert.match(await wallets.sheet.innerText(), terms);
      await wallets.cancel.click();
      await wallets.applePay.click();
      assert.match(await wallets.sheet.innerText(), terms);
      const link = wallets.sheet.getByRole("link", { name: "Manage" });
      assert.equal(await link.getAttribute("href"), AGREEMENT.managementURL);
      assert.equal(await link.getAttribute("rel"), "noreferrer");
      await assertAccessible(await checkout.document(), "the sheet with an agreement");
      await wallets.card("Visa").focus();
      await checkout.page.keyboard.press("Tab");
      assert.equal(await wallets.sheet.locator("a:focus").count(), 1, "the link is reached by Tab");
      await wallets.confirm.click();
      await checkout.waitFor("approved");
    });
  });

  test("the sheet of a request without an agreement shows none, and one without a frequency names none", async () => {
    await setup.visit(async (payer) => {
      const { wallets } = await open(payer);
      await wallets.applePay.click();
      await wallets.sheet.waitFor();
      assert.doesNotMatch(await wallets.sheet.innerText(), /Amount:|Frequency|Manage/);
      assert.equal(await wallets.sheet.getByRole("link").count(), 0);
    });
    const agreementDetails = { description: "Top-ups", managementURL: "https://shop.example/club" };
    await setup.visit(async (payer) => {
      const { wallets } = await open(payer, { agreementDetails });
      await wallets.applePay.click();
      const terms = await wallets.sheet.innerText();
      assert.match(terms, /Top-ups\nAmount: Varies\nManage/);
      assert.doesNotMatch(terms, /Frequency|undefined/);
    });
  });

  test("a decline is shown as for a card", async () => {
    await setup.visit(async (payer) => {
      const { checkout, wallets } = await open(payer, { amount: 14451 });
      await wallets.applePay.click();
      await wallets.card("Mastercard").check();
      await wallets.confirm.click();
      await checkout.waitFor("declined");
      assert.match(await checkout.words(), /insufficient funds[\s\S]*not been charged/);
      const { result, transactionId = "" } = await checkout.event("process");
      assert.equal(result.codes?.[0]?.id, "D04451");
      const { category, payment } = await getTransaction(shop, transactionId);
      assert.deepEqual([category.source, payment.instrument.card.wallet], ["apple_pay", "apple_pay"]);
    });
  });

  test("Escape and Cancel send nothing, keep the form, and return the focus to the button", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout, wallets } = await open(payer);
      await checkout.number.fill("5555555555554444");
      for (const dismiss of [() => checkout.page.keyboard.press("Escape"), () => wallets.cancel.click()]) {
        await wallets.applePay.click();
        await wallets.sheet.waitFor();
        const [page, sheet] = [await checkout.main.boundingBox(), await wallets.sheet.boundingBox()];
        const [pageEnd, sheetEnd] = [page, sheet].map((box) => (box?.y ?? 0) + (box?.height ?? 0));
        assert.ok(Number(sheetEnd) < Number(pageEnd), "the frame is as high as the sheet");
        await dismiss();
        await wallets.sheet.waitFor({ state: "detached" });
        assert.equal(await wallets.applePay.and(checkout.frame.locator(":focus")).count(), 1);
      }
      assert.equal(payer.requestCount("/sandbox/wallets/apple_pay"), 0);
      await payer.context.route("**/sandbox/wallets/*", (route) => route.abort());
      await wallets.applePay.click();
      await wallets.confirm.click();
      await wallets.sheet.getByText("The test wallet didn't answer").waitFor();
      await wallets.cancel.click();
      await checkout.waitFor("ready");
      assert.equal(await checkout.number.inputValue(), "5555 5555 5555 4444");
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      assert.equal((await getRequest(shop, id)).transactionAttempts, undefined);
    });
  });

  test("after a cancelled sheet the merchant's page has the surcharge of the form again", async () => {
    await setup.visit(async (payer) => {
      const { checkout, wallets } = await open(payer);
      await wallets.googlePay.click();
      assert.equal((await checkout.event("surchargeUpdate")).surcharge, 46);
      await wallets.cancel.click();
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 0);
      await checkout.number.fill("378282246310005");
      assert.equal((await checkout.event("surchargeUpdate", 3)).surcharge, 60);
      await wallets.googlePay.click();
      assert.equal((await checkout.event("surchargeUpdate", 4)).surcharge, 46);
      await wallets.cancel.click();
      assert.equal((await checkout.event("surchargeUpdate", 5)).surcharge, 60);
    });
  });

  test("after a declined wallet payment, too", async () => {
    await setup.visit(async (payer) => {
      const { checkout, wallets } = await open(payer, { amount: 14451 });
      await checkout.number.fill("378282246310005");
      const { surcharge } = await checkout.event("surchargeUpdate");
      assert.ok(Number(surcharge) > 0);
      await wallets.googlePay.click();
      await checkout.event("surchargeUpdate", 2);
      await wallets.card("Mastercard").check();
      assert.equal((await checkout.event("surchargeUpdate", 3)).surcharge, 0);
      await wallets.confirm.click();
      await checkout.waitFor("declined");
      assert.equal((await checkout.event("surchargeUpdate", 4)).surcharge, surcharge);
    });
  });

  test("a card without a device cryptogram goes through 3D Secure; others do not", async () => {
    const category = { authenticationType: "3d_secure" };
    await setup.visit(async (payer) => {
      const { checkout, wallets } = await open(payer, { amount: 14418, category });
      await wallets.googlePay.click();
      await wallets.card("Visa, number only").check();
      await wallets.confirm.click();
      await checkout.waitFor("challenge");
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      await checkout.waitFor("approved");
      const device = await open(payer, { amount: 14418, category });
      await device.wallets.googlePay.click();
      await device.wallets.confirm.click();
      await device.checkout.waitFor("approved");
    });
  });

  test("a changed price is reported, and shown on the sheet before it is charged", async () => {
    const other = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const setRate = async (percent: number) => {
      const surcharging = { enabled: true, rates: { visa: { percent, fixed: 0 } } };
      ok(await callApi(other, "PUT", "/management/account", { surcharging }));
    };
    await setRate(1);
    const { token } = await setup.request({ paymentMethods: ["google_pay"] }, other);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      const wallets = walletButtons(checkout.frame);
      await wallets.googlePay.click();
      await setRate(2);
      await wallets.confirm.click();
      await checkout.frame.getByRole("alert").filter({ hasText: "$30.60. Press Google Pay again" }).waitFor();
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 60);
      await wallets.googlePay.click();
      assert.match(await wallets.sheet.innerText(), /Total\s+\$30\.60/);
      await wallets.confirm.click();
      await checkout.waitFor("approved");
    });
  });

  for (const [how, frequency, ticks, stores] of [
    ["if the payer ticks the box", "single", true, true],
    ["not if the payer leaves it", "single", false, false],
    ["by paying, if payments recur", "recurring", false, true],
  ] as const) {
    test(`a wallet card is stored like a typed one: ${how}`, async () => {
      await setup.visit(async (payer) => {
        const category = { frequency };
        const { id, checkout, wallets } = await open(payer, { customerRequest: STORED, category });
        assert.equal(await checkout.consent.count(), frequency === "single" ? 1 : 0);
        if (frequency === "recurring") assert.match(await checkout.words(), /By paying, you let/);
        if (ticks) await checkout.consent.check();
        await wallets.googlePay.click();
        await wallets.confirm.click();
        await checkout.waitFor("approved");
        assert.equal((await getRequest(shop, id)).customerResult !== undefined, stores);
      });
    });
  }

  test("hides wallets that were not requested, that the account lost, and Apple Pay on an unregistered page", async () => {
    await setup.visit(async (payer) => {
      const card = await open(payer, { paymentMethods: ["card"] });
      assert.deepEqual(await shownOf(card.wallets), [0, 0]);
      assert.equal(await card.checkout.page.locator("iframe").getAttribute("allow"), null);
      assert.ok(!payer.requests.some(({ url }) => url.includes("wallets")), "no wallet script is loaded");

      assert.deepEqual(await shownOf((await open(payer)).wallets), [1, 1], "both are shown");
      assert.deepEqual(await shownOf((await open(payer, {}, false)).wallets), [0, 1], "not registered");
      await payer.consoleShows(/Apple Pay can't be offered here.*domain registered/);
      const { id, token } = await setup.request({ paymentMethods: ["google_pay"] }, shop);
      ok(await callApi(shop, "PUT", "/management/account", { capabilities: { googlePay: false } }));
      try {
        const checkout = await payer.open({ token });
        await checkout.waitFor("error");
        assert.match(await checkout.words(), /can't be made here[\s\S]*Google Pay[\s\S]*not been charged/);
        await assertAccessible(await checkout.document(), "no wallet");
        assert.equal((await checkout.event("initialise")).result.status, "ok");
        assert.equal((await getRequest(shop, id)).paymentRequestStatus, "created");
      } finally {
        ok(await callApi(shop, "PUT", "/management/account", { capabilities: { googlePay: true } }));
      }
    });
  });
});
