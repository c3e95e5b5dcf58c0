import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { startDatabaseProxy } from "../../../tests/support/database-proxy.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { keepPresence } from "./presence.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

describe("the session that shows a node to the others", () => {
  test("keeps its name while the server answers", async (t) => {
    const keeper = await keepPresence(database.url, true);
    t.after(keeper.close);
    const { name, pid } = keeper.current();
    await eventually("it is checked", async () => {
      const asked = await database.rows(
        "select from pg_stat_activity where pid = $1 and query = 'select 1' and state = 'idle'",
        [pid],
      );
      return asked.length > 0;
    });
    assert.equal(keeper.current().name, name);
    assert.equal(keeper.current().isOver(), false);
  });

  test("is replaced when packets vanish: no side is notified of that", async () => {
    const proxy = await startDatabaseProxy(database.url, () => 0);
    const keeper = await keepPresence(proxy.url, true);
    try {
      const first = keeper.current();
      assert.notEqual(first.pid, null);
      proxy.set("hang");
      await eventually("its name ends", async () => first.isOver());
      assert.equal(keeper.current().pid, null);
      proxy.set("pass");
      await eventually("another session shows the node", async () => keeper.current().pid !== null);
      assert.notEqual(keeper.current().name, first.name);
    } finally {
      await proxy.close();
      await keeper.close();
    }
  });
});
