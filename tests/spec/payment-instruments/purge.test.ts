import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Context } from "../../../src/platform/context.ts";
import { callApi, eventsOf, ok, shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";
import { typeCommand } from "../../support/typed-command.ts";
import { type Point, watchContext } from "../../support/watched-context.ts";

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
    await expire(expiredId);
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

  test("a card that was renewed since it was read stays", async () => {
    const shop = shopOf(gateway);
    const [renewed, other] = [await storedCard(shop), await storedCard(shop)];
    const ids = [renewed, other].map((one) => one.paymentInstrumentId);
    await expire(...ids);
    const renew = async () => {
      const path = `/customers/${renewed.id}/paymentinstruments/${renewed.paymentInstrumentId}`;
      ok(await callApi(shop, "PUT", path, { card: { expiryMonth: 12, expiryYear: 2039 } }));
    };
    const { lines } = await interruptible({ at: "payment_instrument_lock:before", work: renew });
    assert.deepEqual(
      lines.map((line) => ids.findIndex((id) => line.includes(id))),
      [1, -1],
    );
    assert.equal(lines.at(-1), "1 removed.");
    for (const [index, id] of ids.entries()) assert.equal(await numberOf(id), index === 0 ? 1 : 0);
  });

  test("each card is reported when it is removed, also if a failure or Ctrl-C ends the command", async () => {
    const shop = shopOf(gateway);
    const ids = [await storedCard(shop), await storedCard(shop), await storedCard(shop)].map(
      (one) => one.paymentInstrumentId,
    );
    await expire(...ids);
    let locks = 0;
    const failing = await interruptible({
      json: true,
      at: "payment_instrument_lock:before",
      work: async () => {
        // A removal locks its card twice: to judge it, and to erase it.
        locks += 1;
        if (locks === 3) throw new Error("the database is away");
      },
    });
    assert.match(String(failing.problem), /the database is away/);
    const { cards, ...rest } = JSON.parse(failing.lines.join("\n"));
    assert.deepEqual(rest, { dryRun: false, count: 1, complete: false });
    assert.equal(cards[0].paymentInstrumentId, ids[0]);
    assert.deepEqual(await Promise.all(ids.map(numberOf)), [0, 1, 1]);

    const stop = new AbortController();
    const stopped = await interruptible({
      stop,
      at: "payment_instrument_delete:committed",
      work: async () => stop.abort(),
    });
    assert.match(String(stopped.problem), /interrupted before the end/);
    assert.deepEqual([stopped.lines.length, stopped.lines[1]], [2, "1 removed so far."]);
    assert.deepEqual(await Promise.all(ids.map(numberOf)), [0, 0, 1]);
    assert.equal((await purge()).count, 1);
  });

  /** Runs the command, and some work at points of its own. */
  async function interruptible(given: {
    readonly at: Point;
    readonly work: () => Promise<void>;
    readonly json?: boolean;
    readonly stop?: AbortController;
  }) {
    const { json = false, stop = new AbortController() } = given;
    const lines: string[] = [];
    const print = async (line: string) => {
      lines.push(line);
    };
    const terminal = { json, print, interrupted: () => stop.signal };
    const wrapContext = (ctx: Context) =>
      watchContext(ctx, async (point) => {
        if (point === given.at) await given.work();
      });
    const { problem } = await typeCommand({ ...gateway, terminal, wrapContext }, "vault", "purge");
    return { lines, problem };
  }

  const expire = (...ids: readonly string[]) =>
    gateway.database.rows(
      `update payment_instruments set card = (card::jsonb || '{"expiryMonth": 1, "expiryYear": 2025}')::json where id = any($1)`,
      [ids],
    );

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
