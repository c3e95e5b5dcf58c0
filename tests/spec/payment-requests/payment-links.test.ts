import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { Refusal } from "../../../src/kernel/refusal.ts";
import { inspectLogo } from "../../../src/platform/images/inspect-logo.ts";
import { callApi, ok, shopOf } from "../../support/checkout.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { tryCommand, wordsOf } from "../../support/typed-command.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => assertInvariantsAndStop(gateway));

const newest = async () => ok(await gateway.get("/paymentrequests?limit=1")).paymentRequests[0];
/** In days; the clock moves on between the two times. */
const lifeOf = ({ createdDateTime, expiryDateTime }: Record<string, string>) =>
  Math.round((Date.parse(expiryDateTime ?? "") - Date.parse(createdDateTime ?? "")) / DAY_MS);

describe("contract 3: tidegate link create", () => {
  test("prints the URL of a hosted page, on which a payer pays", async () => {
    const { code, output } = await tryCommand(gateway, "link", "create", "--amount", "3000", "--json");
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(output), ["url"]);
    const made = await newest();
    assert.equal(made.hostedPaymentPage.url, output.url);
    assert.deepEqual([made.payment, lifeOf(made)], [{ amount: 3000, currencyCode: "AUD" }, 30]);
    assert.equal((await visitPage(gateway, output.url)).state, "ready");
    const sent = await visitPage(gateway, output.url, CARD_FORM);
    assert.equal((await visitPage(gateway, sent.location ?? "")).state, "approved");
    const { logo } = ok(await gateway.get(`/paymentrequests/${made.id}`)).hostedPaymentPage;
    assert.equal(inspectLogo(logo), undefined, "the logo passes the rules of logos");
  });

  test("with several merchants it is the first start's sandbox merchant's, or that of --merchant", async () => {
    const other = await gateway.newMerchant();
    await gateway.newMerchant({ mode: "live" });
    const create = ["link", "create", "--amount", "3100", "--json"];
    const { code, output } = await tryCommand(gateway, ...create);
    assert.equal(code, 0);
    assert.equal((await newest()).hostedPaymentPage.url, output.url);
    const named = await tryCommand(gateway, ...create, "--merchant", other.id);
    assert.notEqual((await newest()).hostedPaymentPage.url, named.output.url);
    const [theirs] = ok(await callApi(shopOf(gateway, other.key), "GET", "/paymentrequests")).paymentRequests;
    assert.equal(theirs.hostedPaymentPage.url, named.output.url);
  });

  test("runs as docs/guides/hosted-page.md shows it", async () => {
    const guide = await readFile(new URL("../../../docs/guides/hosted-page.md", import.meta.url), "utf8");
    const line = /^(?:npx )?tidegate (link create .*)$/m.exec(guide)?.[1] ?? "";
    assert.equal((await tryCommand(gateway, ...wordsOf(line))).code, 0);
    const { payment, ...made } = await newest();
    assert.deepEqual([payment.amount, payment.description, lifeOf(made)], [3000, "Invoice 88", 7]);
  });

  test("takes a description, a reference, a currency and days, at both sides of their limits", async () => {
    const create = (...words: string[]) => tryCommand(gateway, "link", "create", ...words);
    const words = ["--description", "Invoice 88 <b>", "--reference", "inv-88", "--currency", "NZD"];
    assert.equal((await create("--amount", "1", "--days", "90", ...words)).code, 0);
    const made = await newest();
    assert.deepEqual(made.payment, { amount: 1, currencyCode: "NZD", description: "Invoice 88 <b>" });
    assert.deepEqual([made.reference, lifeOf(made), made.hostedPaymentPage.attempts], ["inv-88", 90, 3]);
    assert.equal((await create("--amount", "99999999999", "--days", "1")).code, 0);
    for (const wrong of [
      ["--amount", "0"],
      ["--amount", "100000000000"],
      ["--amount", "3.5"],
      ["--amount", "1", "--days", "0"],
      ["--amount", "1", "--days", "91"],
      ["--amount", "1", "--currency", "EUR"],
    ])
      assert.equal((await create(...wrong)).code, 2, wrong.join(" "));
    await assert.rejects(create("--amount", "1", "--reference", "x".repeat(65)), Refusal);
    await assert.rejects(create("--amount", "1", "--description", "x".repeat(256)), Refusal);
  });
});

describe("payment links on the dashboard", () => {
  let staff: Visitor;
  let base: string;
  let key: string;
  before(async () => {
    const merchant = await gateway.newMerchant();
    key = merchant.key;
    staff = await signedIn(gateway, { role: "staff", merchantId: merchant.id });
    base = `/dashboard/${merchant.id}`;
  });

  test("a form makes a link, and its page shows it with a QR code and as text to copy", async () => {
    assert.match((await staff.get(`${base}/payment-requests`)).text, /payment-links\/new">New payment link</);
    await staff.get(`${base}/payment-links/new`);
    const fields = { amount: "49.50", description: "Invoice 88", reference: "inv-88", days: "7" };
    const page = await staff.follow(await staff.submit(`${base}/payment-links/new`, fields));
    const [made] = ok(await callApi(shopOf(gateway, key), "GET", "/paymentrequests")).paymentRequests;
    assert.deepEqual([made.payment.amount, made.reference, lifeOf(made)], [4950, "inv-88", 7]);
    assert.match(page.text, /aria-label="QR code of the payment link"/);
    const { url } = made.hostedPaymentPage;
    assert.ok(page.text.includes(`<code data-copy="the payment link">${url}</code>`));
    assert.match(page.text, /\$49\.50 AUD/);
    const own = await staff.get(`${base}/payment-requests/${made.id}`);
    assert.match(own.text, /\/link">Link and QR code</);
  });

  test("a wrong form says what is wrong and makes nothing", async () => {
    const count = async () => ok(await callApi(shopOf(gateway, key), "GET", "/paymentrequests")).count;
    const before = await count();
    for (const [fields, words] of [
      [{ amount: "x" }, /Type an amount such as/],
      [{ amount: "1", days: "91" }, /Choose 1 to 90 days/],
      [{ amount: "1", reference: "x".repeat(65) }, /f-reference-problem|64/],
    ] as const) {
      await staff.get(`${base}/payment-links/new`);
      const page = await staff.submit(`${base}/payment-links/new`, fields);
      assert.equal(page.status, 400);
      assert.match(page.text, words);
    }
    assert.equal(await count(), before);
  });

  test("is no page of a request without a hosted page, of another merchant, or for a viewer's form", async () => {
    const request = { payment: { amount: 1 }, paymentMethods: ["card"], transactionRequest: {} };
    const { id } = ok(await callApi(shopOf(gateway, key), "POST", "/paymentrequests", request));
    assert.equal((await staff.get(`${base}/payment-requests/${id}/link`)).status, 404);
    const foreign = await newest();
    assert.equal((await staff.get(`${base}/payment-requests/${foreign.id}/link`)).status, 404);
    const viewer = await signedIn(gateway, { role: "viewer", merchantId: base.split("/")[2] ?? "" });
    assert.equal((await viewer.get(`${base}/payment-links/new`)).status, 403);
    assert.doesNotMatch((await viewer.get(`${base}/payment-requests`)).text, /New payment link/);
  });
});
