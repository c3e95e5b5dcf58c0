import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
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

  test("that waits for a table gives way to queries after two seconds, and is done once it is free", async () => {
    assert.equal((await forget()).length, 1);
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query("begin; select from merchants limit 1");
    const migrating = migrate(database.url);
    try {
      await eventually(
        "it waits for the reader",
        async () =>
          (
            await database.rows(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and query like '%alter table merchants%'`,
            )
          ).length === 1,
      );
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
