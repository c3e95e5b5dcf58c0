import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Instant, instant, later, MINUTE, toIso } from "../../../src/kernel/time.ts";
import { assertRefused } from "../../support/answers.ts";
import { CITUS_URL } from "../../support/citus.ts";
import { runCommand } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { makeKey } from "../../support/operator.ts";

describe("contract 13: a key expires and is bound to addresses, on every node", () => {
  let ahead = 0;
  const now = (): Instant => instant(Date.now() + ahead);
  let one: TestGateway;
  let two: TestGateway;
  let merchantId: string;
  before(async () => {
    one = await startTestGateway({ now, environment: { TIDEGATE_TRUSTED_PROXIES: "127.0.0.1" } });
    two = await startTestGateway({ now, database: one.database });
    merchantId = (await one.get("/management/account")).body.id;
  });
  after(async () => {
    await two.stop();
    await one.stop();
  });

  const newKey = (limits: { expiresAt?: Instant; addresses?: readonly string[] }) =>
    makeKey(one.database, merchantId, ["read"], { expiresAt: null, addresses: [], ...limits });

  test("refuses a key from its expiry on as an unknown key, also while a node caches it", async () => {
    const { key } = await newKey({ expiresAt: later(now(), 10 * MINUTE) });
    for (const node of [one, two]) assert.equal((await node.get("/events", { key })).status, 200);
    ahead = 9 * MINUTE;
    for (const node of [one, two]) assert.equal((await node.get("/events", { key })).status, 200);
    // Both nodes have just cached the key.
    ahead = 10 * MINUTE;
    for (const node of [one, two]) assertRefused(await node.get("/events", { key }), 401, "V11007");
    ahead = 0;
  });

  test("refuses a key from another address with 403, a path that does not exist with 404", async () => {
    const { key } = await newKey({ addresses: ["203.0.113.0/24", "2001:db8::/32"] });
    for (const node of [one, two]) {
      const refused = await node.get("/events", { key });
      assertRefused(refused, 403, "V11080");
      assert.equal(refused.body.result.mode, "sandbox");
    }
    const nowhere = await one.get("/nowhere", { key });
    assertRefused(nowhere, 404, "V11011");
    assert.equal(nowhere.body.result.mode, "sandbox");
    const own = await newKey({ addresses: ["127.0.0.0/8", "::1/128"] });
    for (const node of [one, two]) assert.equal((await node.get("/events", { key: own.key })).status, 200);
  });

  test("a key from another address is in the audit log, once a minute from each node", async () => {
    const { id, key } = await newKey({ addresses: ["203.0.113.0/24"] });
    const recorded = () =>
      one.database.rows(
        "select actor, address, merchant_id, detail from audit_log where act = 'api_key_refused' and subject_id = $1",
        [id],
      );
    const entry = { actor: id, address: "198.51.100.9", merchant_id: merchantId, detail: "address" };
    const use = async (path: string) =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          one.get(path, { key, headers: { "X-Forwarded-For": "198.51.100.9" } }),
        ),
      );
    await use("/events");
    await eventually("the refused use is recorded", async () => (await recorded()).length > 0);
    await use("/events");
    await use("/nowhere");
    assert.deepEqual(await recorded(), [entry]);
    ahead = MINUTE;
    await use("/events");
    await eventually("the next minute is recorded", async () => (await recorded()).length > 1);
    assert.deepEqual(await recorded(), [entry, entry]);
    ahead = 0;
  });

  test("takes the address from a trusted proxy, and believes no other header", async () => {
    const { key } = await newKey({ addresses: ["203.0.113.0/24"] });
    const from = (address: string) => ({ key, headers: { "X-Forwarded-For": address } });
    assert.equal((await one.get("/events", from("203.0.113.255"))).status, 200);
    assertRefused(await one.get("/events", from("203.0.114.0")), 403, "V11080");
    assertRefused(await two.get("/events", from("203.0.113.255")), 403, "V11080");
  });

  test("the command line creates and lists such keys", async () => {
    const words = ["key", "create", "--merchant", merchantId, "--scopes", "read", "--json"];
    const expires = toIso(later(now(), 60 * MINUTE));
    const made = await runCommand(one.database, [
      ...words,
      "--expires",
      expires,
      "--addresses",
      "203.0.113.9/24, ::1",
    ]);
    assert.equal(made.code, 0, made.stderr);
    const { keyId, apiKey } = JSON.parse(made.stdout) as { keyId: string; apiKey: string };
    assertRefused(await two.get("/events", { key: apiKey }), 403, "V11080");
    const listed = await runCommand(one.database, ["key", "list", "--merchant", merchantId, "--json"]);
    const { keys } = JSON.parse(listed.stdout) as { keys: readonly Record<string, unknown>[] };
    const key = keys.find((one) => one["keyId"] === keyId);
    assert.deepEqual(
      [key?.["expiryDateTime"], key?.["addresses"], key?.["lastUsedDateTime"]],
      [expires, ["203.0.113.0/24", "::1/128"], null],
    );
  });

  for (const [what, options, problem] of [
    ["a time that has passed", ["--expires", "2020-01-01T00:00:00Z"], /--expires must be a future ISO 8601/],
    ["a time without a zone", ["--expires", "2999-01-01T00:00:00"], /--expires must be a future ISO 8601/],
    ["a name instead of an address", ["--addresses", "shop.example"], /--addresses must be 1 to 50 IP/],
    ["an empty list", ["--addresses", ","], /--addresses must be 1 to 50 IP/],
    [
      "51 ranges",
      ["--addresses", Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`).join(",")],
      /--addresses must be 1 to 50 IP/,
    ],
  ] as const) {
    test(`the command line refuses ${what} and creates nothing`, async () => {
      const count = "select count(*)::int as count from api_keys";
      const before = await one.database.rows(count);
      const refused = await runCommand(one.database, ["key", "create", "--merchant", merchantId, ...options]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, problem);
      assert.deepEqual(await one.database.rows(count), before);
    });
  }

  test("takes 50 ranges", async () => {
    const ranges = Array.from({ length: 50 }, (_, index) => `10.0.${index}.0/24`).join(",");
    const words = ["key", "create", "--merchant", merchantId, "--addresses", ranges];
    assert.equal((await runCommand(one.database, words)).code, 0);
  });
});

const ONE_SERVER = CITUS_URL !== undefined && "counts writes by a trigger of one server";

describe("contract 13: the last use of a key", { skip: ONE_SERVER }, () => {
  let ahead = 0;
  let gateway: TestGateway;
  let merchantId: string;
  before(async () => {
    gateway = await startTestGateway({ now: () => instant(Date.now() + ahead) });
    merchantId = (await gateway.get("/management/account")).body.id;
    await gateway.database.rows(`
      create table writes (id text);
      create function count_write() returns trigger language plpgsql as
        'begin insert into writes values (new.id); return new; end';
      create trigger count_write after update on api_keys for each row execute function count_write()`);
  });
  after(() => gateway.stop());

  const lastUse = async (id: string): Promise<Date | null> => {
    const rows = await gateway.database.rows<{ last_used_at: Date | null }>(
      "select last_used_at from api_keys where id = $1",
      [id],
    );
    return rows[0]?.last_used_at ?? null;
  };

  test("is shown to the minute, and hundreds of requests write it once a minute", async () => {
    const { id, key } = await makeKey(gateway.database, merchantId, ["read"]);
    assert.equal(await lastUse(id), null);
    // Begin well inside a minute, so that all requests fall into it.
    ahead = MINUTE - (Date.now() % MINUTE) + 5_000;
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => gateway.get("/events", { key })));
    }
    await eventually("the use is written", async () => (await lastUse(id)) !== null);
    const first = await lastUse(id);
    assert.equal((first?.getTime() ?? 1) % MINUTE, 0);
    assert.ok(Math.abs(Date.now() + ahead - (first?.getTime() ?? 0)) < MINUTE);
    await gateway.get("/events", { key });
    ahead += MINUTE;
    await gateway.get("/events", { key });
    await eventually(
      "the next minute is written",
      async () => (await lastUse(id))?.getTime() !== first?.getTime(),
    );
    assert.equal((await lastUse(id))?.getTime(), (first?.getTime() ?? 0) + MINUTE);
    const [row] = await gateway.database.rows<{ count: number }>(
      "select count(*)::int as count from writes where id = $1",
      [id],
    );
    assert.equal(row?.count, 2);
    const listed = await runCommand(gateway.database, ["key", "list", "--merchant", merchantId]);
    const minute = new Date((first?.getTime() ?? 0) + MINUTE).toISOString().slice(0, 16);
    assert.match(listed.stdout, new RegExp(`${id} .* last used ${minute}Z`));
  });

  test("a request that is refused is no use", async () => {
    const { id, key } = await makeKey(gateway.database, merchantId, ["read"], {
      expiresAt: null,
      addresses: ["203.0.113.0/24"],
    });
    const other = await makeKey(gateway.database, merchantId, ["read"]);
    await gateway.get("/events", { key });
    await gateway.get("/events", { key: other.key });
    await eventually("the other key's use is written", async () => (await lastUse(other.id)) !== null);
    assert.equal(await lastUse(id), null);
  });

  test("a stop writes what is still in memory", async () => {
    const { id, key } = await makeKey(gateway.database, merchantId, ["read"]);
    const node = await startTestGateway({ database: gateway.database });
    await node.get("/events", { key });
    await node.stop();
    assert.notEqual(await lastUse(id), null);
  });
});
