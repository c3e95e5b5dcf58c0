import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import type { Tx } from "../../src/platform/db/database.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/proof.ts";

const MANY = sized(10_000, 300_000);

/** Without those that insert what is there already. Its own attempt and outcome find what they look for changed, and write nothing. */
const MEASURED = ["attempt_begin_of_token", "attempt_finish", "token_find_payable"];

type Gathered = Parameters<Tx["gather"]>;

/** Copies of the transaction. */
const COPY = `insert into transactions select copy.*
  from (select * from transactions order by length(id), id limit 1) as one, generate_series(1, $1::int) as n,
    jsonb_populate_record(null::transactions, to_jsonb(one) || jsonb_build_object(
      'id', concat(one.id, $2::text, n), 'payment_request_id', null, 'status', $2, 'phase', $3::text)) as copy`;

describe(`the statements of a card payment cost the same beside ${MANY} pending debits of its merchant`, () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  const gathered = new Map<string, Gathered>();
  before(async () => {
    database = await cloneDatabase();
    gateway = await startTestGateway({
      database,
      wrapContext: (ctx) => ({
        ...ctx,
        db: {
          ...ctx.db,
          gather: (statement, row, scope) => {
            if (MEASURED.includes(statement.name)) gathered.set(statement.name, [statement, row, scope]);
            return ctx.db.gather(statement, row, scope);
          },
        },
      }),
    });
    await payOnce(shopOf(gateway));
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  async function grow(rows: number, status: string, phase: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query("set session_replication_role = replica");
      await client.query(COPY, [rows, status, phase]);
    } finally {
      await client.end();
    }
  }

  const costs = async () =>
    Object.fromEntries(
      await Promise.all(
        [...gathered].map(
          async ([name, [statement, row, scope]]) =>
            [name, await pagesTouched(database, (tx) => tx.gather(statement, row, scope))] as const,
        ),
      ),
    );

  test("also with statistics that know of few", async () => {
    await database.rows("alter table transactions set (autovacuum_enabled = off)");
    assert.deepEqual([...gathered.keys()].sort(), MEASURED);
    await grow(MANY, "approved", "calling");
    await database.rows("vacuum analyze transactions");
    const before = await costs();
    await grow(MANY, "pending", "waiting");
    for (const [name, pages] of Object.entries(await costs())) assertFlat(before[name] ?? 0, pages, name);
  });
});
