import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../src/kernel/ids.ts";
import { callApi, getTransaction, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { findObstacle, type JposHost, startJpos } from "./start-jpos.ts";

const obstacle = await findObstacle();

for (const dialect of ["iso87-ascii", "iso87-binary"]) {
  describe(`payments against jPOS in ${dialect}`, { skip: obstacle ?? false }, () => {
    let gateway: TestGateway;
    let host: JposHost;
    let shop: Shop;
    let accountId: Id<"acquirerAccount">;

    before(async () => {
      gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" } });
      host = await startJpos(dialect, "binary2");
      const { id, key } = await gateway.newMerchant();
      accountId = await addIsoAccount(gateway.database, id, host.port, { dialect, responseSeconds: 2 });
      shop = shopOf(gateway, key);
    });
    after(async () => {
      await gateway?.stop();
      await host?.stop();
    });

    const entryOf = async (retrieval: string) =>
      (await host.ledger()).find((entry) => entry.retrieval === retrieval);
    const lastSeen = async () => (await host.seen()).filter(({ "0": type }) => type !== "0800").at(-1) ?? {};

    test("`acquirer test` shows a link", async () => {
      const { code, stdout } = await runCommand(gateway.database, ["acquirer", "test", accountId, "--json"]);
      assert.equal(code, 0, stdout);
      const { ok: isOk, milliseconds, detail } = JSON.parse(stdout);
      assert.equal(isOk, true);
      assert.equal(typeof milliseconds, "number");
      assert.match(detail, /signed on and echoed/);
    });

    test("a card payment is approved and a decline keeps its code", async () => {
      const { paid } = await payOnce(shop, { amount: 4_200 });
      assert.equal(paid.state, "approved");
      assert.equal((await entryOf((await lastSeen())["37"] ?? ""))?.captured, 4_200);
      const { transactionId } = await payOnce(shop, { amount: 14_405 });
      assert.equal((await getTransaction(shop, transactionId)).result.codes[0].id, "D04405");
    });

    test("an authorisation is captured in part, and another one voided", async () => {
      const manual = { category: { captureType: "manual" } };
      const one = await payOnce(shop, { amount: 5_000, ...manual });
      const payment = { amount: 4_000 };
      ok(await callApi(shop, "POST", `/transactions/${one.transactionId}/capture`, { payment }));
      assert.equal((await entryOf((await lastSeen())["37"] ?? ""))?.captured, 4_000);
      const other = await payOnce(shop, { amount: 5_100, ...manual });
      ok(await callApi(shop, "POST", `/transactions/${other.transactionId}/cancel`));
      assert.equal((await entryOf((await lastSeen())["37"] ?? ""))?.reversed, true);
    });

    test("a payment is refunded", async () => {
      const { transactionId } = await payOnce(shop, { amount: 5_300 });
      const payment = { amount: 300 };
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment }));
      await eventually("jPOS has the refund", async () =>
        (await host.ledger()).some(({ code, captured }) => code === "200000" && captured === 300),
      );
    });

    test("a payment whose answer was lost is reversed and declined", async () => {
      const { paid, transactionId } = await payOnce(shop, { amount: 15_001 });
      assert.equal(paid.state, "pending");
      await eventually(
        "the payment is declined",
        async () => (await getTransaction(shop, transactionId)).result.status === "declined",
        20_000,
      );
      const reversal = await lastSeen();
      assert.equal(reversal["0"], "0420");
      assert.equal((await entryOf(reversal["37"] ?? ""))?.reversed, true);
    });

    test("`reconcile --acquirer` finds no differences", async () => {
      const command = ["reconcile", "--acquirer", accountId, "--json"];
      const { code, stdout } = await runCommand(gateway.database, command);
      assert.deepEqual([code, JSON.parse(stdout)], [0, { differences: [] }]);
    });
  });
}
