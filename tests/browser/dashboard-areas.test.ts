import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stretched } from "../support/browser.ts";
import { callApi, createRequest, getTransaction, ok, payOnce } from "../support/checkout.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { debit, runSettlements } from "../support/debits.ts";
import { disputeOf } from "../support/disputes.ts";
import { readQr } from "../support/read-qr.ts";
import { startReceiver } from "../support/receiver.ts";

const visit = visitDashboard("admin");
const press = (name: string | RegExp) => visit().page.getByRole("button", { name }).first().press("Enter");
const follow = (name: string | RegExp) => visit().page.getByRole("link", { name }).first().press("Enter");
const shows = (text: string | RegExp) => visit().page.getByText(text).first().waitFor();

describe("the other areas of the dashboard, by keyboard", () => {
  test("a payout shows its operations, and exports them as CSV", async () => {
    const { page, shop, base, accessible } = visit();
    await debit(shop, 2500);
    await runSettlements(shop);
    await page.goto(`${base}/payouts`);
    await accessible("payouts");
    const [list] = await Promise.all([page.waitForEvent("download"), press("Export as CSV")]);
    assert.equal(list.suggestedFilename(), "payouts.csv");
    await page.locator("main tbody a").first().press("Enter");
    await page.getByRole("heading", { name: /^Payout of / }).waitFor();
    await accessible("payout");
    const [download] = await Promise.all([page.waitForEvent("download"), follow("All lines as CSV")]);
    assert.match(download.suggestedFilename(), /^po\w*_\w+\.csv$/);
  });

  test("a dispute is answered with evidence, and another is accepted", async () => {
    const { page, shop, base, accessible } = visit();
    const dispute = await disputeOf(shop, { reference: "contested" });
    await page.goto(`${base}/disputes`);
    await accessible("disputes");
    await follow("contested");
    await page.getByRole("heading", { name: "Dispute contested" }).waitFor();
    await accessible("a dispute");
    await page.getByLabel("Evidence").fill("Delivered on 3 May.\nSigned for.");
    await press("Send evidence");
    await shows("The evidence is sent. The payer's bank reviews it.");
    await shows("Delivered on 3 May. Signed for.");
    assert.equal(ok(await callApi(shop, "GET", `/disputes/${dispute.id}`)).status, "under_review");
    const other = await disputeOf(shop);
    await page.goto(`${base}/disputes/${other.id}`);
    await follow("Accept the dispute");
    await page.getByRole("heading", { name: "Accept the dispute of $144.90?" }).waitFor();
    await press("Accept the dispute");
    await shows("The dispute is accepted.");
  });

  test("a payment link is created, copied and read from its QR code, and a payer opens it", async () => {
    const { page, shop, base, accessible } = visit();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(stretched(2_000, 30_000));
    await page.goto(`${base}/payment-requests`);
    await follow("New payment link");
    await page.getByLabel("Amount in dollars").fill("49.50");
    await page.getByLabel("Description").fill("Invoice 88");
    await accessible("the form of a payment link");
    await press("Create the link");
    await page.getByRole("heading", { name: "Send this link to the payer" }).waitFor();
    await accessible("a payment link");
    await press("Copy the payment link");
    await page.getByText("Copied", { exact: true }).waitFor();
    const [made] = ok(await callApi(shop, "GET", "/paymentrequests?limit=1")).paymentRequests;
    const { url } = made.hostedPaymentPage;
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), url);
    const code = page.getByRole("img", { name: "QR code of the payment link" });
    const size = Number((await code.getAttribute("viewBox"))?.split(" ").at(-1));
    const path = (await code.locator("path").getAttribute("d")) ?? "";
    assert.equal(readQr({ size, path }), url);
    const payer = await page.context().newPage();
    await payer.goto(url);
    await payer.getByText("Invoice 88").first().waitFor();
    await payer.getByRole("button", { name: "Pay $49.50" }).waitFor();
    await payer.close();
  });

  test("a customer's account is deleted after a confirmation", async () => {
    const { page, base, accessible } = visit();
    await page.goto(`${base}/customers`);
    await accessible("customers");
    await page.locator("main tbody a").first().press("Enter");
    await page.getByRole("heading", { name: "Payment instruments" }).waitFor();
    await accessible("customer");
    await follow(/^Delete /);
    await page.getByRole("heading", { name: /^Delete .* account .*\?$/ }).waitFor();
    await accessible("the confirmation");
    await press("Delete the instrument");
    await shows("The instrument is deleted.");
    await shows("This customer has stored nothing.");
  });

  test("an authorisation can be voided, a request cancelled, and refunds are listed", async () => {
    const { page, shop, base, accessible } = visit();
    const { transactionId } = await payOnce(shop, { amount: 5000, category: { captureType: "manual" } });
    await page.goto(`${base}/transactions/${transactionId}`);
    await follow("Cancel the authorisation");
    await page.getByRole("heading", { name: "Cancel the authorisation of $50.00?" }).waitFor();
    await press("Cancel the authorisation");
    await shows("The cancellation was sent to the acquirer.");
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "voided");
    const request = await createRequest(shop, { amount: 3000, reference: "order-9" });
    await page.goto(`${base}/payment-requests`);
    await accessible("payment requests");
    await follow("order-9");
    await follow("Cancel the request");
    await press("Cancel the request");
    await shows("The payment request is cancelled.");
    const { paymentRequestStatus } = ok(await callApi(shop, "GET", `/paymentrequests/${request.id}`));
    assert.equal(paymentRequestStatus, "cancelled");
    await page.goto(`${base}/refunds`);
    await accessible("refunds, none yet");
  });

  test("a subscription can be created, pinged, disabled and deleted; the signing key shown and replaced; credentials set", async () => {
    const { page, base, accessible } = visit();
    const receiver = await startReceiver();
    await page.goto(`${base}/webhooks`);
    await accessible("webhooks");
    await page.getByLabel("Event", { exact: true }).selectOption("customers");
    await page.getByLabel("Address").fill(receiver.url);
    await press("Subscribe");
    await shows("Subscribed to customers. Each event from now on is posted to that address.");
    await press(/^Send a ping/);
    await shows(/The ping was acknowledged: HTTP 200/);
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
    await shows("Deliveries carry these credentials.");
    await follow("Change customers");
    await page.getByLabel("Address").fill("http://10.0.0.1/");
    await press("Save");
    await page.locator("#p-url").waitFor();
    assert.equal(await page.getByLabel("Address").inputValue(), "http://10.0.0.1/", "the input is kept");
    await accessible("a subscription, refused");
    await page.getByLabel("Address").fill(`${receiver.url}/new`);
    await press("Save");
    await shows(/posted to the new address/);
    await follow("Disable");
    await accessible("the confirmation");
    await press("Disable the subscription");
    await shows("The subscription is disabled.");
    await press("Enable");
    await shows("The subscription is enabled");
    await follow("Delete");
    await press("Delete the subscription");
    await shows("The subscription is deleted.");
  });

  test("events are listed and opened, and those of a period can be redelivered", async () => {
    const { page, shop, base, accessible } = visit();
    const receiver = await startReceiver();
    ok(await callApi(shop, "POST", "/webhooks", { event: "payment_requests", url: receiver.url }));
    await page.goto(`${base}/events`);
    await accessible("events");
    await follow("Deliver a time range again");
    await accessible("the period");
    await press("Continue");
    await page.getByRole("heading", { name: "Deliver these events again?" }).waitFor();
    await accessible("the number of deliveries");
    await press(/^Send [1-9]\d* deliver(y|ies) again$/);
    await shows(/^[1-9]\d* deliver(y is|ies are) on (its|their) way again\.$/);
    await receiver.until(1);
    await page.goto(`${base}/events`);
    await page.locator("main tbody a").first().press("Enter");
    await page.getByText('"payload"').first().waitFor();
    await accessible("event");
  });

  test("a key is revoked after a confirmation, and is then refused", async () => {
    const { page, base, gateway } = visit();
    await page.goto(`${base}/keys`);
    await press("Create key");
    const key = (await page.locator('[data-copy="the API key"]').textContent()) ?? "";
    await follow("I have copied it");
    await follow(new RegExp(`^Revoke.*${key.slice(-4)}`));
    await press("Revoke the key");
    await shows("The key is revoked");
    assert.equal((await gateway.get("/management/account", { key })).status, 401);
  });

  test("a user can be invited, given another role, disabled, enabled and removed", async () => {
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
    await shows("Hemi is staff from now on, also where they are signed in.");
    await follow("Disable");
    await press("Disable Hemi");
    await shows("Hemi can't sign in any more.");
    await press("Enable");
    await shows("Hemi can sign in again.");
    await follow("Remove");
    await accessible("the confirmation");
    await press("Remove Hemi");
    await shows("Hemi is removed.");
    await page.goto(`${gateway.baseUrl}/dashboard/account`);
    await accessible("account");
  });

  test("no page violates its policy, and no script fails", () => {
    const { errors } = visit();
    assert.deepEqual(errors, []);
  });
});
