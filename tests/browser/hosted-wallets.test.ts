import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup, type Payer } from "../support/browser.ts";
import { getRequest, getTransaction, type Shop } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { withLiveAcquirer } from "../support/fake-acquirer.ts";
import { fakeApplePay, fakeGooglePay } from "../support/fake-wallet-vendors.ts";
import { createHosted, type HostedOverrides, type HostedPage, hostedPage } from "../support/hosted-page.ts";
import { liveGooglePay } from "../support/live-google-pay.ts";
import { visitPage } from "../support/visit-page.ts";
import { shownOf, type WalletButtons, walletButtons } from "../support/wallet-buttons.ts";
import { AGREEMENT, walletShop } from "../support/wallets.ts";

const google = liveGooglePay();
after(google.remove);
const setup = browserSetup({ environment: google.environment, wrapContext: withLiveAcquirer });
const ALL = ["card", "apple_pay", "google_pay"];
const WALLETS = ["apple_pay", "google_pay"];
const STORED = { paymentInstrument: "create" };

/** Created by the first test that needs it. */
let shop: Shop;

describe("contract 8, 11: wallets on the hosted page", () => {
  type Opened = { readonly id: string; readonly hosted: HostedPage; readonly wallets: WalletButtons };
  type Seen = { readonly [what: string]: unknown };

  async function open(payer: Payer, overrides: HostedOverrides = {}, methods = ALL): Promise<Opened> {
    shop ??= await walletShop(setup.gateway);
    const { id, hostedPaymentPage } = await createHosted(shop, {
      ...overrides,
      more: { paymentMethods: methods, ...overrides.more },
    });
    const hosted = hostedPage(await payer.context.newPage());
    await hosted.page.goto(hostedPaymentPage.url);
    return { id, hosted, wallets: walletButtons(hosted.page) };
  }

  /** Adds a fake vendor script to every page; returns the calls that it receives. */
  async function withVendor(payer: Payer, vendorScript: string): Promise<Seen> {
    const seen: { [what: string]: unknown } = {};
    await payer.context.exposeFunction("seen", (what: string, details: string) => {
      seen[what] = JSON.parse(details);
    });
    await payer.context.addInitScript(vendorScript);
    return seen;
  }

  async function paidWith(id: string): Promise<readonly unknown[]> {
    const { transactionResult } = await getRequest(shop, id);
    const { payment, category } = await getTransaction(shop, transactionResult.id);
    return [category.source, payment.totalAmount];
  }

  test("after a decline with one wallet and a cancelled sheet, the payer can pay with the other", async () => {
    await setup.visit(async (payer) => {
      const { id, hosted, wallets } = await open(payer, { amount: 14419, page: { attempts: 3 } });
      await wallets.applePay.click();
      await assertAccessible(hosted.page.mainFrame(), "the sheet on the hosted page");
      await wallets.card("Mastercard").check();
      await wallets.confirm.click();
      await hosted.waitFor("declined");
      assert.match(await hosted.words(), /You can try 2 more times/);
      await wallets.googlePay.click();
      await hosted.page.keyboard.press("Escape");
      assert.equal(
        (await getRequest(shop, id)).transactionAttempts.length,
        1,
        "cancelling the sheet is no attempt",
      );
      await wallets.googlePay.click();
      assert.match(await wallets.sheet.innerText(), /Total\s+\$146\.02/);
      await wallets.confirm.click();
      await hosted.waitFor("approved");
      assert.deepEqual(await paidWith(id), ["google_pay", 14602]);
    });
  });

  test("the sandbox's sheet shows the agreement: description, amount, frequency, billing text and link", async () => {
    await setup.visit(async (payer) => {
      const { hosted, wallets } = await open(payer, { more: { agreementDetails: AGREEMENT } });
      await wallets.applePay.click();
      assert.match(
        await wallets.sheet.innerText(),
        /Coffee <b>club<\/b>\nAmount: \$1,234\.50\nFrequency: Every 3 months\nCharged until you cancel\.\nManage/,
      );
      const link = wallets.sheet.getByRole("link", { name: "Manage" });
      assert.equal(await link.getAttribute("href"), AGREEMENT.managementURL);
      assert.equal(await link.getAttribute("rel"), "noreferrer");
      await assertAccessible(hosted.page.mainFrame(), "the sheet with an agreement");
      await wallets.card("Visa").focus();
      await hosted.page.keyboard.press("Tab");
      assert.equal(await wallets.sheet.locator("a:focus").count(), 1, "the link is reached by Tab");
      await wallets.confirm.click();
      await hosted.waitFor("approved");
    });
  });

  test("a request for wallets only has no card fields, and without JavaScript says what it needs", async () => {
    await setup.visit(async (payer) => {
      const { hosted, wallets } = await open(payer, { more: { customerRequest: STORED } }, WALLETS);
      assert.deepEqual(await shownOf(wallets), [1, 1]);
      assert.deepEqual([await hosted.number.count(), await hosted.payButton.count()], [0, 0]);
      await assertAccessible(hosted.page.mainFrame(), "wallets only");
      const { text, headers } = await visitPage(shop, hosted.page.url());
      assert.match(
        text,
        /<noscript><p>This payment is made with Apple Pay or Google Pay, which needs JavaScript/,
      );
      assert.doesNotMatch(
        String(headers.get("content-security-policy")),
        /google/,
        "the sandbox's policy allows no vendor",
      );
    });
  });

  test("a page with wallets is at most 32 KB, compressed, the hashes of its scripts included", async () => {
    shop ??= await walletShop(setup.gateway);
    const { hostedPaymentPage } = await createHosted(shop, { more: { paymentMethods: ALL } });
    const page = await visitPage(shop, hostedPaymentPage.url);
    const files = [...page.text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => match[1] ?? "");
    assert.equal(files.length, 4);
    const loaded = await Promise.all(files.map((file) => visitPage(shop, file)));
    const bytes = [page, ...loaded].reduce((sum, { text }) => sum + gzipSync(text).length, 0);
    assert.ok(bytes <= 32 * 1024, `${bytes} bytes`);
  });

  test("with an ApplePaySession, Apple's sheet is validated, priced by network and completed", async () => {
    await setup.visit(async (payer) => {
      const seen = await withVendor(payer, fakeApplePay({ network: "AmEx", card: "amex" }));
      const agreementDetails = {
        description: "Coffee club",
        managementURL: "https://shop.example/club",
        frequency: "monthly",
      };
      const page = { merchantName: "Harbour Books" };
      const { id, hosted, wallets } = await open(payer, { page, more: { agreementDetails } });
      await wallets.applePay.click();
      await hosted.waitFor("approved");
      assert.deepEqual(await paidWith(id), ["apple_pay", 3060]);
      const { version, request } = seen["request"] as { version: number; request: Record<string, unknown> };
      assert.deepEqual([version, request["currencyCode"], request["countryCode"]], [14, "AUD", "AU"]);
      const recurring = request["recurringPaymentRequest"] as { regularBilling: Record<string, unknown> };
      assert.match(String(recurring.regularBilling["recurringPaymentStartDate"]), /^\d{4}-\d\d-\d\dT/);
      assert.equal((seen["merchantSession"] as { domainName: string }).domainName, "localhost");
      const { newTotal, newLineItems } = seen["selection"] as {
        newTotal: object;
        newLineItems: { amount: string }[];
      };
      assert.deepEqual(newTotal, { label: "Harbour Books", amount: "30.60", type: "final" });
      assert.deepEqual(
        newLineItems.map(({ amount }) => amount),
        ["30.00", "0.60"],
      );
      assert.deepEqual(seen["completed"], { status: 0 });
      assert.equal(await wallets.sheet.count(), 0);
    });
  });

  test("if Apple does not validate the merchant, the sandbox's own sheet opens", async () => {
    await setup.visit(async (payer) => {
      await withVendor(payer, fakeApplePay("not-validated"));
      const { id, hosted, wallets } = await open(payer);
      await wallets.applePay.click();
      await wallets.confirm.click();
      await hosted.waitFor("approved");
      assert.deepEqual(await paidWith(id), ["apple_pay", 3046]);
    });
  });

  test("with Google's script, Google's sheet is used, and the payer confirms a surcharge before the charge", async () => {
    await setup.visit(async (payer) => {
      const seen = await withVendor(payer, fakeGooglePay({ network: "VISA", card: "visa" }));
      const { id, hosted, wallets } = await open(payer);
      await wallets.googlePay.click();
      await wallets.sheet.waitFor();
      assert.match(
        await wallets.sheet.innerText(),
        /card ending in 3478\. You have not been charged yet[\s\S]*Total\s+\$30\.46/,
      );
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      await wallets.confirm.click();
      await hosted.waitFor("approved");
      assert.deepEqual(await paidWith(id), ["google_pay", 3046]);
      assert.deepEqual(seen["client"], { environment: "TEST" });
      const { transactionInfo } = seen["loadPaymentData"] as { transactionInfo: object };
      assert.deepEqual(transactionInfo, {
        countryCode: "AU",
        currencyCode: "AUD",
        totalPriceStatus: "ESTIMATED",
        totalPrice: "30.00",
        totalPriceLabel: "Total",
      });
    });
  });

  for (const scenario of ["cancelled", "not-ready"] as const) {
    test(`nothing is charged if Google's script reports ${scenario}`, async () => {
      await setup.visit(async (payer) => {
        const seen = await withVendor(payer, fakeGooglePay(scenario));
        const { id, hosted, wallets } = await open(payer);
        await wallets.googlePay.click();
        if (scenario === "not-ready") await wallets.cancel.click();
        else await eventually("Google's script is called", async () => seen["loadPaymentData"]);
        assert.equal(await wallets.sheet.count(), 0);
        await hosted.waitFor("ready");
        assert.equal((await getRequest(shop, id)).transactionAttempts, undefined);
      });
    });
  }

  test("a wallet's button shows as soon as its vendor is ready, in the requested order", async () => {
    await setup.visit(async (payer) => {
      const seen = await withVendor(payer, fakeGooglePay("ready-later"));
      const methods = ["card", "google_pay", "apple_pay"];
      const { hosted, wallets } = await open(payer, {}, methods);
      await wallets.applePay.waitFor();
      await eventually("Google's script is called", async () => seen["isReadyToPay"]);
      assert.deepEqual(await shownOf(wallets), [1, 0]);
      await hosted.page.evaluate("window.getReady()");
      await wallets.googlePay.waitFor();
      const names = await hosted.page
        .locator("#wallet-buttons button:visible")
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
      assert.deepEqual(names, ["Google Pay", "Apple Pay"], "in the requested order");
      await wallets.applePay.click();
      await wallets.confirm.click();
      await hosted.waitFor("approved");
    });
  });

  test("each live page has a new nonce on the wallets' script and in the policy; sandbox pages have none", async () => {
    const live = await google.newShop(setup.gateway);
    const [merchant] = await setup.gateway.database.rows<{ id: string }>(
      "select id from merchants where mode = 'live' order by id desc limit 1",
    );
    const frame = `/checkout/1.0.0/${String(merchant?.id).slice("mer_".length)}/frame`;
    const page = async (methods: readonly string[], of = live) =>
      (await createHosted(of, { more: { paymentMethods: methods } })).hostedPaymentPage.url;
    const noncesOf = async (address: string) => {
      const { text, headers } = await visitPage(live, address);
      const policy = String(headers.get("content-security-policy"));
      const marks = [...text.matchAll(/<script src="[^"]+\/(\w+\.js)" nonce="([^"]+)"/g)];
      return {
        marked: marks.map(([, file]) => file),
        nonces: new Set([
          ...marks.map(([, , nonce]) => nonce),
          ...[...policy.matchAll(/'nonce-([^']+)'/g)].map(([, nonce]) => nonce),
        ]),
      };
    };
    const withGoogle = await page(["card", "google_pay"]);
    for (const address of [withGoogle, `${frame}/wallets`]) {
      const [first, second] = [await noncesOf(address), await noncesOf(address)];
      assert.deepEqual([first.marked, first.nonces.size, second.nonces.size], [["wallets.js"], 1, 1]);
      assert.notDeepEqual(first.nonces, second.nonces);
    }
    shop ??= await walletShop(setup.gateway);
    for (const address of [frame, await page(["card"]), await page(ALL, shop)]) {
      assert.deepEqual(await noncesOf(address), { marked: [], nonces: new Set() }, address);
    }
  });

  for (const answer of ["a script", "nothing"] as const) {
    test(`a live page loads Google's script; with ${answer} it shows ${answer === "nothing" ? "no" : "the"} button`, async () => {
      const vendors = ["https://pay.google.com"];
      await setup.visit(
        async (payer) => {
          const seen = await withVendor(payer, "");
          const body = fakeGooglePay({ network: "VISA", card: "visa" });
          await payer.context.route("https://pay.google.com/**", (route) =>
            answer === "nothing" ? route.abort() : route.fulfill({ contentType: "text/javascript", body }),
          );
          const live = await google.newShop(setup.gateway);
          const more = { paymentMethods: ["card", "google_pay"] };
          const { hostedPaymentPage } = await createHosted(live, { more });
          const hosted = hostedPage(await payer.context.newPage());
          const loading = hosted.page.waitForRequest("https://pay.google.com/gp/p/js/pay.js");
          await hosted.page.goto(hostedPaymentPage.url);
          await loading;
          await hosted.number.waitFor();
          const { googlePay } = walletButtons(hosted.page);
          if (answer === "nothing") {
            await hosted.page.waitForLoadState("networkidle");
            assert.equal(await googlePay.count(), 0);
            return;
          }
          await googlePay.waitFor();
          const { environment, nonce } = seen["client"] as { environment: string; nonce: string };
          assert.equal(environment, "PRODUCTION");
          assert.match(nonce, /^[\w-]{22}$/);
          const embedded = await payer.open({
            token: (await setup.request({ paymentMethods: ["card", "google_pay"] }, live)).token,
          });
          await walletButtons(embedded.frame).googlePay.waitFor();
          assert.notEqual((seen["client"] as { nonce: string }).nonce, nonce);
          for (const page of [hosted.page, await embedded.document()]) {
            const added = await page.evaluate(`[
              getComputedStyle(document.documentElement).getPropertyValue("--style-marked"), window.scriptMarked,
              getComputedStyle(document.documentElement).getPropertyValue("--style-bare"), window.scriptBare ?? ""]`);
            assert.deepEqual(added, ["there", "there", "", ""], "with a nonce: applied; without: blocked");
          }
          assert.doesNotMatch(await hosted.page.locator("body").innerText(), /sandbox/i);
        },
        {
          vendors,
          stopped:
            answer === "a script" ? /inline (?:style|script)|(?:style|script)-src-elem inline$/ : /never/,
        },
      );
    });
  }
});
