import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { BrowserContext } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { borrowBrowser, returnBrowser } from "../support/browser.ts";
import { TEST_KEY } from "../support/calls.ts";
import { checkoutPage, PATIENCE_MS } from "../support/checkout-page.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type Demo, startDemo } from "../support/demo.ts";
import { eventually } from "../support/eventually.ts";
import { hostedPage } from "../support/hosted-page.ts";
import { type ShopVisit, shopVisit } from "../support/shop-visit.ts";

describe("npm run demo: every flow of the example shop, end to end", () => {
  let database: TestDatabase;
  let folder: string;
  let demo: Demo;
  let context: BrowserContext;
  let visit: ShopVisit;
  const errors: string[] = [];
  before(async () => {
    const browser = await borrowBrowser();
    database = await cloneDatabase();
    folder = await mkdtemp(join(tmpdir(), "tidegate-demo-"));
    demo = await startDemo(folder, { database });
    context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 390, height: 844 } });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("console", (message) => {
      if (/content.?security.?policy/i.test(message.text())) errors.push(message.text());
    });
    context.on("weberror", (error) => errors.push(String(error.error())));
    visit = shopVisit(await context.newPage(), demo.shopUrl);
  });
  after(async () => {
    try {
      await context?.close();
    } finally {
      await demo?.interrupt();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
      returnBrowser();
    }
  });

  const get = async (path: string) =>
    (
      await fetch(demo.baseUrl.replace("localhost", "127.0.0.1") + path, {
        headers: { "x-api-key": TEST_KEY },
      })
    ).json() as Promise<
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
      any
    >;
  /** One settlement delay of the demo's tests. */
  const advance = () =>
    fetch(`${demo.baseUrl.replace("localhost", "127.0.0.1")}/sandbox/clock/advance`, {
      method: "POST",
      headers: { "x-api-key": TEST_KEY, "content-type": "application/json" },
      body: JSON.stringify({ seconds: 3600 }),
    });
  const orderId = () => new URL(visit.page.url()).pathname.split("/")[2] ?? "";
  const transactionsOf = async () => (await get(`/transactions?reference=${orderId()}`)).transactions;
  const payByCard = async () => {
    const checkout = checkoutPage(visit.page);
    await checkout.waitFor("ready");
    await checkout.fill({ name: "Ann Lee" });
    return checkout;
  };

  test("embedded checkout: the webhook marks the order as paid, and its page can refund it", async () => {
    await visit.tryStop("Embedded checkout");
    await visit.press("Continue to payment");
    await (await payByCard()).pay();
    await visit.untilOrder("paid");
    const [transaction] = await transactionsOf();
    assert.equal(transaction.payment.amount, 1850 + 750, "coffee and shipping, priced by the server");
    await eventually("the page shows the webhook", async () => {
      await visit.page.reload();
      return /payment_requests looked up/.test((await visit.page.locator(".news").textContent()) ?? "");
    });
    await visit.press("Refund this order");
    await visit.untilOrder("refunding");
    await visit.press("Sandbox: let the bank answer now");
    await visit.untilOrder("refunded");
    assert.equal((await transactionsOf())[0].payment.refundedAmount, 2600);
  });

  test("wallets: Apple Pay is offered on the shop's registered domain, and pays", async () => {
    await visit.tryStop("Apple Pay and Google Pay");
    await visit.press("Continue to payment");
    const { frame } = checkoutPage(visit.page);
    await frame.getByRole("button", { name: "Google Pay" }).waitFor();
    await frame.getByRole("button", { name: "Apple Pay" }).click();
    await frame.getByRole("button", { name: "Confirm" }).click();
    await visit.untilOrder("paid");
    assert.equal((await transactionsOf())[0].category.source, "apple_pay");
  });

  test("a decline shows its reason and leaves the order open; another way to pay cancels the previous request", async () => {
    await visit.buy("Declined", "Card or wallet");
    await visit.press("Continue to payment");
    const checkout = await payByCard();
    await checkout.pay();
    await checkout.waitFor("declined");
    assert.match(await checkout.words(), /try once more/);
    await checkout.fill();
    await checkout.pay();
    await visit.untilOrder("declined");
    assert.match(await visit.words(), /The bank's reason: insufficient funds\./);
    await visit.choose("PayID");
    await visit.press("Show the PayID");
    await visit.untilOrder("open");
    await visit.choose("Hosted page");
    await visit.press("Go to the payment page");
    await hostedPage(visit.page).waitFor("ready");
    const { paymentRequests } = await get("/paymentrequests?limit=2");
    assert.deepEqual(
      paymentRequests.map((one: { paymentRequestStatus: string }) => one.paymentRequestStatus),
      ["created", "cancelled"],
    );
  });

  test("hosted page: after a decline, a retry is approved and leads back to the shop", async () => {
    await visit.buy("Second time lucky", "Hosted page");
    await visit.press("Go to the payment page");
    const hosted = hostedPage(visit.page);
    await hosted.waitFor("ready");
    assert.match(await visit.page.locator("body").innerText(), /Driftwood Coffee/);
    await hosted.fill();
    await hosted.pay();
    await hosted.waitFor("declined");
    await hosted.fill();
    await hosted.pay();
    await visit.untilOrder("paid");
    assert.ok(visit.page.url().startsWith(`${demo.shopUrl}/orders/`));
  });

  test("a card is saved with consent, and charged again without the payer", async () => {
    await visit.tryStop("Saved card");
    await visit.press("Continue and save");
    const checkout = await payByCard();
    assert.match(await checkout.words(), /By paying, you let .* store this card/);
    await checkout.pay();
    await visit.untilOrder("paid");
    await visit.page.getByRole("link", { name: "Account" }).click();
    assert.match(await visit.words(), /from your Visa ending in 1111/);
    await visit.press("Charge the next month now");
    await visit.untilOrder("paid");
    const [transaction] = await transactionsOf();
    assert.equal(transaction.category.frequency, "recurring");
    assert.ok(transaction.payment.instrument.customer.paymentInstrumentId);
  });

  test("a returning customer pays in the frame with the saved card and its security code", async () => {
    await visit.tryStop("Returning customer");
    await visit.press("Continue to payment");
    const checkout = checkoutPage(visit.page);
    await checkout.waitFor("ready");
    assert.equal(await checkout.frame.getByRole("radio", { name: /^Visa ending in 1111/ }).isChecked(), true);
    await checkout.code.fill("123");
    await checkout.pay();
    await visit.untilOrder("paid");
    const [transaction] = await transactionsOf();
    assert.ok(transaction.payment.instrument.customer.paymentInstrumentId);
  });

  test("a card is saved without a charge, and the subscription uses it", async () => {
    await visit.page.goto(`${demo.shopUrl}/account`);
    await visit.press("Save another card without paying");
    const checkout = checkoutPage(visit.page);
    await checkout.waitFor("ready");
    await checkout.fill({ number: "5555555555554444" });
    await checkout.frame.getByRole("button", { name: "Save card" }).click();
    await visit.page.waitForURL(`${demo.shopUrl}/account`);
    assert.match(await visit.words(), /from your Mastercard ending in 4444/);
  });

  test("after a decline in the frame the second attempt is approved", async () => {
    await visit.tryStop("Another attempt in the frame");
    await visit.press("Continue to payment");
    const checkout = checkoutPage(visit.page);
    await checkout.waitFor("ready");
    await checkout.code.fill("123");
    await checkout.pay();
    await checkout.waitFor("declined");
    await checkout.code.fill("123");
    await checkout.pay();
    await visit.untilOrder("paid");
    assert.equal((await transactionsOf()).length, 2);
  });

  test("direct debit: a wrong field shows its error; a debit is pending until a webhook settles it", async () => {
    await visit.tryStop("Direct debit");
    await visit.page.getByLabel("BSB").fill("12");
    await visit.press("Debit $25.40");
    assert.match(await visit.words(), /Enter the 6 digits of the BSB/);
    assert.equal(await visit.page.getByLabel("BSB").getAttribute("aria-invalid"), "true");
    await visit.page.getByLabel("BSB").fill("062000");
    await visit.press("Debit $25.40");
    await visit.untilOrder("pending");
    assert.equal((await transactionsOf())[0].result.status, "pending");
    await visit.press("Sandbox: let the bank answer now");
    await visit.untilOrder("paid");
  });

  test("PayID: the page shows the PayID, and updates once it is paid in the bank app", async () => {
    await visit.tryStop("PayID");
    await visit.press("Show the PayID");
    await visit.untilOrder("open");
    assert.match(await visit.words(), new RegExp(`${orderId()}@payid`));
    const opening = context.waitForEvent("page");
    await visit.page.getByRole("link", { name: "Open the sandbox's bank app" }).click();
    const bankApp = await opening;
    await bankApp.getByRole("button", { name: "Pay" }).click();
    await bankApp.locator('main[data-state="approved"]').waitFor({ state: "attached" });
    await bankApp.close();
    await visit.untilOrder("paid");
    assert.equal((await transactionsOf())[0].category.source, "payid");
  });

  test("webhooks: an unsigned one is refused, and a repeated one changes nothing", async () => {
    const shop = demo.shopUrl.replace("localhost", "127.0.0.1");
    const forged = await fetch(`${shop}/webhooks`, {
      method: "POST",
      body: JSON.stringify({ id: "evt_1", event: "transactions", reference: orderId(), payload: {} }),
      headers: { "x-signature": "00".repeat(32) },
    });
    assert.equal(forged.status, 401);
    const { events } = await get("/events?event=transactions&limit=1");
    await fetch(`${demo.baseUrl.replace("localhost", "127.0.0.1")}/events/${events[0].id}/redeliver`, {
      method: "POST",
      headers: { "x-api-key": TEST_KEY },
    });
    await eventually("the page shows the repeat", async () => {
      await visit.page.reload();
      return /transactions repeat/.test((await visit.page.locator(".news").textContent()) ?? "");
    });
    assert.equal(await visit.page.locator("main").getAttribute("data-state"), "paid");
  });

  test("its pages are accessible, light and dark", async () => {
    const order = visit.page.url();
    await visit.page.reload();
    await assertAccessible(visit.page.mainFrame(), "order, light");
    await visit.page.emulateMedia({ colorScheme: "dark" });
    await visit.page.goto(demo.shopUrl);
    await assertAccessible(visit.page.mainFrame(), "front, dark");
    await visit.tryStop("Direct debit");
    await visit.page.getByLabel("BSB").fill("12");
    await visit.press("Debit $25.40");
    await assertAccessible(visit.page.mainFrame(), "basket with a problem, dark");
    await visit.page.goto(order);
  });

  test("an order is visible to its payer only, and a form of another site is refused", async () => {
    const path = new URL(visit.page.url()).pathname;
    const shop = demo.shopUrl.replace("localhost", "127.0.0.1");
    assert.equal((await fetch(shop + path)).status, 404);
    const foreign = { method: "POST", headers: { origin: "https://elsewhere.example" } };
    assert.equal((await fetch(`${shop}${path}/refund`, foreign)).status, 403);
    assert.deepEqual(errors, [], "no policy violation and no script error");
  });

  test("a dispute arrives by webhook, and evidence wins it", async () => {
    await visit.tryStop("A dispute");
    await visit.press("Continue to payment");
    const checkout = checkoutPage(visit.page);
    await checkout.waitFor("ready");
    await checkout.code.fill("123");
    await checkout.pay();
    await visit.untilOrder("paid");
    await advance();
    await visit.untilOrder("disputed");
    await visit.press("Send the evidence");
    await visit.page.getByText("The payer's bank looks at your evidence").waitFor();
    await advance();
    await visit.untilOrder("paid");
  });

  test("Ctrl-C stops gateway and shop", async () => {
    assert.equal(await demo.interrupt(), 0, demo.output());
    for (const url of [demo.shopUrl, demo.baseUrl, demo.hostedUrl]) {
      await assert.rejects(fetch(url.replace("localhost", "127.0.0.1")));
    }
    assert.ok(!demo.output().includes(TEST_KEY), "the key is not printed");
  });
});
