import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { type Filters, listRequestRows } from "../../../src/features/payment-requests/queries.ts";
import { ID_PREFIXES, type Id } from "../../../src/kernel/ids.ts";
import { instant } from "../../../src/kernel/time.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { nodesOf, PLAN_MODES, planner } from "../../support/plans.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const BUSY = "mer_busy" as Id<"merchant">;
const NOW = instant(START + 86_400_000);

let database: TestDatabase;
let client: pg.Client;

/** 20,000 requests of one merchant and a few of others; one in a hundred is not `created`. */
before(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into payment_requests (merchant_id, id, reference, flow, status, amount, currency, details, expires_at,
       created_at, updated_at)
     select case when n % 20 = 0 then 'mer_' || n else 'mer_busy' end,
       $1 || '_' || lpad(to_hex(n), 29, '0'), 'order ' || n / 3, 'checkout',
       case n % 300 when 0 then 'cancelled' when 1 then 'expired' when 2 then 'completed' else 'created' end,
       3000, 'AUD', '{}', $2::timestamptz + interval '90 days', $2::timestamptz + n * interval '1 second',
       $2::timestamptz + n * interval '1 second'
     from generate_series(1, 21000) n`,
    [ID_PREFIXES.paymentRequest, new Date(START).toISOString()],
  );
  await client.query("analyze payment_requests");
});
after(async () => {
  await client.end();
  await database.drop();
});

const FIRST_PAGE = { before: `${ID_PREFIXES.paymentRequest}_~`, from: "", limit: 21 };
const pages = {
  "first page": FIRST_PAGE,
  "a page in the middle": { ...FIRST_PAGE, before: `pr_${"2710".padStart(29, "0")}`, limit: 101 },
  "a range of time": { ...FIRST_PAGE, from: `pr_${"2710".padStart(29, "0")}` },
};
const [ALL, STATUS, REFERENCE] = [
  "payment_requests_pkey",
  "payment_requests_by_status",
  "payment_requests_by_reference",
];
/**
 * Each set of filters with its suitable indexes. Where nearly all rows are `created`, the primary key serves too.
 */
const filters: Readonly<Record<string, readonly [filter: Filters, fitting: readonly string[]]>> = {
  "no filter": [{}, [ALL]],
  "a common status": [{ status: "created" }, [STATUS, ALL]],
  "a rare status": [{ status: "expired" }, [STATUS]],
  "a reference": [{ reference: "order 4000" }, [REFERENCE]],
  "an unknown reference": [{ reference: "nothing" }, [REFERENCE]],
  "a reference and a status": [{ reference: "order 4000", status: "cancelled" }, [REFERENCE]],
};

describe("contract 2: the cost of a page does not depend on the table's size", () => {
  for (const mode of PLAN_MODES) {
    for (const [what, [filter, fitting]] of Object.entries(filters)) {
      for (const [where, page] of Object.entries(pages)) {
        test(`${what}, ${where} (${mode}): an index scan without a sort`, async () => {
          const { tx, plans } = planner(client, mode);
          await listRequestRows(tx, BUSY, page, { ...filter, now: NOW });
          // With two filters the rows of the first are counted before, along its index, too.
          assert.equal(plans.length, Math.max(1, Object.keys(filter).length));
          for (const one of plans) assert.ok(!nodesOf(one).some((node) => node["Node Type"] === "Sort"));
          const all = plans.slice(-1).flatMap(nodesOf);
          const isPending = (node: (typeof all)[number]) => node["Relation Name"] === "transactions";
          // Of an overdue request: whether a payment is in progress.
          for (const node of all.filter(isPending)) assert.match(node["Node Type"], /^Index/);
          const nodes = all.filter((node) => !isPending(node));
          const steps = nodes.map((node) => node["Node Type"]);
          // Where one filter's index leads, its rows pass through on their way to the other filter.
          assert.deepEqual(
            steps.filter((step) => step !== "Subquery Scan"),
            ["Limit", "Index Scan"],
          );
          assert.ok(fitting.includes(nodes.at(-1)?.["Index Name"] ?? ""), nodes.at(-1)?.["Index Name"]);
        });
      }
    }
  }

  test("control: without the indexes the planner sorts", async () => {
    await client.query("begin");
    await client.query("alter table payment_requests drop constraint payment_requests_pkey cascade");
    await client.query("drop index payment_requests_by_status, payment_requests_by_reference");
    const { tx, plans } = planner(client, "force_custom_plan");
    await listRequestRows(tx, BUSY, FIRST_PAGE, { now: NOW });
    await client.query("rollback");
    assert.ok(plans.flatMap(nodesOf).some((node) => node["Node Type"] === "Sort"));
  });
});
