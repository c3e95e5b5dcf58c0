import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { listCustomers } from "../../../src/features/customers/queries.ts";
import {
  listInstruments,
  listNewest,
  listOfCustomer,
} from "../../../src/features/payment-instruments/queries.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import type { Tx } from "../../../src/platform/db/database.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { nodesOf, PLAN_MODES, planner } from "../../support/plans.ts";

const BUSY = "mer_busy" as Id<"merchant">;
const OWNER = `cus_${"0".repeat(25)}0001` as Id<"customer">;

let database: TestDatabase;
let client: pg.Client;

/**
 * 10,000 customers of one merchant and a few of others; 10,000 instruments, some of one customer, half of them
 * deleted.
 */
before(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into customers (merchant_id, id, reference, name, created_at, updated_at)
     select case when n % 20 = 0 then 'mer_' || n else 'mer_busy' end, 'cus_' || lpad(n::text, 29, '0'),
       'member ' || n / 3, 'Ann', now(), now()
     from generate_series(1, 10000) n`,
  );
  await client.query(
    `insert into payment_instruments
       (merchant_id, id, customer_id, reference, type, bank_account, created_at, updated_at, deleted_at)
     select 'mer_busy', 'pi_' || lpad(n::text, 29, '0'),
       'cus_' || lpad((case when n % 10 = 0 then 1 else n end)::text, 29, '0'), 'account ' || n,
       'bank_account', '{}', now(), now(), case when n % 2 = 0 and n % 10 > 0 then now() end
     from generate_series(1, 10000) n`,
  );
  await client.query("analyze customers, payment_instruments");
});
after(async () => {
  await client.end();
  await database.drop();
});

const customerPage = { before: "cus_~", from: "", limit: 21 };
const instrumentPage = { before: "pi_~", from: "", limit: 21 };

const reads: Readonly<Record<string, readonly [read: (tx: Tx) => Promise<unknown>, index: string]>> = {
  "all customers": [(tx) => listCustomers(tx, BUSY, customerPage, {}), "customers_pkey"],
  "customers of a reference": [
    (tx) => listCustomers(tx, BUSY, customerPage, { reference: "member 7" }),
    "customers_by_reference",
  ],
  "a customer's instruments": [
    (tx) => listInstruments(tx, BUSY, instrumentPage, { customerId: OWNER }),
    "payment_instruments_of_customer",
  ],
  "a customer's newest instruments, for the checkout": [
    (tx) => listOfCustomer(tx, BUSY, OWNER, 100),
    "payment_instruments_of_customer",
  ],
};

describe("contract 2: the cost of a page does not depend on the table's size", () => {
  for (const mode of PLAN_MODES) {
    for (const [what, [read, index]] of Object.entries(reads)) {
      test(`${what} (${mode}): an index scan without a sort`, async () => {
        const { tx, plans } = planner(client, mode);
        await read(tx);
        const nodes = plans.flatMap(nodesOf);
        assert.deepEqual(
          nodes.map((node) => node["Node Type"]),
          ["Limit", "Index Scan"],
        );
        assert.equal(nodes.at(-1)?.["Index Name"], index);
      });
    }

    test(`instruments of the customers on a page (${mode}): two index scans for each customer, one of which counts`, async () => {
      const { tx, plans } = planner(client, mode);
      await listNewest(tx, BUSY, [OWNER, OWNER], 100);
      const scans = plans.flatMap(nodesOf).filter((node) => node["Node Type"].endsWith("Scan"));
      assert.deepEqual(
        scans.map((node) => node["Index Name"]),
        [undefined, "payment_instruments_of_customer", undefined, "payment_instruments_of_customer"],
      );
      assert.deepEqual(
        scans.map((node) => node["Node Type"].replace("Index Only", "Index")),
        ["Function Scan", "Index Scan", "CTE Scan", "Index Scan"],
      );
    });
  }

  test("control: without the index the planner sorts or scans the table", async () => {
    await client.query("begin");
    await client.query("drop index payment_instruments_of_customer");
    const { tx, plans } = planner(client, "force_custom_plan");
    await listNewest(tx, BUSY, [OWNER], 100);
    await client.query("rollback");
    const scans = plans.flatMap(nodesOf).filter((node) => node["Node Type"].endsWith("Scan"));
    assert.notEqual(scans.at(-1)?.["Index Name"], "payment_instruments_of_customer");
  });
});
