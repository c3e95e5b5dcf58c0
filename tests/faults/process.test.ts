import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { TEST_KEY } from "../support/calls.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway } from "../support/gateway.ts";
import { allowConnections, holdTable, refuseConnections, waiting } from "../support/outage.ts";
import { openSocket } from "../support/raw-http.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { type SpawnedGateway, type SpawnOptions, spawnGateway } from "../support/spawned-gateway.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

/** Starts a gateway process that is killed after the test. */
async function spawned(t: TestContext, options: SpawnOptions = {}): Promise<SpawnedGateway> {
  const environment = { DATABASE_URL: database.url, ...options.environment };
  const gateway = await spawnGateway({ ...options, environment });
  t.after(() => gateway.kill());
  return gateway;
}

/**
 * Sends SIGTERM while a request on a keep-alive connection is in flight, and waits until new ones are refused. The returned
 * function lets that request finish, and returns its status.
 */
async function stopWithOneInFlight(
  t: TestContext,
  gateway: SpawnedGateway,
  reference: string,
): Promise<() => Promise<number | undefined>> {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const release = await holdTable(database, "payment_requests");
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const call = request(`${gateway.baseUrl.replace("localhost", "127.0.0.1")}/paymentrequests`, {
      agent,
      method: "POST",
      headers: { "x-api-key": TEST_KEY, "content-type": "application/json" },
    });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    call.on("error", reject);
    call.end(JSON.stringify({ ...CHECKOUT, reference }));
  });
  await eventually("the request is in flight", async () => (await waiting(database)) === 1);
  gateway.signal("SIGTERM");
  await eventually("new connections are refused", async () =>
    gateway.get("/healthz").then(
      () => false,
      () => true,
    ),
  );
  return async () => {
    await release();
    return answer;
  };
}

describe("contract 10: stopping", () => {
  for (const signals of [["SIGTERM"], ["SIGINT", "SIGINT", "SIGTERM"]] as const) {
    test(`exits with 0 within 20 seconds after ${signals.join(", ")}`, async (t) => {
      const gateway = await spawned(t);
      assert.equal((await gateway.get("/readyz")).status, 200);
      const startedAt = Date.now();
      for (const signal of signals) gateway.signal(signal);
      assert.deepEqual(await gateway.exit, { code: 0, signal: null });
      assert.ok(Date.now() - startedAt < 20_000);
      await assert.rejects(gateway.get("/healthz"));
    });
  }

  test("SIGTERM to `npm start` stops the gateway, not only npm: it exits with 0, and nothing listens any more", async (t) => {
    const gateway = await spawned(t, { byNpm: true });
    assert.equal((await gateway.get("/readyz")).status, 200);
    gateway.signal("SIGTERM");
    await eventually("npm and the gateway have exited", async () => gateway.hasEnded());
    assert.deepEqual(await gateway.exit, { code: 0, signal: null });
    await assert.rejects(gateway.get("/healthz"));
  });

  test("a request in flight on a keep-alive connection finishes, and new requests are refused", async (t) => {
    const gateway = await spawned(t);
    const finish = await stopWithOneInFlight(t, gateway, "in-flight");
    assert.equal(gateway.hasEnded(), false);
    assert.equal(await finish(), 200);
    const finished = Date.now();
    assert.deepEqual(await gateway.exit, { code: 0, signal: null });
    assert.ok(Date.now() - finished < 20_000, `${Date.now() - finished} ms`);
    assert.equal(
      (await database.rows("select 1 from payment_requests where reference = 'in-flight'")).length,
      1,
    );
  });

  test("a job that becomes due while a request in flight finishes is left to the next node", async (t) => {
    const gateway = await spawned(t);
    const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    // A node that keeps running, on a database of its own: it looks for due jobs as often.
    const running = await startTestGateway();
    t.after(() => running.stop());
    const finish = await stopWithOneInFlight(t, gateway, "before-a-job");
    const dueOf = async (subject: string = id, at: TestDatabase = database) =>
      (await at.rows("select due_at, tries from jobs where subject_id = $1", [subject]))[0];
    const makeDue = (subject: string, at: TestDatabase) =>
      at.rows("update jobs set due_at = now() where subject_id = $1", [subject]);
    await makeDue(id, database);
    const due = await dueOf();
    // Of two looks in a row, a worker that had not stopped would have had the first.
    for (const look of ["first", "second"]) {
      const { id: other } = (await running.post("/paymentrequests", CHECKOUT)).body;
      await makeDue(other, running.database);
      const before = await dueOf(other, running.database);
      await eventually(
        `the running node finds its job, ${look} look`,
        async () => !isDeepStrictEqual(await dueOf(other, running.database), before),
      );
    }
    assert.deepEqual(await dueOf(), due);
    assert.equal(await finish(), 200);
    assert.deepEqual(await gateway.exit, { code: 0, signal: null });
    assert.deepEqual(await dueOf(), due);
    await spawned(t);
    await eventually("the next node runs it", async () => !isDeepStrictEqual(await dueOf(), due));
  });

  test("idle connections do not delay the stop", async (t) => {
    const gateway = await spawned(t);
    const idle = await Promise.all(Array.from({ length: 5 }, () => openSocket(gateway.baseUrl)));
    t.after(() => {
      for (const socket of idle) socket.destroy();
    });
    await gateway.get("/healthz");
    const startedAt = Date.now();
    gateway.signal("SIGTERM");
    assert.deepEqual(await gateway.exit, { code: 0, signal: null });
    assert.ok(Date.now() - startedAt < 20_000, `${Date.now() - startedAt} ms`);
  });

  test("stops while the database is unavailable, too", async (t) => {
    const gateway = await spawned(t);
    await refuseConnections(database);
    try {
      assert.equal((await gateway.get("/readyz")).status, 503);
      gateway.signal("SIGTERM");
      assert.deepEqual(await gateway.exit, { code: 0, signal: null });
    } finally {
      await allowConnections(database);
    }
  });

  test("a signal during the start stops the gateway", async (t) => {
    const gateway = await spawned(t, { untilReady: false });
    await eventually("the process has started", async () => gateway.pid > 0);
    // Before the handler is installed, the signal kills the process. Both outcomes are fine; hanging is not.
    gateway.signal("SIGTERM");
    const { code, signal } = await gateway.exit;
    assert.ok(code === 0 || signal === "SIGTERM");
  });

  /** Applied outside a transaction, to a table of every request; it can be repeated. */
  const ALTERS_MERCHANTS = "0076_three_d_secure_attempted.sql";
  const MIGRATION_LOCK = 7_433_001;
  const waits = [
    {
      what: "waits for another node's migrations, and says so,",
      hold: `begin; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
      isWaiting: async (gateway: SpawnedGateway) =>
        gateway.stderr().includes("waiting for another process that migrates the database"),
    },
    {
      what: "migrates a table that is in use",
      hold: "begin; select from merchants limit 1",
      isWaiting: async () =>
        (
          await database.rows(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%alter table merchants%'`,
          )
        ).length > 0,
    },
  ];
  for (const { what, hold, isWaiting } of waits) {
    test(`a start that ${what} ends with 0 on SIGTERM, without listening, and the next start goes on`, async (t) => {
      await database.rows("delete from schema_migrations where name = $1", [ALTERS_MERCHANTS]);
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      t.after(() => holder.end());
      await holder.query(hold);
      const gateway = await spawned(t, { untilReady: false });
      await eventually("the start waits", () => isWaiting(gateway), 60_000);
      gateway.signal("SIGTERM");
      assert.deepEqual(await gateway.exit, { code: 0, signal: null }, gateway.stderr());
      assert.equal(gateway.stdout(), "");
      await holder.query("rollback");
      const next = await spawned(t);
      assert.equal((await next.get("/readyz")).status, 200);
      assert.doesNotMatch(next.stderr(), /waiting for another process/);
    });
  }
});

describe("contract 10: starting", () => {
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");

  test("prints one line with its URLs when ready, and never prints a configured key", async (t) => {
    const gateway = await spawned(t);
    const ready = lines(gateway.stdout()).filter((line) => line.includes("ready"));
    assert.equal(ready.length, 1);
    assert.match(
      ready[0] ?? "",
      new RegExp(`^Tidegate is ready: API ${gateway.baseUrl}, .*${gateway.hostedUrl}`),
    );
    assert.equal((gateway.stdout() + gateway.stderr()).includes(TEST_KEY), false);
  });

  test("the first start without a configured key prints a new key once, and an example request that works", async (t) => {
    const empty = await cloneDatabase();
    t.after(() => empty.drop());
    const environment = { DATABASE_URL: empty.url, TIDEGATE_SANDBOX_API_KEY: "" };
    const first = await spawnGateway({ environment });
    t.after(() => first.kill());
    const keys = first.stdout().match(/tg_sandbox_[\w-]{43}/g) ?? [];
    assert.equal(new Set(keys).size, 1);
    const [key = ""] = keys;
    assert.match(first.stdout(), /curl .*\/paymentrequests/);
    const link = `${first.baseUrl}/dashboard/welcome#`;
    assert.equal(first.stdout().split(link).length, 2, "the link to the dashboard is printed once");
    const body = /-d '(.+)'/.exec(first.stdout())?.[1] ?? "";
    assert.equal((await first.post("/paymentrequests", body, { key })).status, 200);
    assert.equal(first.stderr().includes(key), false);
    await first.kill();
    const second = await spawnGateway({ environment });
    t.after(() => second.kill());
    assert.doesNotMatch(second.stdout(), /tg_sandbox_|welcome#/);
    assert.equal((await second.get("/events", { key })).status, 200);
  });

  test("the first start with a configured key prints an example request that names its variable", async (t) => {
    const empty = await cloneDatabase();
    t.after(() => empty.drop());
    const environment = { DATABASE_URL: empty.url, TIDEGATE_SANDBOX_API_KEY: TEST_KEY };
    const first = await spawnGateway({ environment });
    t.after(() => first.kill());
    assert.match(first.stdout(), /curl .*\/paymentrequests/);
    assert.match(first.stdout(), /-H "X-Api-Key: \$TIDEGATE_SANDBOX_API_KEY"/);
    assert.equal((first.stdout() + first.stderr()).includes(TEST_KEY), false);
    const body = /-d '(.+)'/.exec(first.stdout())?.[1] ?? "";
    assert.equal((await first.post("/paymentrequests", body, { key: TEST_KEY })).status, 200);
  });

  test("a wrong setting exits with 1 and one line with the variable, the problem and the allowed values", async (t) => {
    const gateway = await spawned(t, { environment: { TIDEGATE_API_PORT: "http" }, untilReady: false });
    assert.deepEqual(await gateway.exit, { code: 1, signal: null });
    const line = "TIDEGATE_API_PORT is not a whole number; allowed: a whole number from 1 to 65535";
    assert.equal(gateway.stderr(), `tidegate: ${line}\n`);
    assert.equal(gateway.stdout(), "");
  });

  test("a port in use exits with 1 and one line that names its variable", async (t) => {
    const port = await occupyPort(t);
    const environment = { TIDEGATE_API_PORT: String(port) };
    const gateway = await spawned(t, { environment, untilReady: false });
    assert.deepEqual(await gateway.exit, { code: 1, signal: null });
    const line = `TIDEGATE_API_PORT is ${port}, which another program listens on; allowed: a free port`;
    assert.equal(gateway.stderr(), `tidegate: ${line}\n`);
  });
});

async function occupyPort(t: TestContext): Promise<number> {
  const port = await freePort();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, "127.0.0.1", resolve));
  t.after(() => taken.close());
  return port;
}

describe("contract 10: the embedded database", () => {
  test("refuses a second gateway on its folder in one line, and a killed gateway loses nothing", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-process-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const environment = { TIDEGATE_DATA_DIR: folder, DATABASE_URL: "" };
    const first = await spawnGateway({ environment });
    t.after(() => first.kill());
    const { id } = (await first.post("/paymentrequests", CHECKOUT)).body;

    const second = await spawnGateway({ environment, untilReady: false });
    t.after(() => second.kill());
    assert.deepEqual(await second.exit, { code: 1, signal: null });
    assert.match(second.stderr(), /^tidegate: a Tidegate is already running on .+\n$/);
    assert.equal((await first.get("/readyz")).status, 200);

    await first.kill();
    const third = await spawnGateway({ environment });
    t.after(() => third.kill());
    assert.equal((await third.get(`/paymentrequests/${id}`)).status, 200);
    third.signal("SIGTERM");
    assert.deepEqual(await third.exit, { code: 0, signal: null });
  });
});
