import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { lendsSessions } from "./lent-sessions.ts";

// Those that lend them are in tests/interop/pgbouncer.test.ts.
describe("a server without a pooler keeps its sessions", () => {
  const suffix = randomBytes(6).toString("hex");
  const [owner, login] = [`owner_${suffix}`, `login_${suffix}`];
  let database: TestDatabase;
  let url: string;
  before(async () => {
    database = await cloneDatabase();
    const asLogin = new URL(database.url);
    [asLogin.username, asLogin.password] = [login, "a-password-of-a-test"];
    url = asLogin.href;
    await database.rows(`create role ${owner} nologin`);
    await database.rows(
      `create role ${login} login password 'a-password-of-a-test' in role ${owner} connection limit 2`,
    );
  });
  after(async () => {
    for (const role of [login, owner]) await database.rows(`drop role ${role}`);
    await database.drop();
  });

  test("also for a role that becomes another one, which may not see when its own session began", async () => {
    assert.equal(await lendsSessions(url), false);
    await database.rows(`alter role ${login} set role = '${owner}'`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      "select backend_start from pg_stat_activity where pid = pg_backend_pid()",
    );
    await client.end();
    assert.deepEqual(rows, [{ backend_start: null }]);
    assert.equal(await lendsSessions(url), false);
  });

  test("it leaves no connection behind, and asks nothing where there is room for one alone", async () => {
    for (let turn = 0; turn < 5; turn += 1) assert.equal(await lendsSessions(url), false);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    assert.equal(await lendsSessions(url), false);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await assert.rejects(lendsSessions(url), /too many connections/);
    for (const one of [client, other]) await one.end();
  });
});
