import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { instant } from "../../src/kernel/time.ts";
import { callsTo } from "../support/calls.ts";
import { CITUS_URL } from "../support/citus.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { allowConnections, cutConnections, holdTable, refuseConnections } from "../support/outage.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { watchContext } from "../support/watched-context.ts";
import { writeEvents } from "../support/webhook-load.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

const deliveredOf = async (gateway: TestGateway, merchantId: string) =>
  (
    await gateway.database.rows("select from deliveries where merchant_id = $1 and status = 'delivered'", [
      merchantId,
    ])
  ).length;

/** Asserts that every event was delivered exactly this many times, with the same bytes. */
function assertTimes(receiver: Receiver, events: number, times: number): void {
  const bodies = Map.groupBy(receiver.received, ({ headers }) => String(headers["webhook-id"]));
  assert.equal(bodies.size, events);
  for (const [id, sent] of bodies) {
    assert.equal(sent.length, times, `${id} was delivered ${sent.length} times`);
    assert.equal(new Set(sent.map(({ body }) => body)).size, 1, id);
  }
}

describe("PROOF I10: a delivery whose attempt fails on the database is made again", () => {
  test("if the database fails between the fetch of a delivery and its request", async () => {
    let ahead = 0;
    let failures = 0;
    const gateway = await startTestGateway({
      now: () => instant(Date.now() + ahead),
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => {
          if (point !== "merchant_has_open_live:before" || ahead === 0 || failures > 0) return;
          failures += 1;
          throw new Error("the connection broke");
        }),
    });
    try {
      const shop = await shopWithWebhook(gateway);
      // What the sender knows about live merchants has expired: it reads it again before it sends.
      ahead = 10_000;
      await shop.create();
      assertTimes(shop.receiver, (await shop.receiver.until(1)).length, 1);
      assert.equal(failures, 1);
    } finally {
      await gateway.stop();
    }
  });
});

describe("PROOF rule 4: a crash can repeat a delivery, but never loses one", () => {
  test("a delivery is repeated if the gateway is killed before it records the endpoint's 200", async () => {
    const database = await cloneDatabase();
    try {
      let release = async () => {};
      const receiver = await startReceiver(async (response, { repeat }) => {
        // No outcome can be recorded from here on.
        if (repeat === 0) release = await holdTable(database, "deliveries");
        response.end();
      });
      const first = await startGatewayProcess(database);
      const api = callsTo(first.shop.baseUrl);
      const url = receiver.url;
      assert.equal((await api.post("/webhooks", { event: "payment_requests", url })).status, 200);
      assert.equal((await api.post("/paymentrequests", CHECKOUT)).status, 200);
      await receiver.until(1);
      await first.kill();
      // The lease would last an hour, but its node's session is gone, so the next node takes over at once.
      const leases = await database.rows(
        "update delivery_leases set until = now() + interval '1 hour' where session_pid is not null returning 1",
      );
      assert.equal(leases.length, 1);
      await cutConnections(database);
      await release();
      const second = await startTestGateway({ database });
      try {
        await receiver.until(2);
        await eventually("the delivery is recorded", async () => {
          const rows = await database.rows("select from deliveries where status = 'delivered'");
          return rows.length === 1;
        });
        assertTimes(receiver, 1, 2);
        await assertInvariants(database);
      } finally {
        await second.stop();
      }
    } finally {
      await database.drop();
    }
  });
});

describe("contract 7, 10: several nodes, and a database outage", () => {
  let one: TestGateway;
  before(async () => {
    one = await startTestGateway();
  });
  after(() => one.stop());

  test("two nodes deliver every event once, and never more than four concurrently per endpoint", async () => {
    const two = await startTestGateway({ database: one.database });
    try {
      const shops = await Promise.all(Array.from({ length: 6 }, () => shopWithWebhook(one)));
      await Promise.all(shops.map(({ id }) => writeEvents(one, id, 50)));
      await Promise.all(
        shops.map(({ key }, index) =>
          (index % 2 === 0 ? one : two).post("/paymentrequests", CHECKOUT, { key }),
        ),
      );
      for (const { receiver } of shops) await receiver.until(51);
      for (const { id } of shops) {
        await eventually("every delivery is recorded", async () => (await deliveredOf(one, id)) === 51);
      }
      for (const { receiver } of shops) {
        assertTimes(receiver, 51, 1);
        assert.ok(receiver.mostAtOnce() <= 4);
      }
    } finally {
      await two.stop();
    }
  });

  test("a dead node's merchants are served when its lease ends, and not before", async () => {
    const shop = await shopWithWebhook(one);
    const startedAt = Date.now();
    await one.database.rows(
      "insert into delivery_leases (merchant_id, holder, until) values ($1, 'a dead node', now() + interval '2 seconds')",
      [shop.id],
    );
    await shop.create();
    const [first] = await shop.receiver.until(1);
    const waited = (first?.at ?? 0) - startedAt;
    assert.ok(waited > 1_900, `${waited} ms`);
  });

  test("no other node delivers while the lease holder's session lives; when it ends, another delivers at once", async () => {
    const [shop, other] = [await shopWithWebhook(one), await shopWithWebhook(one)];
    const node = new pg.Client({ connectionString: one.database.url });
    await node.connect();
    try {
      await node.query(
        `insert into delivery_leases (merchant_id, holder, until, session_pid, session_start)
         select $1, 'another node', now() + interval '1 hour', pid, backend_start
         from pg_stat_activity where pid = pg_backend_pid()`,
        [shop.id],
      );
      await shop.create();
      await other.create();
      await other.receiver.until(1);
      assert.equal(shop.receiver.received.length, 0);
      const metrics: string = (await one.get("/metrics")).body;
      assert.match(metrics, /^tidegate_webhook_due [1-9]/m);
      assert.match(metrics, /^tidegate_webhook_oldest_due_seconds 0*[.\d]*[1-9]/m);
    } finally {
      await node.end();
    }
    await shop.receiver.until(1);
  });

  test("a node that loses its session continues under another holder name", async () => {
    const shop = await shopWithWebhook(one);
    await shop.create();
    await shop.receiver.until(1);
    const holder = async () =>
      (
        await one.database.rows<{ holder: string }>(
          "select holder from delivery_leases where merchant_id = $1 and session_pid is not null",
          [shop.id],
        )
      )[0]?.holder;
    const before = await holder();
    assert.ok(before);
    await one.database.rows(
      "select pg_terminate_backend(session_pid) from delivery_leases where merchant_id = $1",
      [shop.id],
    );
    await eventually("the node has another holder name", async () => {
      await shop.create();
      const now = await holder();
      return now !== undefined && now !== before;
    });
  });

  test("a lease that its node has forgotten delays no delivery, however busy the node is", async () => {
    const [busy, forgotten] = [await shopWithWebhook(one), await shopWithWebhook(one)];
    await busy.create();
    await busy.receiver.until(1);
    const made = await one.database.rows(
      `insert into delivery_leases (merchant_id, holder, until, session_pid, session_start)
       select $2, holder, now() + interval '3 seconds', session_pid, session_start
       from delivery_leases where merchant_id = $1 returning 1`,
      [busy.id, forgotten.id],
    );
    assert.equal(made.length, 1);
    await forgotten.create();
    await eventually("the event is delivered", async () => {
      await busy.create();
      return forgotten.receiver.received.length > 0;
    });
  });

  test("a stopping node finishes open deliveries and leaves queued ones to the next node", async () => {
    const database = await cloneDatabase();
    try {
      const leaving = await startTestGateway({ database });
      const held: (() => void)[] = [];
      const shop = await shopWithWebhook(leaving, (response) => {
        held.push(() => response.end());
      });
      await writeEvents(leaving, shop.id, 20);
      await eventually("four deliveries are open", async () => held.length === 4);
      const stopping = leaving.stop();
      for (const release of held.splice(0)) release();
      await stopping;
      shop.receiver.answer((response) => {
        response.end();
      });
      const next = await startTestGateway({ database });
      try {
        await shop.receiver.until(20);
        await eventually("every delivery is recorded", async () => (await deliveredOf(next, shop.id)) === 20);
        assertTimes(shop.receiver, 20, 1);
      } finally {
        await next.stop();
      }
    } finally {
      await database.drop();
    }
  });

  const onOneServer = { skip: CITUS_URL !== undefined && "closes the database of one server" };
  test(
    "outcomes during a database outage are kept, and deliveries continue after it",
    onOneServer,
    async () => {
      const shop = await shopWithWebhook(one);
      const held: (() => void)[] = [];
      shop.receiver.answer((response) => {
        held.push(() => response.end());
      });
      await writeEvents(one, shop.id, 30);
      await eventually("four deliveries are open", async () => held.length === 4);
      await refuseConnections(one.database);
      for (const release of held.splice(0)) release();
      shop.receiver.answer((response) => {
        response.end();
      });
      await allowConnections(one.database);
      await shop.receiver.until(30);
      await eventually("every delivery is recorded", async () => (await deliveredOf(one, shop.id)) === 30);
      const bodies = Map.groupBy(shop.receiver.received, ({ headers }) => String(headers["webhook-id"]));
      assert.equal(bodies.size, 30);
      for (const sent of bodies.values()) assert.equal(new Set(sent.map(({ body }) => body)).size, 1);
    },
  );
});
