import assert from "node:assert/strict";
import { test } from "node:test";
import { cloneDatabase } from "../../../tests/support/database.ts";
import { openDatabase, sql } from "./database.ts";

test("a plan that a connection made on an empty table is made again when the table has grown", async () => {
  await using stage = new AsyncDisposableStack();
  const database = await cloneDatabase();
  stage.defer(() => database.drop());
  await database.rows("create table orders (number int primary key) with (autovacuum_enabled = false)");
  const options = { url: database.url, poolSize: 1, preparedStatements: true, onIdleError: () => {} };
  const one = openDatabase(options);
  stage.defer(() => one.close());
  const find = sql("order_find", "select from orders where number > $1");
  const explain = sql("order_explain", "explain execute order_find (0)");
  const plan = async () => (await one.rows<{ "QUERY PLAN": string }>(explain, []))[0]?.["QUERY PLAN"];
  const useTimes = async (times: number) => {
    for (let use = 0; use < times; use += 1) await one.rows(find, [50_000]);
  };

  await useTimes(1);
  const ofEmpty = await plan();
  await database.rows("insert into orders select generate_series(1, 50000)");
  await useTimes(40);
  assert.equal(await plan(), ofEmpty);
  await useTimes(10);
  assert.notEqual(await plan(), ofEmpty);
});
