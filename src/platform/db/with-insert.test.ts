import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { type Database, openDatabase, sql } from "./database.ts";
import { withInsert } from "./with-insert.ts";

const PUT = sql("put", "insert into things (id, size) values ($1, $2)");
const GROW = sql("grow", "update things set size = size + $2 where id = $1 returning size");

describe("a statement that writes one more row", () => {
  let database: TestDatabase;
  let db: Database;
  before(async () => {
    database = await cloneDatabase();
    db = openDatabase({ url: database.url, poolSize: 2, preparedStatements: true, onIdleError: () => {} });
    await database.rows("create table things (id integer primary key, size integer)");
    await database.rows("create table notes (thing integer, words text not null)");
    await database.rows("create table alarms (thing integer)");
  });
  after(async () => {
    await db.close();
    await database.drop();
  });
  const notes = () => database.rows("select thing, words from notes order by thing, words");

  test("it writes its own row and the other one", async () => {
    await db.rows(withInsert(PUT, "notes", "thing, words"), [1, 10, 1, "made"]);
    assert.deepEqual(await database.rows("select id, size from things"), [{ id: 1, size: 10 }]);
    assert.deepEqual(await notes(), [{ thing: 1, words: "made" }]);
  });

  test("it returns what it returned before, and takes a third row", async () => {
    const all = withInsert(withInsert(GROW, "notes", "thing, words"), "alarms", "thing");
    assert.deepEqual(await db.rows(all, [1, 5, 1, "grown", 7]), [{ size: 15 }]);
    assert.deepEqual((await notes()).at(0), { thing: 1, words: "grown" });
    assert.deepEqual(await database.rows("select thing from alarms"), [{ thing: 7 }]);
  });

  test("when either row is refused, neither is written", async () => {
    const before = await notes();
    const put = withInsert(PUT, "notes", "thing, words");
    await assert.rejects(db.rows(put, [1, 10, 1, "a second time"]));
    await assert.rejects(db.rows(put, [2, 10, 2, null]));
    assert.deepEqual(await notes(), before);
    assert.equal((await database.rows("select id from things")).length, 1);
  });
});
