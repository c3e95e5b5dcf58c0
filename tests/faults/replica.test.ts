import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { examine } from "../../src/cli/doctor/examine.ts";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import {
  createOne,
  databaseAt,
  queryAt as query,
  REPLICA_SKIPPED,
  type ReplicatedServers,
  readNewest,
  startReplicatedServers,
} from "../support/replica.ts";

describe("lists are read from a replica, and show what was written before them", {
  skip: REPLICA_SKIPPED,
}, () => {
  let servers: ReplicatedServers;
  let gateway: TestGateway;
  let environment: Record<string, string>;
  before(async () => {
    servers = await startReplicatedServers();
    environment = {
      DATABASE_URL: servers.primary.url,
      DATABASE_READ_URL: servers.replica.url,
      TIDEGATE_READ_STALENESS_MS: "2000",
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    };
    gateway = await startTestGateway({ environment, database: databaseAt(servers.primary.url) });
  });
  after(async () => {
    await gateway?.stop();
    await servers?.remove();
  });

  const create = () => createOne(gateway);
  const newest = () => readNewest(gateway);
  const metric = async (line: string): Promise<number> => {
    const { body } = await gateway.get("/metrics");
    const found = (body as string).split("\n").find((one) => one.startsWith(line));
    assert.ok(found !== undefined, `no ${line}`);
    return Number(found.split(" ").at(-1));
  };
  const answeredBy = (server: "replica" | "primary") =>
    metric(`tidegate_replica_statements_total{server="${server}"}`);
  const isState = (state: string) => async () =>
    (await newest()) !== undefined && (await metric(`tidegate_replica_state{state="${state}"}`)) === 1;
  const replicaFinding = async (extra: Record<string, string> = {}) =>
    (await examine({ ...environment, ...extra })).find(({ check }) => check === "replica");

  test("every list shows the request that was created just before it, and the replica answers", async () => {
    const before = await answeredBy("replica");
    for (let turn = 0; turn < 20; turn += 1) assert.equal(await create(), await newest());
    assert.ok((await answeredBy("replica")) > before, "the replica answers");
    assert.equal(await metric('tidegate_replica_state{state="current"}'), 1);
  });

  test("exports come from the replica, single reads from the primary", async () => {
    const id = await create();
    const before = await answeredBy("replica");
    assert.equal((await gateway.get(`/paymentrequests/${id}`)).status, 200);
    assert.equal(await answeredBy("replica"), before, "a single read does not use it");
    assert.equal((await gateway.get("/transactions.csv")).status, 200);
    assert.ok((await answeredBy("replica")) > before, "an export does");
  });

  test("the doctor says that it is current", async () => {
    const finding = await replicaFinding();
    assert.equal(finding?.status, "ok", finding?.says);
  });

  test("a replica that is further behind than it may be is left alone, and used again once it is current", async () => {
    await query(servers.replica.url, "select pg_wal_replay_pause()");
    const id = await create();
    const before = await answeredBy("primary");
    assert.equal(await newest(), id, "the primary answers, which has it");
    assert.ok((await answeredBy("primary")) > before);
    assert.equal(await metric('tidegate_replica_state{state="behind"}'), 1);
    assert.match((await replicaFinding())?.says ?? "", /bytes behind after/);
    // Control: the replica itself does not have it.
    const [has] = await query(
      servers.replica.url,
      `select count(*)::int as n from payment_requests where id = '${id}'`,
    );
    assert.equal(has?.["n"], 0);

    await query(servers.replica.url, "select pg_wal_replay_resume()");
    await eventually("the replica is current", isState("current"));
    assert.equal(await create(), await newest());
  });

  test("without the replica the primary answers, and the replica again when it is back", async () => {
    await servers.replica.stop();
    const id = await create();
    assert.equal(await newest(), id);
    assert.equal(await metric('tidegate_replica_state{state="away"}'), 1);
    const finding = await replicaFinding();
    assert.equal(finding?.status, "warn");
    assert.match(finding?.says ?? "", /can't be read/);

    await servers.replica.start();
    await eventually("the replica is current", isState("current"), 60_000);
    assert.equal(await newest(), id);
  });

  test("a server that is no replica is not read from", async () => {
    const finding = await replicaFinding({ DATABASE_READ_URL: servers.primary.url });
    assert.equal(finding?.status, "warn");
    assert.match(finding?.says ?? "", /no replica/);
    const other = await startTestGateway({
      environment: { ...environment, DATABASE_READ_URL: servers.primary.url },
      database: databaseAt(servers.primary.url),
    });
    try {
      assert.equal((await other.get("/paymentrequests")).status, 200);
      const { body } = await other.get("/metrics");
      assert.match(body, /tidegate_replica_state\{state="away"\} 1/);
      assert.match(body, /tidegate_replica_statements_total\{server="replica"\} 0/);
    } finally {
      await other.stop();
    }
  });

  test("a role without rights on the schema may read the positions", async () => {
    const rights = await query(
      servers.primary.url,
      `select has_function_privilege('public', one, 'execute') as may from unnest(array['pg_control_checkpoint()', 'pg_control_recovery()',
         'pg_last_wal_replay_lsn()', 'pg_current_wal_flush_lsn()', 'pg_walfile_name(pg_lsn)']) as one`,
    );
    assert.deepEqual(
      rights.map(({ may }) => may),
      [true, true, true, true, true],
    );
  });
});
