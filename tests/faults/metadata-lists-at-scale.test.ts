import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CUSTOMERS } from "../../src/dashboard/customers/queries.ts";
import { walkRows } from "../../src/dashboard/shell/lists/queries.ts";
import { listCustomers } from "../../src/features/customers/queries.ts";
import { listInstruments } from "../../src/features/payment-instruments/queries.ts";
import { listRequestRows } from "../../src/features/payment-requests/queries.ts";
import { listRefunds } from "../../src/features/refunds/queries.ts";
import { listTransactions } from "../../src/features/transactions/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { pairFilter } from "../../src/platform/http/metadata.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { sized } from "../support/proof.ts";

const MANY = sized(10_000, 300_000);
const MANY_OTHERS = sized(4_000, 40_000);
const MERCHANT = "mer_busy" as Id<"merchant">;
const OWNER = `cus_${"0".repeat(25)}0001` as Id<"customer">;
const PAID = `txn_${"0".repeat(25)}0001` as Id<"transaction">;
const NOW = instant(Date.parse("2026-11-15T00:00:00Z"));
const page = (prefix: string) => ({ before: `${prefix}_~`, from: "", limit: 21 });

/** Every row has one pair in common and shares another with a third; ten rows have one of their own. */
const METADATA = `case when n < 11 then json_build_object('channel', 'web', 'third', n % 3, 'own', n)
  else json_build_object('channel', 'web', 'third', n % 3) end`;

const SCOPES = {
  customers: "''",
  payment_instruments: "customer_id",
  payment_requests: "''",
  transactions: "''",
  refunds: "transaction_id",
} as const;

/** Writes very many rows: the trigger's work is done once for all of them, in the order of the key. */
async function insertMany(database: TestDatabase, table: keyof typeof SCOPES, insert: string): Promise<void> {
  await database.rows(`alter table ${table} disable trigger ${table}_metadata`);
  await database.rows(
    `with made as (${insert} returning *)
     insert into metadata_pairs (merchant_id, digest, resource_id)
     select merchant_id, sha256(convert_to(${SCOPES[table]} || '/' || key || '=' || value, 'UTF8')), id
     from made, json_each_text(metadata) order by 2, 3`,
  );
  await database.rows(`alter table ${table} enable trigger ${table}_metadata`);
}

async function fillCustomers(database: TestDatabase, first: number, last: number): Promise<void> {
  const id = (prefix: string, value = "n") => `'${prefix}_' || lpad(${value}::text, 29, '0')`;
  const rows = `from generate_series(${first}, ${last}) n`;
  await insertMany(
    database,
    "customers",
    `insert into customers (merchant_id, id, reference, name, metadata, created_at, updated_at)
     select 'mer_busy', ${id("cus")}, 'r' || n, 'Ann', ${METADATA}, now(), now() ${rows}`,
  );
}

/** The other tables are smaller: their lists take the same way to their rows. */
async function fillOthers(database: TestDatabase, first: number, last: number): Promise<void> {
  const id = (prefix: string, value = "n") => `'${prefix}_' || lpad(${value}::text, 29, '0')`;
  const rows = `from generate_series(${first}, ${last}) n`;
  await insertMany(
    database,
    "payment_instruments",
    `insert into payment_instruments
       (merchant_id, id, customer_id, reference, type, bank_account, metadata, created_at, updated_at)
     select 'mer_busy', ${id("pi")}, ${id("cus", "case when n < 11 then 1 else n end")}, 'r', 'bank_account', '{}',
       ${METADATA}, now(), now() ${rows}`,
  );
  await insertMany(
    database,
    "payment_requests",
    `insert into payment_requests (merchant_id, id, reference, flow, status, amount, currency, details, metadata,
       expires_at, created_at, updated_at)
     select 'mer_busy', ${id("pr")}, 'r', 'checkout', 'created', 1, 'AUD', '{}', ${METADATA},
       now() + interval '1 day', now(), now() ${rows}`,
  );
  await insertMany(
    database,
    "transactions",
    `insert into transactions (merchant_id, id, reference, method, source, origin, frequency, capture_type, status, phase,
       code, amount, currency, capture_status, captured, metadata, created_at, updated_at)
     select 'mer_busy', ${id("txn")}, 'r', 'purchase', 'card', 'internet', 'single', 'auto', 'approved', 'settled',
       'A02000', 1, 'AUD', 'captured', 1, ${METADATA}, now(), now() ${rows}`,
  );
  await insertMany(
    database,
    "refunds",
    `insert into refunds (merchant_id, id, transaction_id, reference, amount, currency, status, metadata, created_at, updated_at)
     select 'mer_busy', ${id("rfd")}, ${id("txn", "case when n < 11 then 1 else n end")}, 'r', 1, 'AUD', 'pending',
       ${METADATA}, now(), now() ${rows}`,
  );
}

const filters = { common: "/channel=web", some: "/third=1", one: "/own=5", none: "/own=never" };
const metadataOf = {
  common: { channel: "web" },
  some: { third: "1" },
  one: { own: "5" },
  none: { own: "never" },
};
type Filter = keyof typeof filters;

const reads: Readonly<Record<string, (tx: Tx, filter: Filter) => Promise<{ readonly length: number }>>> = {
  customers: (tx, filter) => listCustomers(tx, MERCHANT, page("cus"), { pair: filters[filter] }),
  "a customer's instruments": (tx, filter) =>
    listInstruments(tx, MERCHANT, page("pi"), { customerId: OWNER, metadata: metadataOf[filter] }),
  "customers on the dashboard": async (tx, filter) => {
    const walk = { low: "", high: "cus_~", order: "desc", isBackwards: false } as const;
    return (await walkRows(tx, MERCHANT, CUSTOMERS, { walk, filters: { metadata: filters[filter] } })).rows;
  },
  "customers on the dashboard, backwards": async (tx, filter) => {
    const walk = { low: "cus_0", high: "cus_~", order: "asc", isBackwards: true } as const;
    return (await walkRows(tx, MERCHANT, CUSTOMERS, { walk, filters: { metadata: filters[filter] } })).rows;
  },
  "payment requests": (tx, filter) =>
    listRequestRows(tx, MERCHANT, page("pr"), { pair: filters[filter], now: NOW }),
  transactions: (tx, filter) => listTransactions(tx, MERCHANT, page("txn"), { pair: filters[filter] }),
  "a transaction's refunds": (tx, filter) =>
    listRefunds(tx, MERCHANT, page("rfd"), {
      transaction_id: PAID,
      pair: pairFilter(metadataOf[filter], PAID),
    }),
};

describe("contract 2: a page of metadata[key]=value costs the same at 100 rows and at many", () => {
  let database: TestDatabase;
  const small: Record<string, number> = {};

  const measure = async (into: Record<string, number>) => {
    for (const [what, read] of Object.entries(reads))
      for (const filter of Object.keys(filters) as Filter[]) {
        into[`${what}: ${filter}`] = await pagesTouched(database, async (tx) => {
          const { length } = await read(tx, filter);
          assert.equal(length > 0, filter !== "none", `${what}: ${filter}`);
        });
      }
  };
  const assertAllFlat = async () => {
    const large: Record<string, number> = {};
    await measure(large);
    for (const [what, pages] of Object.entries(large)) assertFlat(small[what] ?? 0, pages, what);
  };

  before(async () => {
    database = await cloneDatabase();
    await fillCustomers(database, 1, 100);
    await fillOthers(database, 1, 100);
    await database.rows("analyze");
    await measure(small);
    await fillCustomers(database, 101, MANY);
    await fillOthers(database, 101, MANY_OTHERS);
  });
  after(() => database.drop());

  test("while the statistics still know the small tables", assertAllFlat);

  test("with fresh statistics", async () => {
    await database.rows("analyze");
    await assertAllFlat();
  });

  test("control: without the table of pairs the same page searches the whole table", async () => {
    const text = `select id from customers where merchant_id = $1 and metadata ->> 'own' = $2 order by id desc limit 21`;
    const pages = await pagesTouched(database, (tx) =>
      tx.rows({ name: "control", text, emitsEvent: false }, [MERCHANT, "never"]),
    );
    assert.ok(pages > MANY / 300, `${pages} pages`);
  });

  test("rows without metadata add nothing to the pairs", async () => {
    const count = () => database.rows("select count(*) from metadata_pairs");
    const before = await count();
    await database.rows(
      `insert into customers (merchant_id, id, reference, name, created_at, updated_at)
       values ('mer_busy', 'cus_without', 'r', 'Ann', now(), now())`,
    );
    assert.deepEqual(await count(), before);
  });
});
