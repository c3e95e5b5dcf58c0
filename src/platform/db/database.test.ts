import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { instant } from "../../kernel/time.ts";
import { at, connectWithinMs, type Database, isLostRace, onlyRow, openDatabase, sql } from "./database.ts";
import { isDatabaseAway } from "./errors.ts";

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await cloneDatabase();
  await database.rows(
    "create table things (name text primary key, number bigint, moment timestamptz, document json)",
  );
  db = open();
});
after(async () => {
  await db.close();
  await database.drop();
});

const open = (preparedStatements = true) =>
  openDatabase({ url: database.url, poolSize: 3, preparedStatements, onIdleError: () => {} });

const INSERT = sql("thing_insert", "insert into things (name, number) values ($1, $2)");
const UPDATE = sql("thing_update", "update things set number = number + 1 where name = $1");
const names = async () =>
  (await database.rows<{ name: string }>("select name from things order by name")).map((row) => row.name);

describe("a transaction", () => {
  test("commits when its work returns, and returns the result", async () => {
    assert.equal(
      await db.transaction(async (tx) => {
        await tx.rows(INSERT, ["kept", 1]);
        return 7;
      }),
      7,
    );
    assert.ok((await names()).includes("kept"));
  });

  test("rolls back when its work throws, and throws the same", async () => {
    const error = new Error("mine");
    const failed = db.transaction(async (tx) => {
      await tx.rows(INSERT, ["lost", 1]);
      throw error;
    });
    await assert.rejects(failed, error);
    assert.equal((await names()).includes("lost"), false);
  });

  test("whose statement failed can't be committed by work that ignores the error", async () => {
    const failed = db.transaction(async (tx) => {
      await tx.rows(INSERT, ["half", 1]);
      await tx.rows(INSERT, ["half", 2]).catch(() => {});
      return "fine";
    });
    await assert.rejects(failed, /ended in ROLLBACK/);
    assert.equal((await names()).includes("half"), false);
  });

  test("that loses seven deadlocks is done at its eighth attempt; after eight it fails", async () => {
    const loses = sql("deadlock_lost", "do $$ begin raise exception using errcode = '40P01'; end $$");
    const losing = async (times: number) => {
      let attempts = 0;
      const result = db.transaction(async (tx) => {
        attempts += 1;
        if (attempts <= times) await tx.rows(loses, []);
      });
      return result.then(
        () => `done at ${attempts}`,
        () => `failed at ${attempts}`,
      );
    };
    assert.deepEqual([await losing(7), await losing(8)], ["done at 8", "failed at 8"]);
  });

  test("and a single statement outside one is repeated, too", async () => {
    await database.rows("create sequence attempts");
    const loses = sql(
      "deadlock_lost_once",
      `do $$ begin if nextval('attempts') = 1 then raise exception using errcode = '40P01'; end if; end $$`,
    );
    await db.rows(loses, []);
    const [{ last_value: attempts } = { last_value: "0" }] = await database.rows<{ last_value: string }>(
      "select last_value from attempts",
    );
    assert.equal(attempts, "2");
  });

  test("and one on a replica is not, because the primary can answer it at once", async () => {
    await database.rows("create sequence attempts_on_replica");
    const loses = sql(
      "replay_conflict",
      `do $$ begin perform nextval('attempts_on_replica'); raise exception using errcode = '40001'; end $$`,
    );
    const { url } = database;
    const replica = openDatabase({
      url,
      poolSize: 1,
      preparedStatements: true,
      isReplica: true,
      onIdleError: () => {},
    });
    try {
      await assert.rejects(replica.rows(loses, []), (error) => isLostRace(error));
    } finally {
      await replica.close();
    }
    const [{ last_value: attempts } = { last_value: "0" }] = await database.rows<{ last_value: string }>(
      "select last_value from attempts_on_replica",
    );
    assert.equal(attempts, "1");
  });

  test("that loses a deadlock runs again, and both are done", async () => {
    await database.rows("insert into things (name, number) values ('one', 0), ('two', 0)");
    let runs = 0;
    let arrived = 0;
    let meet: () => void = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const cross = (first: string, second: string) =>
      db.transaction(async (tx) => {
        runs += 1;
        await tx.rows(UPDATE, [first]);
        arrived += 1;
        if (arrived === 2) meet();
        if (arrived <= 2) await met;
        await tx.rows(UPDATE, [second]);
      });
    await Promise.all([cross("one", "two"), cross("two", "one")]);
    assert.ok(runs >= 3, String(runs));
    const rows = await database.rows<{ number: string }>(
      "select number from things where name in ('one', 'two')",
    );
    assert.deepEqual(
      rows.map((row) => row.number),
      ["2", "2"],
    );
  });

  test("whose connection is cut fails as away, and the pool recovers", async () => {
    const cut = db.transaction(async (tx) => {
      const [me] = await tx.rows<{ pid: number }>(sql("pid", "select pg_backend_pid() as pid"), []);
      await database.rows("select pg_terminate_backend($1)", [me?.pid]);
      await tx.rows(INSERT, ["cut", 1]);
    });
    await assert.rejects(cut, (error) => isDatabaseAway(error));
    await eventually("it works again", () =>
      db.rows(sql("one", "select 1"), []).then(
        () => true,
        () => false,
      ),
    );
    assert.equal((await names()).includes("cut"), false);
    assert.equal(db.load().waiting, 0);
  });

  test("that fails releases its connection, every time", async () => {
    for (let round = 0; round < 20; round += 1) {
      await assert.rejects(
        db.transaction(async () => {
          throw new Error("x");
        }),
      );
      await assert.rejects(db.rows(sql("broken", "select nothing from nowhere"), []));
    }
    const { total, idle, waiting } = db.load();
    assert.ok(total <= 3);
    assert.equal(total, idle);
    assert.equal(waiting, 0);
  });
});

describe("values", () => {
  const WRITE = sql("thing_write", "insert into things values ($1, $2, $3, $4)");
  const READ = sql("thing_read", "select number, moment, document from things where name = $1");

  test("integers, moments and JSON come back exactly as they were written", async () => {
    const moments = ["1999-12-31T23:59:59.999Z", "2026-02-28T13:00:00.001Z", "2046-07-01T00:00:00.000Z"];
    for (const [index, moment] of moments.entries()) {
      const text = '{"b" : 1,\n "a":[1.0, 1e2, "\\u00e9"]}';
      await db.rows(WRITE, [`value-${index}`, 99_999_999_999, at(instant(Date.parse(moment))), text]);
      const row = onlyRow(await db.rows<object>(READ, [`value-${index}`]));
      assert.deepEqual(row, { number: 99_999_999_999, moment: Date.parse(moment), document: text });
    }
    await db.rows(WRITE, ["empty", null, null, null]);
    assert.deepEqual(onlyRow(await db.rows<object>(READ, ["empty"])), {
      number: null,
      moment: null,
      document: null,
    });
  });

  test("without prepared statements all is the same", async () => {
    const plain = open(false);
    try {
      for (let round = 0; round < 3; round += 1) {
        const row = onlyRow(await plain.rows<{ number: number }>(READ, ["value-0"]));
        assert.equal(row.number, 99_999_999_999);
      }
      const prepared = await plain.rows(sql("prepared", "select name from pg_prepared_statements"), []);
      assert.deepEqual(prepared, []);
    } finally {
      await plain.close();
    }
  });

  test("what looks like SQL in a value is a value", async () => {
    const hostile = "x'); drop table things; --";
    await db.rows(INSERT, [hostile, 1]);
    assert.ok((await names()).includes(hostile));
  });

  test("one row means one", () => {
    assert.equal(onlyRow([5]), 5);
    assert.throws(() => onlyRow([]));
    assert.throws(() => onlyRow([1, 2]));
  });
});

describe("a connection that breaks in the moment when it is handed out", () => {
  const message = (type: string, ...parts: readonly Uint8Array[]) => {
    const body = Buffer.concat(parts);
    const head = Buffer.from(`${type}....`);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const fatal = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));
  // "You are in", "ready", and "I am shutting down" in one packet, as a server does that is stopped under load.
  const packet = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I")), fatal]);

  test("fails what wanted it, and does not end the process", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(packet));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://someone@127.0.0.1:${port}/x`;
    const broken = openDatabase({ url, poolSize: 3, preparedStatements: true, onIdleError: () => {} });
    try {
      for (let round = 0; round < 5; round += 1) {
        await assert.rejects(
          broken.transaction(async () => {}),
          (error) => isDatabaseAway(error),
        );
        await assert.rejects(broken.rows(sql("one", "select 1"), []), (error) => isDatabaseAway(error));
      }
    } finally {
      await broken.close();
      server.close();
    }
  });
});

describe("a server that takes a connection and says nothing", () => {
  for (const { isReplica, seconds, within } of [
    { isReplica: false, seconds: 1, within: "the seconds that its URL names" },
    { isReplica: true, seconds: 600, within: "two seconds if it is a replica, whatever its URL says" },
  ])
    test(`is given up after ${within}`, async () => {
      const server = createServer((socket) => socket.on("error", () => {}));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const url = `postgres://someone@127.0.0.1:${port}/x?connect_timeout=${seconds}`;
      const options = { url, poolSize: 1, preparedStatements: true, onIdleError: () => {} };
      const silent = openDatabase({ ...options, isReplica });
      const began = performance.now();
      try {
        await assert.rejects(silent.rows(sql("one", "select 1"), []), (error) => isDatabaseAway(error));
        assert.ok(performance.now() - began >= 950);
        assert.ok(performance.now() - began < 60_000);
      } finally {
        await silent.close();
        server.close();
      }
    });

  for (const [url, ms] of [
    ["postgres://a@b/c", 5_000],
    ["postgres://a@b/c?connect_timeout=60", 60_000],
    ["postgres://a@b/c?sslmode=require&connect_timeout=7&application_name=x", 7_000],
    ["postgres://a@b/c?connect_timeout=0", 5_000],
    ["postgres://a@b/c?connect_timeout=-1", 5_000],
    ["postgres://a@b/c?connect_timeout=soon", 5_000],
  ] as const)
    test(`${url} allows ${ms} ms`, () => {
      assert.equal(connectWithinMs(url, 5_000), ms);
    });
});
