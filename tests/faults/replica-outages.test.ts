import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createLog } from "../../src/platform/log/log.ts";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../support/database-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import {
  createOne,
  databaseAt,
  queryAt,
  REPLICA_SKIPPED,
  type ReplicatedServers,
  readNewest,
  startReplicatedServers,
} from "../support/replica.ts";

/** The network between the gateway and its replica fails; the primary is fine. */
describe("a replica that can't be used holds nothing up", { skip: REPLICA_SKIPPED }, () => {
  let servers: ReplicatedServers;
  let proxy: DatabaseProxy;
  let gateway: TestGateway;
  let lostConnections = 0;
  before(async () => {
    servers = await startReplicatedServers();
    proxy = await startDatabaseProxy(servers.replica.url, Math.random);
    gateway = await startTestGateway({
      environment: {
        DATABASE_URL: servers.primary.url,
        DATABASE_READ_URL: proxy.url,
        TIDEGATE_READ_STALENESS_MS: "1000",
        TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      },
      database: databaseAt(servers.primary.url),
      log: {
        ...createLog("silent"),
        warn: (_, message) => {
          if (message === "connection to the replica lost") lostConnections += 1;
        },
      },
    });
  });
  after(async () => {
    await gateway?.stop();
    await proxy?.close();
    await servers?.remove();
  });
  afterEach(async () => {
    proxy.set("pass");
    await eventually("the replica is used again", isCurrent, 60_000);
  });

  const create = () => createOne(gateway);
  const newest = () => readNewest(gateway);
  /** What the newest request is, and how many milliseconds the list took. */
  const timed = async (): Promise<{ readonly id: string; readonly ms: number }> => {
    const begun = performance.now();
    return { id: await newest(), ms: performance.now() - begun };
  };
  const hasMetric = async (line: string): Promise<boolean> =>
    ((await gateway.get("/metrics")).body as string).split("\n").includes(line);
  const isAway = () => hasMetric('tidegate_replica_state{state="away"} 1');
  const isCurrent = async () => {
    await newest();
    return hasMetric('tidegate_replica_state{state="current"} 1');
  };

  test("one that stops answering delays a list by the time that it may be behind, and later lists not at all", async () => {
    await eventually("the replica is used", isCurrent);
    const id = await create();
    proxy.set("hang");
    const first = await timed();
    assert.equal(first.id, id);
    assert.ok(first.ms < 11_000, `the first list took ${first.ms} ms`);
    assert.equal(await isAway(), true);
    const later = await Promise.all(Array.from({ length: 16 }, timed));
    for (const { ms } of later) assert.ok(ms < 11_000, `a later list took ${ms} ms`);
  });

  test("one that stops answering in the middle of a read delays it by seconds, not by twelve", async () => {
    const id = await create();
    await eventually("the replica is used", isCurrent);
    // Its position is known, so the list is sent to it at once.
    proxy.set("hang");
    const list = await timed();
    assert.equal(list.id, id);
    assert.ok(list.ms < 11_000, `the list took ${list.ms} ms`);
  });

  test("one that is away is tried by one read at a time, and less and less often", async () => {
    await eventually("the replica is used", isCurrent);
    const earlier = proxy.refusals().length;
    const tries = () => proxy.refusals().slice(earlier);
    proxy.set("refuse");
    await newest();
    assert.equal(await isAway(), true);
    const listUntilTried = async () => {
      while (tries().length < 3) await newest();
    };
    await Promise.all(Array.from({ length: 8 }, listUntilTried));
    const [first = 0, second = 0, third = 0] = tries();
    assert.ok(second - first > 900, `tried again after ${second - first} ms`);
    assert.ok(third - second > 1_900, `and again after ${third - second} ms`);
  });

  test("one that cancels a read because of replay is not asked again: the primary answers, and it stays in use", async () => {
    const id = await create();
    await eventually("the replica is used", isCurrent);
    await queryAt(
      servers.primary.url,
      `create function in_the_way() returns boolean language plpgsql as $$ begin
         if pg_is_in_recovery() then raise exception 'canceled' using errcode = '40001'; end if;
         return true;
       end $$;
       alter table payment_requests rename to kept;
       create view payment_requests as select * from kept where in_the_way()`,
    );
    try {
      assert.equal(await newest(), id);
      assert.equal(await hasMetric('tidegate_replica_state{state="current"} 1'), true);
      // Control: the replica cancels it.
      const cancelled = queryAt(servers.replica.url, "select from payment_requests");
      await assert.rejects(cancelled, { code: "40001" });
    } finally {
      await queryAt(
        servers.primary.url,
        "drop view payment_requests; alter table kept rename to payment_requests; drop function in_the_way()",
      );
    }
  });

  test("one whose connections broke may be further behind than before: its position is read anew", async () => {
    const other = await servers.addReplica();
    await queryAt(other.url, "select pg_wal_replay_pause()");
    const id = await create();
    await eventually("the replica is used", isCurrent);
    const expected = lostConnections + proxy.openConnections();
    proxy.moveTo(other.url);
    await eventually("the gateway has noticed", async () => lostConnections === expected);
    assert.equal(await newest(), id);
    // Control: the server that is read now does not have it.
    const has = await queryAt(other.url, `select from payment_requests where id = '${id}'`);
    assert.equal(has.length, 0);
    await queryAt(other.url, "select pg_wal_replay_resume()");
  });
});
