import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { type Database, openDatabase } from "./database.ts";
import { insertFrom, mergeParts } from "./merge-parts.ts";

const TAKE = mergeParts(
  "take",
  [
    { as: "open", text: "select id from things where id = $1 and size = $2 for update" },
    { as: "grown", text: "update things set size = $2 from open where things.id = $1 returning things.id" },
    { as: "note", text: insertFrom("notes", "thing, words", "grown") },
  ],
  "grown",
);

describe("a statement merged from parts", () => {
  let database: TestDatabase;
  let db: Database;
  before(async () => {
    database = await cloneDatabase();
    db = openDatabase({ url: database.url, poolSize: 4, preparedStatements: true, onIdleError: () => {} });
    await database.rows("create table things (id integer primary key, size integer)");
    await database.rows("create table notes (thing integer, words text not null)");
    await database.rows("insert into things values (1, 10)");
  });
  after(async () => {
    await db.close();
    await database.drop();
  });
  const notes = () => database.rows("select thing, words from notes");

  test("takes the parameters of its parts one after another", async () => {
    assert.deepEqual(await db.rows(TAKE, [1, 10, 1, 11, 1, "grown"]), [{ id: 1 }]);
    assert.deepEqual(await notes(), [{ thing: 1, words: "grown" }]);
  });

  test("writes nothing when the locked row is not as it was read", async () => {
    assert.deepEqual(await db.rows(TAKE, [1, 10, 1, 12, 1, "again"]), []);
    assert.deepEqual(await database.rows("select size from things"), [{ size: 11 }]);
    assert.equal((await notes()).length, 1);
  });

  test("writes nothing when one part is refused", async () => {
    await assert.rejects(db.rows(TAKE, [1, 11, 1, 12, 1, null]), { code: "23502" });
    assert.deepEqual(await database.rows("select size from things"), [{ size: 11 }]);
  });

  test("of several at once on the same state exactly one writes", async () => {
    const all = await Promise.all([1, 2, 3, 4].map((n) => db.rows(TAKE, [1, 11, 1, 20 + n, 1, `n${n}`])));
    assert.equal(all.flat().length, 1);
    assert.equal((await notes()).length, 2);
  });
});
