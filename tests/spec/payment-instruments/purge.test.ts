import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, eventsOf, ok, shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";

describe("contract 13: `vault purge` removes expired and unused cards, and lists them first", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  const purge = async (...options: string[]) => {
    const { code, stdout, stderr } = await runCommand(gateway.database, [
      "vault",
      "purge",
      "--json",
      ...options,
    ]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as {
      count: number;
      cards: { paymentInstrumentId: string; reason: string; last4: string }[];
    };
  };
  const numberOf = async (id: string) =>
    (await gateway.database.rows("select from vault_secrets where instrument_id = $1", [id])).length;

  test("lists by reason with --dry-run and changes nothing; then deletes, erases and publishes", async () => {
    const shop = shopOf(gateway);
    const [expired, unused, used, fresh] = [
      await storedCard(shop),
      await storedCard(shop),
      await storedCard(shop),
      await storedCard(shop),
    ];
    const ids = [expired, unused, used, fresh].map((one) => one.paymentInstrumentId);
    const [expiredId = "", unusedId = "", usedId = "", freshId = ""] = ids;
    await gateway.database.rows(
      `update payment_instruments set card = (card::jsonb || '{"expiryMonth": 1, "expiryYear": 2025}')::json where id = $1`,
      [expiredId],
    );
    await gateway.database.rows("update payment_instruments set created_at = $2 where id = any($1)", [
      [unusedId, usedId],
      new Date(Date.now() - 731 * 86_400_000),
    ]);
    ok(await callApi(shop, "POST", "/transactions", chargeOf(used)));
    const dry = await purge("--dry-run");
    assert.deepEqual(
      dry.cards.map(({ paymentInstrumentId, reason }) => `${paymentInstrumentId} ${reason}`).toSorted(),
      [`${expiredId} expired`, `${unusedId} unused`].toSorted(),
    );
    for (const { last4 } of dry.cards) assert.match(last4, /^\d{4}$/);
    for (const id of ids) assert.equal(await numberOf(id), 1, "nothing was erased");
    const longer = await purge("--dry-run", "--unused-days", "800", "--expired-days", "3650");
    assert.equal(longer.count, 0);

    assert.equal((await purge()).count, 2);
    for (const id of [expiredId, unusedId]) assert.equal(await numberOf(id), 0);
    for (const id of [usedId, freshId]) assert.equal(await numberOf(id), 1);
    const path = `/customers/${expired.id}/paymentinstruments/${expiredId}`;
    assert.equal((await callApi(shop, "GET", path)).status, 404);
    assert.match(JSON.stringify(await eventsOf(shop, expiredId)), /"deletedDateTime":"/);
    assert.doesNotMatch(JSON.stringify(await eventsOf(shop, usedId)), /"deletedDateTime":"/);
    assert.equal((await purge("--dry-run")).count, 0);
  });

  test("refuses times out of range", async () => {
    for (const options of [
      ["--unused-days", "0"],
      ["--unused-days", "3651"],
      ["--expired-days", "-1"],
      ["--expired-days", "3651"],
    ]) {
      const { code } = await runCommand(gateway.database, ["vault", "purge", "--dry-run", ...options]);
      assert.equal(code, 2, options.join(" "));
    }
    for (const options of [
      ["--unused-days", "1"],
      ["--unused-days", "3650"],
      ["--expired-days", "3650"],
    ])
      await purge("--dry-run", ...options);
  });
});
