import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, createRequest, ok, openFrame, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { storedAccount } from "../../support/debits.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";

describe("I9: an event is written in the transaction of its change", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    // Without a worker nothing but the call itself changes a row.
    gateway = await startTestGateway({ environment: { TIDEGATE_ROLES: "api,checkout" } });
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());

  /** The database transaction that wrote the row last, and the one that wrote the resource's last event. */
  async function writers(table: string, id: string) {
    const [row] = await gateway.database.rows<{ row: string; event: string }>(
      `select xmin::text as row, (select xmin::text from events where resource_id = $1 order by id desc limit 1) as event
       from ${table} where id = $1`,
      [id],
    );
    return row;
  }

  const post = async (path: string, body?: object) =>
    ok(await callApi(shop, "POST", path, body)).id as string;

  const changes: readonly (readonly [what: string, table: string, change: () => Promise<string>])[] = [
    ["a new payment request", "payment_requests", async () => (await createRequest(shop)).id],
    [
      "a cancelled payment request",
      "payment_requests",
      async () => post(`/paymentrequests/${(await createRequest(shop)).id}/cancel`),
    ],
    [
      "a paid payment request",
      "payment_requests",
      async () => {
        const frame = await openFrame(shop);
        ok(await frame.pay());
        return frame.requestId;
      },
    ],
    ["an approved payment", "transactions", async () => (await payOnce(shop)).transactionId],
    [
      "a declined payment",
      "transactions",
      async () => (await payOnce(shop, { amount: 14_451 })).transactionId,
    ],
    ["a charge", "transactions", async () => post("/transactions", chargeOf(await storedCard(shop)))],
    ["a debit", "transactions", async () => post("/transactions", chargeOf(await storedAccount(shop)))],
    [
      "a capture",
      "transactions",
      async () => {
        const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
        return post(`/transactions/${transactionId}/capture`);
      },
    ],
    [
      "a void",
      "transactions",
      async () => {
        const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
        return post(`/transactions/${transactionId}/cancel`);
      },
    ],
    ["a refund", "refunds", async () => post(`/transactions/${(await payOnce(shop)).transactionId}/refunds`)],
    [
      "a new customer",
      "customers",
      async () => post("/customers", { name: "Ann", email: "ann@example.com" }),
    ],
    [
      "a changed customer",
      "customers",
      async () => {
        const { id } = await storedAccount(shop);
        ok(await callApi(shop, "PUT", `/customers/${id}`, { name: "Ann Other" }));
        return id;
      },
    ],
    [
      "a new payment instrument",
      "payment_instruments",
      async () => (await storedAccount(shop)).paymentInstrumentId,
    ],
    [
      "a deleted payment instrument",
      "payment_instruments",
      async () => {
        const { id, paymentInstrumentId } = await storedAccount(shop);
        ok(await callApi(shop, "DELETE", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));
        return paymentInstrumentId;
      },
    ],
  ];

  for (const [what, table, change] of changes) {
    test(`the event of ${what} is in the transaction of its change`, async () => {
      const wrote = await writers(table, await change());
      assert.ok(wrote?.row !== undefined && wrote.row === wrote.event, JSON.stringify(wrote));
    });
  }
});
