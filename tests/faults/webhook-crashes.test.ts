import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { CHECKOUT } from "../support/asks.ts";
import { callsTo } from "../support/calls.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { bringBack, cutConnections, holdTable, takeAway } from "../support/outage.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { writeEvents } from "../support/webhook-load.ts";
import { hookedShop } from "../support/webhooks.ts";

const deliveredOf = async (gateway: TestGateway, merchantId: string) =>
  (
    await gateway.database.rows("select from deliveries where merchant_id = $1 and status = 'delivered'", [
      merchantId,
    ])
  ).length;

/** Every event came exactly so often, and always with the same bytes. */
function assertTimes(receiver: Receiver, events: number, times: number): void {
  const bodies = Map.groupBy(receiver.received, ({ headers }) => String(headers["webhook-id"]));
  assert.equal(bodies.size, events);
  for (const [id, sent] of bodies) {
    assert.equal(sent.length, times, `${id} came ${sent.length} times`);
    assert.equal(new Set(sent.map(({ body }) => body)).size, 1, id);
  }
}

describe("PROOF rule 4: a crash gives a duplicate, never a loss", () => {
  test("killed after the endpoint said 200 and before that was written down: it is sent again", async () => {
    const database = await cloneDatabase();
    try {
      let release = async () => {};
      const receiver = await startReceiver(async (response, { repeat }) => {
        // Nothing can be written down from here on.
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
      // The lease would hold for an hour; but its node's session is gone, and nobody waits for it.
      const leases = await database.rows(
        "update delivery_leases set until = now() + interval '1 hour' where session_pid is not null returning 1",
      );
      assert.equal(leases.length, 1);
      await cutConnections(database);
      await release();
      const second = await startTestGateway({ database });
      try {
        await receiver.until(2, 20_000);
        await eventually("it is written down", async () => {
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

describe("contract 7, 10: several nodes, and a database that goes away", () => {
  let one: TestGateway;
  before(async () => {
    one = await startTestGateway();
  });
  after(() => one.stop());

  test("two nodes share the work: every event comes once, and never more than four at once", async () => {
    const two = await startTestGateway({ database: one.database });
    try {
      const shops = await Promise.all(Array.from({ length: 6 }, () => hookedShop(one)));
      await Promise.all(shops.map(({ id }) => writeEvents(one, id, 50)));
      await Promise.all(
        shops.map(({ key }, index) =>
          (index % 2 === 0 ? one : two).post("/paymentrequests", CHECKOUT, { key }),
        ),
      );
      for (const { receiver } of shops) await receiver.until(51, 30_000);
      for (const { id } of shops) {
        await eventually("all is written down", async () => (await deliveredOf(one, id)) === 51);
      }
      for (const { receiver } of shops) {
        assertTimes(receiver, 51, 1);
        assert.ok(receiver.mostAtOnce() <= 4);
      }
    } finally {
      await two.stop();
    }
  });

  test("a node that died lets go of its merchants when its lease ends, and of nothing before", async () => {
    const shop = await hookedShop(one);
    await one.database.rows(
      "insert into delivery_leases (merchant_id, holder, until) values ($1, 'a node that died', now() + interval '2 seconds')",
      [shop.id],
    );
    const begun = Date.now();
    await shop.create();
    const [first] = await shop.receiver.until(1);
    const waited = (first?.at ?? 0) - begun;
    assert.ok(waited > 1_500 && waited < 6_000, `${waited} ms`);
  });

  test("while the session of a lease's node lives nobody else delivers; when it ends, at once", async () => {
    const [shop, other] = [await hookedShop(one), await hookedShop(one)];
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
      const figures: string = (await one.get("/metrics")).body;
      assert.match(figures, /^tidegate_webhook_due [1-9]/m);
      assert.match(figures, /^tidegate_webhook_oldest_due_seconds 0*[.\d]*[1-9]/m);
    } finally {
      await node.end();
    }
    await shop.receiver.until(1);
  });

  test("a node that loses its session goes on under another name", async () => {
    const shop = await hookedShop(one);
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
    await eventually("it has another name", async () => {
      await shop.create();
      const now = await holder();
      return now !== undefined && now !== before;
    });
  });

  test("a lease that a node holds without knowing it keeps nobody waiting, however busy the node is", async () => {
    const [busy, forgotten] = [await hookedShop(one), await hookedShop(one)];
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
    await eventually("it is delivered", async () => {
      await busy.create();
      return forgotten.receiver.received.length > 0;
    });
  });

  test("a node that stops leaves what is queued to the next, and what is under way is finished", async () => {
    const database = await cloneDatabase();
    try {
      const leaving = await startTestGateway({ database });
      const held: (() => void)[] = [];
      const shop = await hookedShop(leaving, (response) => {
        held.push(() => response.end());
      });
      await writeEvents(leaving, shop.id, 20);
      await eventually("four are under way", async () => held.length === 4);
      const stopping = leaving.stop();
      for (const release of held.splice(0)) release();
      await stopping;
      shop.receiver.answer((response) => {
        response.end();
      });
      const next = await startTestGateway({ database });
      try {
        await shop.receiver.until(20);
        await eventually("all is written down", async () => (await deliveredOf(next, shop.id)) === 20);
        assertTimes(shop.receiver, 20, 1);
      } finally {
        await next.stop();
      }
    } finally {
      await database.drop();
    }
  });

  test("while the database is away outcomes are kept, and everything goes on when it is back", async () => {
    const shop = await hookedShop(one);
    const held: (() => void)[] = [];
    shop.receiver.answer((response) => {
      held.push(() => response.end());
    });
    await writeEvents(one, shop.id, 30);
    await eventually("four are under way", async () => held.length === 4);
    await takeAway(one.database);
    for (const release of held.splice(0)) release();
    shop.receiver.answer((response) => {
      response.end();
    });
    await bringBack(one.database);
    await shop.receiver.until(30, 30_000);
    await eventually("all is written down", async () => (await deliveredOf(one, shop.id)) === 30, 20_000);
    const bodies = Map.groupBy(shop.receiver.received, ({ headers }) => String(headers["webhook-id"]));
    assert.equal(bodies.size, 30);
    for (const sent of bodies.values()) assert.equal(new Set(sent.map(({ body }) => body)).size, 1);
  });
});
