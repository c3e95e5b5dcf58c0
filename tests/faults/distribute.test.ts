import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { distribute } from "../../src/platform/db/distribute.ts";
import {
  DISTRIBUTED_TABLES,
  INDEXES_OF_SERVERS,
  REFERENCE_TABLES,
} from "../../src/platform/db/distribution.ts";
import { migrate, migrateDistributed } from "../../src/platform/db/migrate.ts";
import { CITUS_URL } from "../support/citus.ts";
import type { TestDatabase } from "../support/database.ts";
import { startTestGateway } from "../support/gateway.ts";
import { cloneUndistributed } from "../support/undistributed.ts";

const TABLES = [...Object.keys(REFERENCE_TABLES), ...DISTRIBUTED_TABLES];

async function within<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  application_name?: string,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Distributes with a connection that breaks before the first statement that is like this. */
async function interruptAt(url: string, statement: RegExp): Promise<void> {
  await within(url, async (client) => {
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    const breaking = async (text: string, values?: unknown[]) => {
      if (statement.test(`${text} ${values?.join() ?? ""}`)) throw new Error("the connection broke");
      return query(text, values);
    };
    await assert.rejects(distribute(Object.assign(client, { query: breaking })), /the connection broke/);
  });
}

const messageOf = async (failing: Promise<unknown>) =>
  String(operatorMessage(await failing.catch((error: unknown) => error)));

/** Foreign keys and triggers, without those of shards. */
const rulesOf = async (database: TestDatabase) =>
  (
    await database.rows<{ name: string }>(
      `select name from (
         select conname as name from pg_constraint where contype = 'f'
         union all select tgname from pg_trigger where not tgisinternal) rules
       where name !~ '_\\d{6,}$' order by 1`,
    )
  ).map(({ name }) => name);

/** Those that distributed databases alone have. */
const hasIndexes = async (database: TestDatabase) =>
  (
    await database.rows("select from unnest($1::text[]) as name where to_regclass(name) is null", [
      Object.keys(INDEXES_OF_SERVERS),
    ])
  ).length === 0;

/** Tables whose rows the coordinator still has beside the servers that they moved to. */
const copiesIn = async (database: TestDatabase) =>
  (
    await database.rows<{ name: string }>(
      CITUS_URL === undefined
        ? "select logicalrelid::text as name from pg_dist_partition where has_copy"
        : "select name from unnest($1::text[]) as name where pg_relation_size(name::regclass) > 0",
      CITUS_URL === undefined ? [] : [TABLES],
    )
  ).map(({ name }) => name);

describe("a distribution that was interrupted", () => {
  let whole: readonly string[];
  before(async () => {
    const database = await cloneUndistributed();
    await migrateDistributed(database.url);
    whole = await rulesOf(database);
    await database.drop();
  });

  const cases: Readonly<Record<string, RegExp>> = {
    "between two tables": /create_distributed_table.*jobs/,
    "after a table has moved, before its copy is deleted": /truncate_local_data.*jobs/,
    "while foreign keys are restored": /^alter table refunds add constraint/,
    "before the last statement": /set ended_at/,
  };
  for (const [when, statement] of Object.entries(cases))
    test(`${when} goes on with the next run, and nothing is left behind`, async () => {
      const database = await cloneUndistributed();
      try {
        await database.rows(
          "insert into jobs (kind, merchant_id, subject_id, due_at) values ('do', 'mer_a', 's', now())",
        );
        await interruptAt(database.url, statement);
        assert.match(await messageOf(migrate(database.url)), /distributed in part: run .* again/);
        await migrateDistributed(database.url);
        assert.deepEqual(await copiesIn(database), []);
        assert.deepEqual(await rulesOf(database), whole);
        assert.ok(await hasIndexes(database));
        assert.equal((await database.rows("select from jobs")).length, 1);
        assert.deepEqual(await migrateDistributed(database.url), { applied: [], distributed: [] });
        assert.deepEqual(await migrate(database.url), []);
      } finally {
        await database.drop();
      }
    });
});

describe("an upgrade of a distributed database", () => {
  /** Makes a table, and a trigger on a table that is distributed. */
  const WITH_TABLE = "0079_payment_days.sql";
  /** Adds a constraint beside another change of its table. */
  const WITH_CHANGES = "0076_three_d_secure_attempted.sql";
  /** Drop constraints, and make a function and a trigger in their place. */
  const WITH_RULES = {
    "0091_transaction_rules.sql": "transaction",
    "0092_payment_request_rules.sql": "payment_request",
  };
  const UNDONE = [WITH_CHANGES, WITH_TABLE, ...Object.keys(WITH_RULES)];
  let database: TestDatabase;
  before(async () => {
    database = await cloneUndistributed();
    await migrateDistributed(database.url);
    await within(database.url, async (client) => {
      await client.query("set citus.enable_unsafe_triggers = on");
      await client.query("drop trigger payment_hours_change_of_day on payment_hours");
      await client.query("drop table payment_days");
      for (const [migration, noun] of Object.entries(WITH_RULES)) {
        await client.query(`drop trigger ${noun}s_valid on ${noun}s`);
        await client.query(`drop function refuse_invalid_${noun}`);
        const text = await readFile(new URL(`../../migrations/${migration}`, import.meta.url), "utf8");
        for (const [, constraint] of text.matchAll(/drop constraint (\w+)/g))
          await client.query(`alter table ${noun}s add constraint ${constraint} check (true)`);
      }
      await client.query("delete from schema_migrations where name = any ($1)", [UNDONE]);
      if (CITUS_URL === undefined)
        await client.query(
          "delete from pg_dist_partition p where not exists (select from pg_class c where c.oid = p.logicalrelid)",
        );
    });
  });
  after(() => database.drop());

  test("that adds a table is refused while a gateway is connected, however often it is tried", async () => {
    await within(
      database.url,
      async () => {
        for (const attempt of [migrate, migrate, migrateDistributed])
          assert.match(await messageOf(attempt(database.url)), /a gateway is connected to this database/);
      },
      "tidegate gateway",
    );
    const applied = await database.rows("select from schema_migrations where name = any ($1)", [UNDONE]);
    assert.deepEqual(applied, []);
  });

  test("is refused while a node runs whose sessions have a name of the operator's", async () => {
    const seen = (ago: string) =>
      database.rows(
        `insert into nodes (name, seen_at) values ('node', now() - $1::interval)
         on conflict (name) do update set seen_at = excluded.seen_at`,
        [ago],
      );
    await seen("9 seconds");
    assert.match(await messageOf(migrateDistributed(database.url)), /within the last 10 seconds: stop all/);
    // A node that was killed a while ago.
    await seen("11 seconds");
  });

  test("makes its migrations' constraints and triggers, and places their tables", async () => {
    assert.deepEqual(await migrate(database.url), UNDONE);
    const placed = await database.rows(
      "select from pg_dist_partition where logicalrelid = 'payment_days'::regclass and partmethod = 'h'",
    );
    assert.equal(placed.length, 1);
    const rules = await rulesOf(database);
    for (const trigger of ["payment_hours_change_of_day", "transactions_valid", "payment_requests_valid"])
      assert.ok(rules.includes(trigger), trigger);
  });

  test("adds an index that the version before did not have", async () => {
    await database.rows("drop index jobs_by_due");
    assert.ok(!(await hasIndexes(database)));
    assert.deepEqual((await migrateDistributed(database.url)).distributed, []);
    assert.ok(await hasIndexes(database));
  });

  test("that left a table in one place stops a gateway and commands, and the line says what to run", async () => {
    await database.rows("select undistribute_table('payment_days')");
    const expected = /distributed, but not its tables payment_days: stop all nodes, then run .*--citus/;
    assert.match(await messageOf(migrate(database.url)), expected);
    assert.match(await messageOf(startTestGateway({ database })), expected);
    assert.deepEqual((await migrateDistributed(database.url)).distributed, ["payment_days"]);
    assert.deepEqual(await migrate(database.url), []);
  });
});
