import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callApi, createRequest, getTransaction, ok, payOnce } from "../support/checkout.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { debit, runSettlements } from "../support/debits.ts";
import { startReceiver } from "../support/receiver.ts";

const visit = visitDashboard("admin");
const press = (name: string | RegExp) => visit().page.getByRole("button", { name }).first().press("Enter");
const follow = (name: string | RegExp) => visit().page.getByRole("link", { name }).first().press("Enter");
const says = (words: string | RegExp) => visit().page.getByText(words).first().waitFor();

describe("issue 9: every other room of the dashboard, by keyboard", () => {
  test("a payout shows its movements, and gives them as CSV", async () => {
    const { page, shop, base, accessible } = visit();
    await debit(shop, 2500);
    await runSettlements(shop);
    await page.goto(`${base}/payouts`);
    await accessible("payouts");
    await page.locator("main table a").first().press("Enter");
    await page.getByRole("heading", { name: /^Payout of / }).waitFor();
    await accessible("payout");
    const [download] = await Promise.all([page.waitForEvent("download"), follow("All movements as CSV")]);
    assert.match(download.suggestedFilename(), /^po\w*_\w+\.csv$/);
  });

  test("a customer's account is deleted after a question", async () => {
    const { page, base, accessible } = visit();
    await page.goto(`${base}/customers`);
    await accessible("customers");
    await page.locator("main table a").first().press("Enter");
    await page.getByRole("heading", { name: "Payment instruments" }).waitFor();
    await accessible("customer");
    await follow(/^Delete /);
    await page.getByRole("heading", { name: /^Delete .* account .*\?$/ }).waitFor();
    await accessible("the question");
    await press("Delete the instrument");
    await says("The instrument is deleted.");
    await says("This customer has stored nothing.");
  });

  test("an authorisation is released, a request cancelled, and refunds are listed", async () => {
    const { page, shop, base, accessible } = visit();
    const { transactionId } = await payOnce(shop, { amount: 5000, category: { captureType: "manual" } });
    await page.goto(`${base}/transactions/${transactionId}`);
    await follow("Cancel the authorisation");
    await page.getByRole("heading", { name: "Cancel the authorisation of $50.00?" }).waitFor();
    await press("Cancel the authorisation");
    await says("The acquirer was told to release the money.");
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "voided");
    const request = await createRequest(shop, { amount: 3000, reference: "order-9" });
    await page.goto(`${base}/payment-requests`);
    await accessible("payment requests");
    await follow("order-9");
    await follow("Cancel the request");
    await press("Cancel the request");
    await says("The payment request is cancelled.");
    const { paymentRequestStatus } = ok(await callApi(shop, "GET", `/paymentrequests/${request.id}`));
    assert.equal(paymentRequestStatus, "cancelled");
    await page.goto(`${base}/refunds`);
    await accessible("refunds, none yet");
  });

  test("webhooks: subscribed, pinged, disabled, deleted; key shown and replaced; credentials kept", async () => {
    const { page, base, accessible } = visit();
    const receiver = await startReceiver();
    await page.goto(`${base}/webhooks`);
    await accessible("webhooks");
    await page.getByLabel("Event", { exact: true }).selectOption("customers");
    await page.getByLabel("Address").fill(receiver.url);
    await press("Subscribe");
    await says("Every event of customers from now on is posted to that address.");
    await press(/^Send a ping/);
    await says(/The ping was acknowledged: HTTP 200/);
    await page.goto(`${base}/webhooks`);
    await press("Show the key");
    await page.getByRole("heading", { name: "Signing key" }).waitFor();
    await accessible("the signing key");
    await follow("Done");
    await follow("Replace it");
    await press("Replace the key");
    await follow("Done");
    await page.getByLabel("User name").fill("shop");
    await page.getByLabel("Password").fill("a word between us");
    await press("Save");
    await says("Deliveries carry these credentials.");
    await follow("Change customers");
    await page.getByLabel("Address").fill("http://10.0.0.1/");
    await press("Save");
    await page.locator("#p-url").waitFor();
    assert.equal(await page.getByLabel("Address").inputValue(), "http://10.0.0.1/", "what was typed stays");
    await accessible("a subscription, refused");
    await page.getByLabel("Address").fill(`${receiver.url}/new`);
    await press("Save");
    await says(/posted to the new address/);
    await follow("Disable");
    await accessible("the question");
    await press("Disable the subscription");
    await says("The subscription is disabled.");
    await press("Enable");
    await says("The subscription is enabled");
    await follow("Delete");
    await press("Delete the subscription");
    await says("The subscription is deleted.");
  });

  test("events are listed, opened, and delivered again by the hour", async () => {
    const { page, shop, base, accessible } = visit();
    const receiver = await startReceiver();
    ok(await callApi(shop, "POST", "/webhooks", { event: "payment_requests", url: receiver.url }));
    await page.goto(`${base}/events`);
    await accessible("events");
    await follow("Deliver a stretch of time again");
    await accessible("which stretch");
    await press("Continue");
    await page.getByRole("heading", { name: "Deliver these events again?" }).waitFor();
    await accessible("how much it is");
    await press(/^Send [1-9]\d* deliver(y|ies) again$/);
    await says(/^[1-9]\d* deliver(y is|ies are) on (its|their) way again\.$/);
    await receiver.until(1);
    await page.goto(`${base}/events`);
    await page.locator("main table a").first().press("Enter");
    await page.getByText('"payload"').first().waitFor();
    await accessible("event");
  });

  test("a key is revoked after a question, and works no more", async () => {
    const { page, base, gateway } = visit();
    await page.goto(`${base}/keys`);
    await press("Create key");
    const key = (await page.locator('[data-copy="the API key"]').textContent()) ?? "";
    await follow("I have copied it");
    await follow(new RegExp(`^Revoke.*${key.slice(-4)}`));
    await press("Revoke the key");
    await says("The key is revoked");
    assert.equal((await gateway.get("/management/account", { key })).status, 401);
  });

  test("somebody is invited, gets another role, is disabled, enabled again and removed", async () => {
    const { page, gateway, accessible } = visit();
    await page.goto(`${gateway.baseUrl}/dashboard/users`);
    await accessible("users");
    await page.getByLabel("Name", { exact: true }).fill("Hemi");
    await page.getByLabel("E-mail address").fill("hemi@shop.example");
    await press("Make an invitation");
    await page.getByText(/\/dashboard\/welcome#/).waitFor();
    await follow("Done");
    await follow("Hemi");
    await accessible("user");
    await page.getByLabel("Role").selectOption("staff");
    await press("Change role");
    await says("Hemi is staff from now on, also where they are signed in.");
    await follow("Disable");
    await press("Disable Hemi");
    await says("Hemi can't sign in any more.");
    await press("Enable");
    await says("Hemi can sign in again.");
    await follow("Remove");
    await accessible("the question");
    await press("Remove Hemi");
    await says("Hemi is removed.");
    await page.goto(`${gateway.baseUrl}/dashboard/account`);
    await accessible("account");
  });

  test("nothing was stopped by the policy, and no script failed", () => {
    const { troubles } = visit();
    assert.deepEqual(troubles, []);
  });
});
