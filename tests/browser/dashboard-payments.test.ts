import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callApi, getTransaction, ok, payOnce } from "../support/checkout.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/receiver.ts";

const visit = visitDashboard("staff");
const press = (name: string | RegExp) => visit().page.getByRole("button", { name }).press("Enter");

describe("payments in the dashboard, by keyboard", () => {
  test("the overview shows charts with their numbers, and links to a filtered list", async () => {
    const { page, shop, base, accessible } = visit();
    await payOnce(shop, { amount: 12_850, reference: "order-1" });
    await payOnce(shop, { amount: 14_451, reference: "order-2" });
    await page.goto(base);
    await accessible("overview");
    const plot = page.getByRole("img", { name: /Volume by day/ });
    assert.match((await plot.getAttribute("aria-labelledby")) ?? "", /about/);
    await page.getByText("Numbers").first().press("Enter");
    await page.getByRole("cell", { name: "$128.50" }).waitFor();
    await page.getByRole("link", { name: "24 hours" }).press("Enter");
    await page.waitForURL(/period=24h/);
    await page.getByRole("link", { name: "Insufficient funds" }).press("Enter");
    await page.getByRole("link", { name: "order-2" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "order-1" }).count(), 0);
    await accessible("list");
    await page.getByLabel("Search").fill("order-1");
    await page.getByLabel("Status").selectOption("");
    await page.goto(`${base}/transactions?q=order-1`);
    await page.getByRole("link", { name: "order-1" }).press("Enter");
    await page.getByRole("heading", { name: "Transaction order-1" }).waitFor();
    await accessible("timeline");
  });

  test("a refund needs a confirmation, and the timeline updates without a reload", async () => {
    const { page, shop, accessible } = visit();
    await page.getByRole("link", { name: "Refund", exact: true }).press("Enter");
    await page.getByLabel("Amount in dollars").fill("200");
    await press("Continue");
    await page.getByText("At most $128.50 is left to refund.").waitFor();
    await accessible("a problem beside its field");
    await page.getByLabel("Amount in dollars").fill("28.50");
    await press("Continue");
    await page.getByRole("heading", { name: "Refund $28.50 of transaction order-1?" }).waitFor();
    await accessible("confirm");
    await press("Refund $28.50");
    await page.getByRole("heading", { name: "Refund requested: $28.50" }).waitFor();
    const refreshed = page.waitForRequest((request) => request.headers()["tidegate-refresh"] === "1");
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    // No input: the page's script refreshes it, and says so.
    await page.getByRole("heading", { name: "Refund approved: $28.50" }).waitFor();
    await refreshed;
  });

  test("an authorisation can be captured, and its event redelivered", async () => {
    const { page, shop, base } = visit();
    const receiver = await startReceiver();
    ok(await callApi(shop, "POST", "/webhooks", { event: "transactions", url: receiver.url }));
    const { transactionId } = await payOnce(shop, { amount: 5000, category: { captureType: "manual" } });
    await page.goto(`${base}/transactions/${transactionId}`);
    await page.getByRole("link", { name: "Capture $50.00" }).press("Enter");
    await press("Continue");
    await press("Capture $50.00");
    await page.getByRole("heading", { name: "Captured $50.00" }).waitFor();
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "captured");
    const before = (await receiver.until(3)).length;
    await page.reload();
    await page.locator(".entry-event > summary").first().press("Enter");
    await page
      .getByRole("button", { name: /Deliver again/ })
      .first()
      .press("Enter");
    await page.getByText("on its way").waitFor();
    await receiver.until(before + 1);
  });

  test("the sandbox page makes a payment, simulates the bank and moves the clock", async () => {
    const { page, base, accessible } = visit();
    await page.goto(`${base}/sandbox`);
    await accessible("sandbox");
    await page
      .getByLabel("What should happen")
      .selectOption({ label: "PayID: waits for a transfer ($30.00)" });
    await press("Make the payment");
    await page.getByText("The PayID waits for its transfer.").waitFor();
    await page.goto(`${base}/sandbox`);
    await page.getByLabel("How much, and when").selectOption("short");
    await press("Transfer");
    await page.getByRole("heading", { name: "Transfer of $29.00 sent back" }).waitFor();
    await page.goto(`${base}/sandbox`);
    await press("Transfer");
    await page.getByRole("heading", { name: "Payment request completed" }).waitFor();
    await page.goto(`${base}/sandbox`);
    await page.getByLabel("What should happen").selectOption({ label: "Declined: expired card ($144.54)" });
    await press("Make the payment");
    await page.getByText("Expired card (D04454)").first().waitFor();
    await page.goto(`${base}/sandbox`);
    await press("Settle and pay out now");
    await page.getByText(/made [1-9]\d* payouts/).waitFor();
    await page.getByLabel("Ahead by").fill("2");
    await page.getByLabel("Unit").selectOption("days");
    await press("Move the clock ahead");
    await page.getByText("It is 2 days ahead of real time.").waitFor();
  });

  test("no page violates its policy, and no script fails", async () => {
    const { page, errors } = visit();
    await eventually("the page has loaded", async () => (await page.title()) !== "");
    assert.deepEqual(errors, []);
  });
});
