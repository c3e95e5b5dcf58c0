import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { type Database, openDatabase, sql } from "./database.ts";

/** Takes a number once, and only a positive one. Records which statement wrote a row. */
const TAKE = sql(
  "gather_test_take",
  `with input as materialized (
     select * from unnest($1::integer[], $2::text[]) with ordinality as input (number, name, place)
   ),
   written as (
     insert into gathered (number, name, statement) select number, name, txid_current() from input order by number
     on conflict do nothing returning number
   )
   select place::integer from input where number in (select number from written)`,
);

describe("rows that arrive together share a statement", () => {
  let database: TestDatabase;
  let db: Database;
  before(async () => {
    database = await cloneDatabase();
    db = openDatabase({
      url: database.url,
      poolSize: 4,
      preparedStatements: true,
      onIdleError: () => {},
    });
    await database.rows(
      "create table gathered (number integer primary key check (number > 0), name text, statement bigint not null)",
    );
  });
  after(async () => {
    await db.close();
    await database.drop();
  });
  const takeAll = (numbers: readonly number[]) =>
    Promise.allSettled(numbers.map((number) => db.gather(TAKE, [number, `"no\\. ${number}", {x}`])));
  const statementsOf = async (from: number, to: number) => {
    const [row] = await database.rows<{ rows: number; statements: number }>(
      "select count(*)::int as rows, count(distinct statement)::int as statements from gathered where number between $1 and $2",
      [from, to],
    );
    return row;
  };

  test("when forty come at once, they go in two statements, each row as it was given", async () => {
    const outcomes = await takeAll(Array.from({ length: 40 }, (_, index) => 101 + index));
    assert.ok(outcomes.every((one) => one.status === "fulfilled" && one.value !== undefined));
    assert.deepEqual(await statementsOf(101, 140), { rows: 40, statements: 2 });
    const strange = await database.rows(
      "select from gathered where name <> format('\"no\\. %s\", {x}', number)",
    );
    assert.equal(strange.length, 0);
  });

  test("when they come one after the other, each has a statement of its own", async () => {
    for (const number of [201, 202, 203])
      assert.deepEqual(await db.gather(TAKE, [number, null]), { place: 1 });
    assert.deepEqual(await statementsOf(201, 203), { rows: 3, statements: 3 });
  });

  test("when a row exists already, only its caller gets undefined", async () => {
    await takeAll([302]);
    const outcomes = await takeAll([301, 302, 303]);
    assert.deepEqual(
      outcomes.map((one) => one.status === "fulfilled" && one.value !== undefined),
      [true, false, true],
    );
  });

  test("when one row is refused by the database, the others are written without it", async () => {
    const outcomes = await takeAll([401, -1, 403]);
    assert.deepEqual(
      outcomes.map((one) => one.status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await statementsOf(401, 403), { rows: 2, statements: 2 });
  });

  test("when the connection is cut, nothing is retried and every caller gets the error", async () => {
    await database.rows("create sequence attempts");
    const cut = sql(
      "gather_test_cut",
      `select unnest($1::integer[]) as place, once.*
       from (select nextval('attempts'), pg_terminate_backend(pg_backend_pid()) offset 0) as once`,
    );
    const outcomes = await Promise.allSettled([501, 502].map((number) => db.gather(cut, [number])));
    assert.deepEqual(
      outcomes.map((one) => one.status),
      ["rejected", "rejected"],
    );
    assert.deepEqual(await database.rows("select last_value::int as attempts from attempts"), [
      { attempts: 1 },
    ]);
  });

  /** Fails with that SQLSTATE so many times, then takes each row. Counts how often it began. */
  const failing = async (name: string, state: string, times: number) => {
    await database.rows(`create sequence ${name}_begun`);
    await database.rows(
      `create function ${name}() returns bigint language plpgsql as $$
       declare turn bigint := nextval('${name}_begun');
       begin
         if turn <= ${times} then raise exception 'planted' using errcode = '${state}'; end if;
         return turn;
       end $$`,
    );
    const statement = sql(
      `gather_test_${name}`,
      `select input.place::integer from (select ${name}() offset 0) as once,
         unnest($1::integer[]) with ordinality as input (number, place)`,
    );
    const begun = async () =>
      (await database.rows<{ begun: number }>(`select last_value::int as begun from ${name}_begun`))[0]
        ?.begun;
    return { statement, begun };
  };

  test("when one row alone loses a deadlock, it is tried again", async () => {
    const { statement, begun } = await failing("deadlock", "40P01", 2);
    assert.deepEqual(await db.gather(statement, [601]), { place: 1 });
    assert.equal(await begun(), 3);
  });

  test("when a statement of several was too slow, its rows are not tried again: they have waited long enough", async () => {
    const { statement, begun } = await failing("too_slow", "57014", 1);
    const outcomes = await Promise.allSettled([701, 702].map((number) => db.gather(statement, [number])));
    assert.deepEqual(
      outcomes.map((one) => one.status),
      ["rejected", "rejected"],
    );
    assert.equal(await begun(), 1);
  });

  test("when a statement of several met a lock for too long, each row is tried alone", async () => {
    const { statement, begun } = await failing("locked", "55P03", 1);
    const outcomes = await Promise.allSettled([801, 802].map((number) => db.gather(statement, [number])));
    assert.deepEqual(
      outcomes.map((one) => one.status),
      ["fulfilled", "fulfilled"],
    );
    assert.equal(await begun(), 3);
  });
});
