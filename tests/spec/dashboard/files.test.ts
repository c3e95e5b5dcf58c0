import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, getTransaction, ok, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { disputeOf } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPages } from "../../support/pages.ts";
import { type Receiver, startReceiver, withStatus } from "../../support/receiver.ts";
import { storedCard } from "../../support/stored-cards.ts";

describe("every list of the dashboard as a file", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let webhookId: string;
  let viewer: Visitor;
  let otherAdmin: Visitor;
  let base: string;
  before(async () => {
    gateway = await startTestGateway();
    const [merchant, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
    shop = shopOf(gateway, merchant.key);
    base = `/dashboard/${merchant.id}`;
    const url = "http://127.0.0.1:18999/unused";
    webhookId = ok(await callApi(shop, "POST", "/webhooks", { event: "transactions", url })).id;
    viewer = await signedIn(gateway, { role: "viewer", merchantId: merchant.id });
    otherAdmin = await signedIn(gateway, { role: "admin", merchantId: other.id });
  });
  after(() => gateway.stop());

  /** Points the webhook to a new receiver of this test. */
  async function startEndpoint(): Promise<Receiver> {
    const receiver = await startReceiver();
    ok(await callApi(shop, "PUT", `/webhooks/${webhookId}`, { url: receiver.url, status: "active" }));
    return receiver;
  }
  const shown = async (path: string) => {
    const page = await viewer.get(base + path);
    assert.equal(page.status, 200, page.text);
    return page.text;
  };

  test("every list offers a file with its rows and their number", async () => {
    await startEndpoint();
    const { id } = await storedCard(shop, { customerRequest: { name: "Ann Lee" } });
    const { transactionId } = await payOnce(shop);
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    await disputeOf(shop, {});
    for (const [path, column] of [
      ["/payment-requests", "flow"],
      ["/transactions", "source"],
      ["/refunds", "code"],
      ["/customers", "email"],
      ["/payouts", "payoutDate"],
      ["/disputes", "reason"],
      ["/events", "resourceId"],
      [`/webhooks/${webhookId}`, "httpStatus"],
      [`/customers/${id}`, "last4"],
    ] as const) {
      const file = await eventually(
        `a file at ${path}`,
        async () => /(?:href|formaction)="([^"]+)"(?: download)?>Export as CSV/.exec(await shown(path))?.[1],
      );
      const answer = await viewer.get(file);
      assert.equal(answer.status, 200, file);
      const lines = answer.text.split("\r\n");
      assert.ok(lines[0]?.split(",").includes(column), lines[0]);
      assert.match(lines.at(-2) ?? "", new RegExp(`^total,.*,${lines.length - 3} rows?(,|$)`));
      assert.ok(lines.length > 3, `${path} has rows`);
      assert.equal((await otherAdmin.get(file)).status, 404);
      assertLocalTimes(answer.text, file);
    }
  });

  /** The last column has the times of creation on Sydney's clocks. */
  function assertLocalTimes(text: string, file: string): void {
    const [head = "", ...lines] = text.trimEnd().split("\r\n");
    assert.ok(head.endsWith(",createdLocalTime"), `${file}: ${head}`);
    const rows = lines.filter((line) => !line.startsWith("total,"));
    assert.ok(rows.length > 0, file);
    const zone = new Intl.DateTimeFormat("en", { timeZone: "Australia/Sydney", timeZoneName: "longOffset" });
    for (const row of rows) {
      const created = Date.parse(/,(\d{4}-\d{2}-\d{2}T[\d:.]+Z),/.exec(row)?.[1] ?? "");
      const local = row.slice(row.lastIndexOf(",") + 1);
      assert.match(local, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+\d{2}:\d{2}$/, file);
      assert.equal(Date.parse(local), created - (created % 1_000), row);
      assert.ok(zone.format(created).endsWith(`GMT${local.slice(19)}`), row);
    }
  }

  test("a payout's files have times in the merchant's zone; the API's file has the columns that it had", async () => {
    await payOnce(shop);
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const id = /payouts\/(po_\w+)"/.exec(await shown("/payouts"))?.[1] ?? "";
    for (const file of ["statement", "lines"])
      assertLocalTimes(await shown(`/payouts/${id}/${file}.csv`), file);
    for (const path of [`/payouts/${id}.csv`, "/transactions.csv", "/refunds.csv"]) {
      const file = (await callApi(shop, "GET", path)).body as string;
      assert.match(file, /^id,transactionId,/, path);
      assert.doesNotMatch(file, /Local/, path);
    }
  });

  test("the line of totals has the sums of the screen, surcharges included", async () => {
    const merchant = await gateway.newMerchant();
    const own = shopOf(gateway, merchant.key);
    const surcharging = { enabled: true, rates: { visa: { percent: 10 } } };
    ok(await callApi(own, "PUT", "/management/account", { surcharging }));
    const owner = await signedIn(gateway, { role: "admin", merchantId: merchant.id });
    const reference = "surcharged";
    const { transactionId } = await payOnce(own, { amount: 3_000, reference }, { total: 3_300 });
    await payOnce(own, { amount: 1_000, reference }, { total: 1_100 });
    ok(await callApi(own, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 700 } }));
    await eventually("it is refunded", async () => {
      const { payment } = await getTransaction(own, transactionId);
      return payment.refundedAmount === 700;
    });
    const [page, file] = [
      await owner.get(`/dashboard/${merchant.id}/transactions?q=${reference}`),
      await owner.get(`/dashboard/${merchant.id}/transactions.csv?q=${reference}`),
    ];
    const sums = [
      ...page.text.matchAll(/<span class="muted">(\w+)<\/span> <strong>\$([\d.]+)<\/strong> AUD/g),
    ];
    assert.deepEqual(
      sums.map(([, head, sum]) => [head, sum]),
      [
        ["Amount", "44.00"],
        ["Captured", "44.00"],
        ["Refunded", "7.00"],
      ],
    );
    const [head = [], ...lines] = file.text.split("\r\n").map((line) => line.split(","));
    const last = lines.at(-2) ?? [];
    assert.deepEqual(
      ["id", "amount", "currencyCode", "status", "totalAmount", "refundedAmount"].map(
        (name) => last[head.indexOf(name)],
      ),
      ["total", "4000", "AUD", "2 rows", "4400", "700"],
    );
  });

  test("the file of events obeys the filters of the list, which shows their number", async () => {
    (await startEndpoint()).answer(withStatus(410));
    await payOnce(shop, { reference: "=order,1" });
    await eventually("a delivery has failed", async () =>
      /badge-bad">failed/.test(await shown("/events?delivery=failed")),
    );
    await eventually("no delivery waits", async () => {
      const rows = await gateway.database.rows("select 1 from deliveries where status = 'pending'");
      return rows.length === 0;
    });
    const pages = await readPages(async (cursor) =>
      ok(await callApi(shop, "GET", `/events?limit=100${cursor}`)),
    );
    const all: { id: string; event: string; created: string }[] = pages.flatMap(({ events }) => events);
    const failed = new Set(
      (
        await gateway.database.rows<{ id: string }>(
          "select distinct event_id as id from deliveries where status = 'failed'",
        )
      ).map(({ id }) => id),
    );
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Sydney" }).format(
      Date.parse(all[0]?.created ?? ""),
    );
    const fits: readonly [string, (one: { id: string; event: string }) => boolean][] = [
      ["", () => true],
      ["event=transactions", ({ event }) => event === "transactions"],
      ["delivery=failed", ({ id }) => failed.has(id)],
      ["delivery=failed&event=transactions", (one) => failed.has(one.id) && one.event === "transactions"],
      [
        "delivery=failed&event=payment_requests",
        (one) => failed.has(one.id) && one.event === "payment_requests",
      ],
      ["event=payouts&delivery=failed&from=2020-01-01&to=2020-01-02", () => false],
      [`from=${today}&event=transactions`, ({ event }) => event === "transactions"],
      ["to=2020-01-01", () => false],
    ];
    for (const [query, isMeant] of fits) {
      const expected = all.filter(isMeant).map(({ id }) => id);
      const file = await viewer.get(`${base}/events.csv?${query}`);
      const lines = file.text.split("\r\n").slice(1, -1);
      const rows = lines.filter((line) => !line.startsWith("total,"));
      assert.deepEqual(
        rows.map((line) => line.split(",")[0]),
        expected,
        query,
      );
      const page = await shown(`/events?${query}`);
      const shownIds = [...page.matchAll(/events\/(evt_\w+)"/g)].map(([, id]) => id);
      assert.deepEqual(shownIds, expected.slice(0, 25), query);
      if (query !== "" && expected.length > 0)
        assert.ok(page.includes(`${expected.length} event${expected.length === 1 ? "" : "s"}<`), query);
    }
    const { text } = await viewer.get(`${base}/events.csv?event=transactions`);
    assert.match(text, /,txn_\w+,"'=order,1",/);
  });
});
