import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import {
  DISTRIBUTED_TABLES,
  INDEXES_OF_ONE_SERVER,
  LOCAL_TABLES,
  REFERENCE_TABLES,
  TRIGGERS_OF_ONE_SERVER,
} from "../../src/platform/db/distribution.ts";
import type { Statement } from "../../src/platform/db/statement.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { everyStatement, OF_PARTS, type Reading, readStatement } from "../support/merchant-scopes.ts";

const distributed: ReadonlySet<string> = new Set(DISTRIBUTED_TABLES);

describe("the schema can be distributed by merchant, on one server too", () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await cloneDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("set plan_cache_mode = force_generic_plan");
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  test("every table is distributed, copied to every server, or on the coordinator alone: one of them", async () => {
    const tables = await database.rows<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    const declared = [...DISTRIBUTED_TABLES, ...Object.keys(REFERENCE_TABLES), ...Object.keys(LOCAL_TABLES)];
    assert.deepEqual(
      tables.map(({ name }) => name),
      declared.toSorted(),
    );
  });

  test("every distributed table has a merchant in every row", async () => {
    const merchants = await database.rows<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'merchant_id' and a.attnotnull and a.atttypid = 'text'::regtype and c.relname = any ($1)`,
      [DISTRIBUTED_TABLES],
    );
    assert.deepEqual(merchants.map(({ name }) => name).toSorted(), DISTRIBUTED_TABLES.toSorted());
  });

  const keysWithoutMerchant = async () => {
    const keys = await database.rows<{ name: string }>(
      `select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid
         join pg_class c on c.oid = x.indrelid
       where x.indisunique and c.relname = any ($1) and not exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' 
           and a.attnum = any ((x.indkey::int2[])[0:x.indnkeyatts - 1]))
       order by 1`,
      [DISTRIBUTED_TABLES],
    );
    return keys.map(({ name }) => name);
  };

  test("every unique key of a distributed table has the merchant, except those that a local table stands in for", async () => {
    assert.deepEqual(await keysWithoutMerchant(), INDEXES_OF_ONE_SERVER);
    for (const planted of ["(id)", "(id) include (merchant_id)"]) {
      await database.rows(`create unique index planted on refunds ${planted}`);
      assert.deepEqual(await keysWithoutMerchant(), [...INDEXES_OF_ONE_SERVER, "planted"]);
      await database.rows("drop index planted");
    }
  });

  const foreignKeysAcrossMerchants = async () => {
    const keys = await database.rows<{ name: string }>(
      `select k.conname as name from pg_constraint k
         join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       where k.contype = 'f' and f.relname = any ($1) and t.relname <> all ($2) and not (
         t.relname = any ($1) and exists (
           select from unnest(k.conkey, k.confkey) as pair (own, other)
           join pg_attribute o on o.attrelid = f.oid and o.attnum = pair.own and o.attname = 'merchant_id'
           join pg_attribute p on p.attrelid = t.oid and p.attnum = pair.other and p.attname = 'merchant_id'))
       order by 1`,
      [DISTRIBUTED_TABLES, Object.keys(REFERENCE_TABLES)],
    );
    return keys.map(({ name }) => name);
  };

  test("every foreign key of a distributed table has the merchant on both sides, or leads to a table that every server has", async () => {
    assert.deepEqual(await foreignKeysAcrossMerchants(), []);
    await database.rows(
      "alter table receipts add constraint planted foreign key (transaction_id) references sealing_keys (id)",
    );
    assert.deepEqual(await foreignKeysAcrossMerchants(), ["planted"]);
    await database.rows("alter table receipts drop constraint planted");
  });

  const foreignKeysFromElsewhere = async () => {
    const keys = await database.rows<{ name: string; table: string }>(
      `select k.conname as name, f.relname as table from pg_constraint k
         join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       where k.contype = 'f' and t.relname = any ($1) and f.relname <> all ($1) order by 1`,
      [DISTRIBUTED_TABLES],
    );
    return keys.map(({ name, table }) => (table in LOCAL_TABLES ? name : `${name} of every server`));
  };

  test("foreign keys of other tables to a distributed one are the two that a cluster does without", async () => {
    const known = [
      "incoming_transfers_merchant_id_payment_request_id_fkey",
      "wallet_token_uses_merchant_id_transaction_id_fkey",
    ];
    assert.deepEqual(await foreignKeysFromElsewhere(), known);
    await database.rows(
      "alter table api_keys add constraint planted foreign key (merchant_id, id) references customers (merchant_id, id)",
    );
    assert.deepEqual(
      (await foreignKeysFromElsewhere()).toSorted(),
      [...known, "planted of every server"].toSorted(),
    );
    await database.rows("alter table api_keys drop constraint planted");
  });

  test("every trigger of a distributed table is for each row, except those that another stands in for", async () => {
    const triggers = await database.rows<{ name: string }>(
      `select tgname as name from pg_trigger join pg_class c on c.oid = tgrelid
       where not tgisinternal and c.relname = any ($1)
         and (tgtype::int & 1 = 0 or tgnewtable is not null or tgoldtable is not null)`,
      [DISTRIBUTED_TABLES],
    );
    const known = Object.keys(TRIGGERS_OF_ONE_SERVER);
    assert.deepEqual(
      triggers.filter(({ name }) => !known.includes(name)),
      [],
    );
  });

  /** Row triggers' functions with a statement about a distributed table that does not take the row's merchant for each. */
  const triggersWithoutMerchant = async () => {
    const functions = await database.rows<{ name: string; body: string }>(
      `select distinct p.proname as name, p.prosrc as body
       from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and t.tgtype::int & 1 = 1 and c.relname = any ($1) order by 1`,
      [DISTRIBUTED_TABLES],
    );
    const isUnscoped = (statement: string) => {
      const count = (pattern: RegExp) =>
        [...statement.matchAll(pattern)].filter(([, table = ""]) => distributed.has(table)).length;
      const taken = statement.match(/\bmerchant_id = (?:new|old)\.merchant_id\b/g)?.length ?? 0;
      const written = /\b(?:values|select)\b[^;]*\b(?:new|old)\.merchant_id\b/.test(statement) ? 1 : 0;
      return count(/\b(?:from|join|update)\s+(\w+)/g) > taken || count(/\binsert\s+into\s+(\w+)/g) > written;
    };
    return functions.filter(({ body }) => body.split(";").some(isUnscoped)).map(({ name }) => name);
  };

  test("row triggers of distributed tables write and read rows of the row's merchant alone", async () => {
    assert.deepEqual(await triggersWithoutMerchant(), []);
    for (const planted of [
      "delete from jobs where subject_id = new.id",
      "insert into jobs (kind, merchant_id, subject_id, due_at) values ('planted', 'mer_one', new.id, now())",
      "update refunds set code = null where merchant_id = new.merchant_id and id in (select id from disputes)",
    ]) {
      await database.rows(
        `create function planted() returns trigger language plpgsql as $$ begin ${planted}; return null; end $$`,
      );
      await database.rows(
        "create trigger planted after insert on refunds for each row execute function planted()",
      );
      assert.deepEqual(await triggersWithoutMerchant(), ["planted"], planted);
      await database.rows("drop trigger planted on refunds");
      await database.rows("drop function planted");
    }
  });

  /** What is wrong with a statement in a distributed database; empty when nothing is. */
  async function problemsOf({
    name,
    text,
    distributed: variant,
    fanOut,
  }: Statement): Promise<readonly string[]> {
    if (variant === false) return [];
    const reading: Reading = await readStatement(client, variant ?? text, distributed);
    const isOfOne = reading.merchants.size <= 1 || OF_PARTS.includes(name);
    if (reading.unscoped.length === 0 && isOfOne) return [];
    const several = isOfOne ? [] : [`merchants of ${[...reading.merchants].toSorted().join(" and ")}`];
    if (fanOut === undefined)
      return [...reading.unscoped.map((table) => `${table} without a merchant`), ...several];
    return ["LockRows", "Recursive Union"].filter((node) => reading.nodes.has(node));
  }

  test("every statement on a distributed table names one merchant, or says why not and then locks nothing", async () => {
    const problems: string[] = [];
    const statements = await everyStatement();
    for (const statement of statements)
      for (const problem of await problemsOf(statement)) problems.push(`${statement.name}: ${problem}`);
    assert.deepEqual(problems, []);
    assert.ok(statements.length > 300);
  });

  test("exactly the statements of parts, whose values another test compares, take several parameters for the merchant", async () => {
    const several: string[] = [];
    for (const { name, text, distributed: variant, fanOut } of await everyStatement()) {
      if (variant === false || fanOut !== undefined) continue;
      const { merchants } = await readStatement(client, variant ?? text, distributed);
      if (merchants.size > 1) several.push(name);
    }
    assert.deepEqual(several.toSorted(), OF_PARTS);
  });

  test("a reason to reach all merchants is given only where a statement does", async () => {
    const needless: string[] = [];
    for (const { name, text, fanOut } of await everyStatement()) {
      if (fanOut === undefined) continue;
      const { unscoped, merchants } = await readStatement(client, text, distributed);
      if (unscoped.length === 0 && merchants.size <= 1) needless.push(name);
    }
    assert.deepEqual(needless, []);
  });

  test("finds what is planted: a scan, a join and a lock without the merchant, and two merchants", async () => {
    const planted = (text: string, fanOut?: string) =>
      problemsOf({ name: "planted", text, emitsEvent: false, fanOut });
    const without = ["transactions without a merchant"];
    assert.deepEqual(await planted("select 1 from transactions where id = $1"), without);
    assert.deepEqual(await planted("select 1 from transactions where merchant_id = any ($1)"), without);
    assert.deepEqual(
      await planted("select 1 from transactions where merchant_id = $1 or status = $2"),
      without,
    );
    assert.deepEqual(
      await planted("select 1 from transactions where merchant_id = $1 and (status = $2 or id = $3)"),
      [],
    );
    const insert = "insert into jobs (kind, merchant_id, subject_id, due_at)";
    assert.deepEqual(await planted(`${insert} values ('do', $1, 's', now())`), []);
    assert.deepEqual(
      await planted(`${insert} select 'do', merchant_id, id, now() from refunds where merchant_id = $1`),
      [],
    );
    for (const several of [
      `${insert} select 'do', one, 's', now() from unnest($1::text[]) as one`,
      `with input as materialized (select unnest($1::text[]) as one) ${insert} select 'do', one, 's', now() from input`,
    ])
      assert.deepEqual(await planted(several), ["jobs without a merchant"], several);
    assert.deepEqual(
      await planted(
        `select 1 from refunds r join transactions t on t.id = r.transaction_id where r.merchant_id = $1`,
      ),
      without,
    );
    assert.deepEqual(
      await planted(
        `select 1 from refunds r join transactions t on t.merchant_id = r.merchant_id and t.id = r.transaction_id
         where r.merchant_id = $1`,
      ),
      [],
    );
    const two = ["merchants of $1 and $2"];
    assert.deepEqual(
      await planted(
        `select 1 from refunds r join transactions t on t.id = r.transaction_id
         where r.merchant_id = $1 and t.merchant_id = $2`,
      ),
      two,
    );
    assert.deepEqual(
      await planted(
        `with one as (update refunds set status = 'approved' where merchant_id = $1 and id = $3)
         ${insert} values ('do', $2, 's', now())`,
      ),
      two,
    );
    assert.deepEqual(await planted("select 1 from jobs where due_at < $1 for update", "planted"), [
      "LockRows",
    ]);
  });
});
