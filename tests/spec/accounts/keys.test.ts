import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startGateway } from "../../../src/app/gateway.ts";
import { readSettings } from "../../../src/platform/config/settings.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { assertRefused } from "../../support/answers.ts";
import { callsTo, TEST_VAULT_KEY } from "../../support/calls.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { onceWithin } from "../../support/once-within.ts";
import { endKey, makeKey, makeMerchant } from "../../support/operator.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

describe("contract 10: API keys on two nodes", () => {
  let one: TestGateway;
  let two: TestGateway;
  let merchantId: string;
  before(async () => {
    one = await startTestGateway();
    two = await startTestGateway({ database: one.database });
    merchantId = (await one.get("/management/account")).body.id;
  });
  after(async () => {
    await two.stop();
    await one.stop();
  });

  test("a new key works immediately on every node", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { key } = await makeKey(one.database, merchantId, ["read"]);
      assert.equal((await one.get("/events", { key })).status, 200);
      assert.equal((await two.get("/events", { key })).status, 200);
    }
  });

  test("every node refuses a revoked key within 5 seconds, even while the key is in use", async () => {
    await onceWithin(5_000, 10, async () => {
      const { id, key } = await makeKey(one.database, merchantId, ["read"]);
      let using = true;
      // Constant use keeps the key in the node's cache.
      const users = [one, two].map(async (node) => {
        while (using) await node.get("/events", { key });
      });
      assert.equal((await one.get("/events", { key })).status, 200);
      assert.equal((await two.get("/events", { key })).status, 200);
      const revoked = Date.now();
      await endKey(one.database, id);
      for (const node of [one, two])
        await eventually(
          "the key is refused",
          async () => (await node.get("/events", { key })).status === 401,
        );
      const tookMs = Date.now() - revoked;
      using = false;
      await Promise.all(users);
      for (const node of [one, two]) assertRefused(await node.get("/events", { key }), 401, "V11007");
      return { tookMs };
    });
  });

  test("revoking a key twice succeeds and leaves other keys valid", async () => {
    const { id, key } = await makeKey(one.database, merchantId, ["read"]);
    const bystander = await makeKey(one.database, merchantId, ["read"]);
    await endKey(one.database, id);
    const [first] = await one.database.rows<{ revoked_at: Date }>(
      "select revoked_at from api_keys where id = $1",
      [id],
    );
    await endKey(one.database, id);
    const [again] = await one.database.rows<{ revoked_at: Date }>(
      "select revoked_at from api_keys where id = $1",
      [id],
    );
    assert.deepEqual(again, first);
    await eventually("the key is refused", async () => (await two.get("/events", { key })).status === 401);
    assert.equal((await two.get("/events", { key: bystander.key })).status, 200);
  });

  test("a node caches a key for less than 5 seconds even without invalidation markers", async () => {
    await onceWithin(5_000, 10, async () => {
      const { id, key } = await makeKey(one.database, merchantId, ["read"]);
      assert.equal((await two.get("/events", { key })).status, 200);
      const revoked = Date.now();
      await one.database.rows("update api_keys set revoked_at = now() where id = $1", [id]);
      await eventually("the key is refused", async () => (await two.get("/events", { key })).status === 401);
      return { tookMs: Date.now() - revoked };
    });
  });

  test("a key that was refused before it existed works within 5 seconds of its creation", async () => {
    const secret = "chosen_by_the_operator_1";
    assertRefused(await one.get("/events", { key: secret }), 401, "V11007");
    const third = await startTestGateway({
      database: one.database,
      environment: { TIDEGATE_SANDBOX_API_KEY: secret },
    });
    try {
      await eventually(
        "the key works",
        async () => (await one.get("/events", { key: secret })).status === 200,
      );
    } finally {
      await third.stop();
    }
  });

  test("many unknown keys do not evict a valid key", async () => {
    const other = await makeMerchant(one.database, "sandbox", "AU");
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => one.get("/events", { key: `guess_${index}_guess_guess` })),
    );
    assert.equal((await one.get("/events", { key: other.key })).status, 200);
  });
});

describe("contract 4, 10: secrets are stored only as hashes", () => {
  test("no table contains a key or a token in a reversible form", async () => {
    const gateway = await startTestGateway();
    try {
      const other = await gateway.newMerchant();
      const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      const { token } = (await gateway.post("/tokens", { scope: "payui", paymentRequestId: id })).body;
      assert.match(token, /^tok_[0-9a-z]{29}_[\w-]{43}$/);
      const dump = await dumpOf(gateway.database);
      // Control: a value stored in clear is found.
      assert.ok(dump.includes(id));
      for (const secret of [TEST_KEY, other.key, token, token.slice(-43)]) {
        for (const form of formsOf(secret)) assert.equal(dump.includes(form), false);
      }
    } finally {
      await gateway.stop();
    }
  });

  const formsOf = (secret: string) => [
    secret,
    secret.slice(0, -4),
    secret.slice(4),
    Buffer.from(secret).toString("hex"),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toReversed().toString(),
  ];

  async function dumpOf(database: TestDatabase): Promise<string> {
    const tables = await database.rows<{ name: string }>(
      "select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const parts = await Promise.all(
      tables.map(({ name }) => database.rows<{ row: string }>(`select ${name}::text as row from ${name}`)),
    );
    return parts
      .flat()
      .map(({ row }) => row)
      .join("\n");
  }
});

describe("contract 1, 10: TIDEGATE_SANDBOX_API_KEY", () => {
  const OLD = "the_old_key_of_the_sandbox";
  const NEW = "the_new_key_of_the_sandbox";

  /** Starts and stops a gateway on the database, and requests the account with each key in between. */
  async function during(database: TestDatabase, key: string | undefined, keys: readonly string[]) {
    const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
    const settings = readSettings({
      TIDEGATE_API_PORT: String(apiPort),
      TIDEGATE_HOSTED_PORT: String(hostedPort),
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      ...(key === undefined ? {} : { TIDEGATE_SANDBOX_API_KEY: key }),
    });
    const gateway = await startGateway({ settings, databaseUrl: database.url, log: createLog("silent") });
    try {
      const { get } = callsTo(settings.baseUrl);
      const accounts = await Promise.all(keys.map((one) => get("/management/account", { key: one })));
      return {
        newKey: gateway.newKey,
        statuses: accounts.map((one) => one.status),
        ids: accounts.map((one) => one.body.id),
      };
    } finally {
      await gateway.stop();
    }
  }

  async function onNewDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
    const database = await cloneDatabase();
    try {
      await work(database);
    } finally {
      await database.drop();
    }
  }

  test("a new value replaces the old key at the next start, and back again", () =>
    onNewDatabase(async (database) => {
      assert.deepEqual((await during(database, OLD, [OLD, NEW])).statuses, [200, 401]);
      assert.deepEqual((await during(database, NEW, [OLD, NEW])).statuses, [401, 200]);
      const { statuses, ids } = await during(database, OLD, [OLD, NEW, OLD]);
      assert.deepEqual(statuses, [200, 401, 200]);
      assert.equal(ids[0], ids[2]);
      assert.equal((await database.rows("select 1 from merchants")).length, 1);
    }));

  test("an unchanged value stays valid, and so do keys created otherwise", () =>
    onNewDatabase(async (database) => {
      const { ids } = await during(database, OLD, [OLD]);
      const other = await makeKey(database, ids[0], ["read"]);
      assert.deepEqual((await during(database, OLD, [OLD, other.key])).statuses, [200, 200]);
      assert.deepEqual((await during(database, NEW, [OLD, NEW, other.key])).statuses, [401, 200, 200]);
    }));

  test("a revoked key becomes valid again at a start that configures it", () =>
    onNewDatabase(async (database) => {
      await during(database, OLD, [OLD]);
      const [row] = await database.rows<{ id: string }>("select id from api_keys");
      await endKey(database, row?.id ?? "");
      assert.deepEqual((await during(database, undefined, [OLD])).statuses, [401]);
      assert.deepEqual((await during(database, OLD, [OLD])).statuses, [200]);
    }));

  test("the random key of the first start can be configured at the second", () =>
    onNewDatabase(async (database) => {
      const first = await during(database, undefined, []);
      assert.match(first.newKey ?? "", /^tg_sandbox_[\w-]{43}$/);
      const key = first.newKey ?? "";
      assert.deepEqual((await during(database, key, [key])).statuses, [200]);
      assert.deepEqual((await during(database, NEW, [key, NEW])).statuses, [401, 200]);
    }));

  test("a key with fewer scopes gets all three when it is configured", () =>
    onNewDatabase(async (database) => {
      const { ids } = await during(database, OLD, [OLD]);
      const { key } = await makeKey(database, ids[0], ["read"]);
      await during(database, key, [key]);
      const [row] = await database.rows<{ scopes: string[] }>(
        "select scopes from api_keys where revoked_at is null",
      );
      assert.deepEqual(row?.scopes, ["read", "write", "admin"]);
    }));

  test("another merchant's key stops the start with one line that does not show the key", () =>
    onNewDatabase(async (database) => {
      await during(database, OLD, [OLD]);
      const other = await makeMerchant(database, "sandbox", "AU");
      await assert.rejects(during(database, other.key, []), (error: Error) => {
        assert.equal(error.name, "SettingProblem");
        assert.match(error.message, /^TIDEGATE_SANDBOX_API_KEY is the key of another merchant; allowed: .+$/);
        assert.equal(error.message.includes(other.key), false);
        return true;
      });
      assert.deepEqual((await during(database, OLD, [OLD, other.key])).statuses, [200, 200]);
    }));

  test("two nodes that start at the same time create one merchant with one key", () =>
    onNewDatabase(async (database) => {
      const both = await Promise.all([during(database, OLD, [OLD]), during(database, OLD, [OLD])]);
      assert.equal(both[0].ids[0], both[1].ids[0]);
      assert.equal((await database.rows("select 1 from merchants")).length, 1);
      assert.equal((await database.rows("select 1 from api_keys")).length, 1);
    }));
});
