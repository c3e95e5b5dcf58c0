import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../src/kernel/ids.ts";
import { callApi, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import type { HostEntry } from "../support/iso-host/host-ledger.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { compareLedgers } from "../support/iso-host/kill-payments.ts";

describe("the comparison with an ISO 8583 host", () => {
  let gateway: TestGateway;
  let host: IsoHost;
  let merchantId: string;
  let accountId: Id<"acquirerAccount">;
  before(async () => {
    gateway = await startTestGateway();
    host = await startIsoHost();
    const made = await gateway.newMerchant();
    merchantId = made.id;
    accountId = await addIsoAccount(gateway.database, merchantId, host.port);
    const shop: Shop = shopOf(gateway, made.key);
    const manual = { category: { captureType: "manual" } };
    const { transactionId } = await payOnce(shop, { ...manual, amount: 4_100 });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/cancel`));
    await payOnce(shop, { amount: 14_451 });
    await payOnce(shop, { ...manual, amount: 4_200 });
    await payOnce(shop, { amount: 4_300 });
  });
  after(async () => {
    await gateway.stop();
    await host.stop();
  });

  /** Compares with a ledger in which the entry of that amount is another one, or missing. */
  const compareWith = (requested: number, change: Partial<HostEntry> | "missing") => {
    const entries = async () =>
      (await host.entries()).flatMap((entry) => {
        if (entry.requested !== requested) return [entry];
        return change === "missing" ? [] : [{ ...entry, ...change }];
      });
    return compareLedgers(gateway.database, { ...host, entries }, { merchantId, accountId });
  };

  test("finds no difference where there is none", async () => {
    assert.equal((await compareWith(0, {})).net, 4_300);
  });

  test("finds a hold that stands for a voided and for a declined payment", async () => {
    await assert.rejects(compareWith(4_100, { isReversed: false }), /the host's entry .* differs/);
    await assert.rejects(compareWith(14_451, { approved: 14_451 }), /the host's entry .* differs/);
  });

  test("finds a hold that is not there, or of another amount", async () => {
    await assert.rejects(compareWith(4_200, { isReversed: true }), /the host's entry .* differs/);
    await assert.rejects(compareWith(4_200, { approved: 4_199 }), /the host's entry .* differs/);
    await assert.rejects(compareWith(4_200, "missing"), /approved here, and the host has no entry/);
  });

  test("by `reconcile --acquirer` prints the approved and the captured amount of each side", async () => {
    const setCaptured = (amount: number) =>
      gateway.database.rows("update transactions set captured = $1 where amount = 4300", [amount]);
    await setCaptured(4_299);
    const { code, stdout } = await runCommand(gateway.database, ["reconcile", "--acquirer", accountId]);
    await setCaptured(4_300);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^txn_\w+ {2}the captured amounts differ {2}gateway approved 4300 captured 4299 {2}journal approved 4300 captured 4300$/m,
    );
  });
});
