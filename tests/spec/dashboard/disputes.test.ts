import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { disputeOf } from "../../support/disputes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

describe("disputes on the dashboard", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let base: string;
  let staff: Visitor;
  let viewer: Visitor;
  let otherAdmin: Visitor;
  before(async () => {
    gateway = await startTestGateway();
    const [merchant, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    shop = shopOf(gateway, merchant.key);
    base = `/dashboard/${merchant.id}`;
    staff = await signedIn(gateway, { role: "staff", merchantId: merchant.id });
    viewer = await signedIn(gateway, { role: "viewer", merchantId: merchant.id });
    otherAdmin = await signedIn(gateway, { role: "admin", merchantId: other.id });
  });
  after(() => gateway.stop());

  const shown = async (path: string, visitor = staff) => {
    const page = await visitor.get(base + path);
    assert.equal(page.status, 200, page.text);
    return page.text;
  };
  const submitted = async (id: string, text: string) => {
    await shown(`/disputes/${id}`);
    return staff.submit(`${base}/disputes/${id}/evidence`, { text });
  };
  const statusOf = async (id: string) => ok(await callApi(shop, "GET", `/disputes/${id}`)).status;

  test("lists them with their state, exports them, and the transaction's page leads to its dispute", async () => {
    assert.match(await shown("/disputes"), /No payer disputes a payment/);
    const dispute = await disputeOf(shop, { reference: "order-9" });
    const list = await shown("/disputes?status=needs_response");
    for (const text of ["order-9", "needs response", "$144.90", "Fraudulent"]) assert.ok(list.includes(text));
    assert.doesNotMatch(await shown("/disputes?status=won"), /order-9/);
    assert.equal(
      (await staff.get(`${base}/disputes?q=${dispute.id}`)).goTo,
      `${base}/disputes/${dispute.id}`,
    );
    const file = (await shown("/disputes.csv")).split("\r\n");
    assert.match(
      file[1] ?? "",
      new RegExp(`^${dispute.id},${dispute.transactionId},order-9,.*,14490,AUD,needs_response,`),
    );
    assert.equal(file[2], "total,,,,,14490,AUD,1 row");
    const transaction = await shown(`/transactions/${dispute.transactionId}`);
    assert.match(transaction, />disputed</);
    const link = `/disputes?transaction=${dispute.transactionId}`;
    assert.ok(transaction.includes(base + link));
    assert.match(await shown(link), /order-9/);
  });

  test("is found by the metadata that it has from its payment", async () => {
    const dispute = await disputeOf(shop, { reference: "with-pairs", metadata: { shelf: "42" } });
    await disputeOf(shop, { reference: "with-others", metadata: { shelf: "43" } });
    for (const reference of ["with-pairs", "with-others"])
      assert.ok((await shown("/disputes")).includes(reference));
    for (const query of [
      "q=shelf%3D42",
      "metadata=shelf%3D42",
      "metadata=shelf%3D42&status=needs_response",
    ]) {
      const list = await shown(`/disputes?${query}`);
      assert.match(list, /with-pairs/);
      assert.match(list, /1 dispute</);
      assert.doesNotMatch(list, /with-others/);
      const file = (await shown(`/disputes.csv?${query}`)).split("\r\n");
      assert.deepEqual([file[1]?.split(",")[0], file[2]?.split(",")[0]], [dispute.id, "total"]);
    }
    assert.doesNotMatch(await shown("/disputes?q=shelf%3D4"), /with-/);
    assert.match(await shown(`/disputes/${dispute.id}`), /shelf[\s\S]*42/);
  });

  test("evidence is sent once; its problem stands beside the field", async () => {
    const { id } = await disputeOf(shop, {});
    const path = `${base}/disputes/${id}`;
    const wrong = await submitted(id, "x".repeat(5001));
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /Send 1 to 5,000 characters/);
    assert.equal(await statusOf(id), "needs_response");
    const filling = "x".repeat(5000 - "Delivered <b>yes</b>\nand signed for".length);
    const sent = await submitted(id, `Delivered <b>yes</b>\r\nand signed for${filling}`);
    assert.equal(sent.goTo, path);
    const page = await shown(`/disputes/${id}`);
    assert.match(page, /<p class="lines">Delivered &lt;b&gt;yes&lt;\/b&gt;\nand signed for/);
    assert.doesNotMatch(page, /Send evidence/);
  });

  test("evidence that comes too late is refused in words, and what was typed stays on the page", async () => {
    const { id } = await disputeOf(shop, {});
    await shown(`/disputes/${id}`);
    ok(await callApi(shop, "POST", `/disputes/${id}/accept`));
    const text = "Signed for <by> the payer";
    const late = await staff.submit(`${base}/disputes/${id}/evidence`, { text });
    assert.equal(late.status, 409);
    assert.match(
      late.text,
      /class="notice notice-bad"[^>]*>Send evidence for, or accept, a dispute whose status is needs_response/,
    );
    assert.ok(late.text.includes("Signed for &lt;by&gt; the payer"));
    assert.doesNotMatch(await shown(`/disputes/${id}`), /Not sent|Signed for/);
  });

  test("a dispute is accepted after a confirmation", async () => {
    const { id } = await disputeOf(shop, {});
    const path = `${base}/disputes/${id}`;
    assert.match(await shown(`/disputes/${id}/accept`), /the payer keeps \$144\.90/);
    assert.equal(await statusOf(id), "needs_response");
    assert.equal((await staff.submit(`${path}/accept`)).goTo, path);
    assert.equal(await statusOf(id), "accepted");
  });

  test("a viewer sees it and can't respond; another merchant's user sees nothing", async () => {
    const { id } = await disputeOf(shop, {});
    assert.doesNotMatch(await shown(`/disputes/${id}`, viewer), /Send evidence/);
    assert.equal((await viewer.get(`${base}/disputes/${id}/accept`)).status, 403);
    for (const path of [`/disputes/${id}`, "/disputes", "/disputes.csv"]) {
      assert.equal((await otherAdmin.get(base + path)).status, 404);
    }
    assert.equal(await statusOf(id), "needs_response");
  });
});
