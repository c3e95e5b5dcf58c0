import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { applyMigration } from "../../src/platform/db/apply-migration.ts";
import { sqlState } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

/** Alters a table of every request, outside a transaction. */
const ALTERS_MERCHANTS = "0076_three_d_secure_attempted.sql";

describe("a migration", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
  });
  after(() => database.drop());

  const forget = () =>
    database.rows("delete from schema_migrations where name = $1 returning name", [ALTERS_MERCHANTS]);

  const isWaiting = async (statement: string) =>
    (
      await database.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like $1`,
        [statement],
      )
    ).length === 1;

  test("that waits for a table gives way to queries after two seconds, and is done once it is free", async () => {
    assert.equal((await forget()).length, 1);
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query("begin; select from merchants limit 1");
    const migrating = migrate(database.url);
    try {
      await eventually("it waits for the reader", () => isWaiting("%alter table merchants%"));
      // It would wait behind the migration as long as the reader is there.
      const answered = await Promise.race([
        database.rows("select from merchants limit 1").then(() => "answered"),
        new Promise((resolve) => setTimeout(resolve, 10_000, "still waiting").unref()),
      ]);
      assert.equal(answered, "answered");
    } finally {
      await reader.query("rollback");
      await reader.end();
    }
    assert.deepEqual(await migrating, [ALTERS_MERCHANTS]);
  });

  test("that loses a deadlock with a payment is repeated, and the payment is done", async () => {
    await database.rows("create table held (id int primary key, changes int not null)");
    await database.rows("insert into held values (1, 0)");
    const payment = new pg.Client({ connectionString: database.url });
    const client = new pg.Client({ connectionString: database.url });
    await Promise.all([payment.connect(), client.connect()]);
    await payment.query("begin; select from held for update");

    // Lets rows be locked, not changed. The other change waits for the payment, which by then waits to change its row.
    const weaker = `create trigger held_valid before update on held for each row
      execute function suppress_redundant_updates_trigger()`;
    const stronger = "alter table held add column note text";
    const lost: (string | undefined)[] = [];
    let paid: Promise<unknown> | undefined;
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    const meeting = async (text: string, values?: unknown[]) => {
      if (text === stronger && paid === undefined) {
        paid = payment.query("update held set changes = changes + 1; commit");
        await eventually("the payment waits for the migration", () => isWaiting("update held%"));
      }
      return query(text, values).catch((error: unknown) => {
        lost.push(sqlState(error));
        throw error;
      });
    };
    try {
      await applyMigration(
        Object.assign(client, { query: meeting }),
        { name: "9999_held.sql", text: "", checksum: "" },
        [weaker, stronger],
      );
      await paid;
    } finally {
      await Promise.all([payment.end(), client.end()]);
    }
    assert.deepEqual(lost, ["40P01"]);
    assert.deepEqual(await database.rows("select changes, note from held"), [{ changes: 1, note: null }]);
    const recorded = await database.rows(
      "delete from schema_migrations where name = '9999_held.sql' returning name",
    );
    assert.equal(recorded.length, 1);
  });

  test("that loses a deadlock while it builds an index concurrently ends, because the next run drops what is left", async () => {
    const sent: string[] = [];
    const query = async (text: string) => {
      sent.push(text);
      if (text.startsWith("create index"))
        throw Object.assign(new pg.DatabaseError("deadlock detected", 1, "error"), { code: "40P01" });
    };
    const build = "create index concurrently held_changes on held (changes)";
    await assert.rejects(
      applyMigration(
        Object.assign(new pg.Client(), { query }),
        { name: "9999_held.sql", text: "-- Outside a transaction.", checksum: "" },
        ["drop index concurrently if exists held_changes", build],
      ),
      { code: "40P01" },
    );
    assert.equal(sent.filter((text) => text === build).length, 1);
  });

  test("that a database lacks makes a command refuse, and change nothing", async () => {
    await forget();
    const { code, stderr } = await runCommand(database, ["merchant", "list"]);
    assert.deepEqual([code, (await forget()).length], [1, 0]);
    assert.match(
      stderr,
      new RegExp(
        `the database lacks 1 migrations of this version, the first is ${ALTERS_MERCHANTS}: run .tidegate migrate.`,
      ),
    );
    assert.deepEqual(await migrate(database.url), [ALTERS_MERCHANTS]);
  });
});
