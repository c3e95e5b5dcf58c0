import pg from "pg";
import type { Id } from "../../src/kernel/ids.ts";
import { cloneFilled, type TestDatabase } from "./database.ts";
import {
  keepStatisticsStale,
  makeDisputes,
  makeEvents,
  makePairs,
  makeRefunds,
  makeRequestsAndCustomers,
  makeTransactions,
  type Run,
  withoutIndexes,
} from "./many-payments.ts";

export const BUSY = "mer_busy" as Id<"merchant">;
export const UNTIL = Date.parse("2026-06-01T00:00:00Z");
export const YEAR = 365 * 86_400_000;

const TABLES = [
  "transactions",
  "refunds",
  "payment_requests",
  "customers",
  "disputes",
  "events",
  "deliveries",
  "metadata_pairs",
];

/** Payers by the number of their payments: once a customer for each, one customer with all, more than are sorted. */
export const OFTEN = { email: "often@example.com", payments: 25 };
export const MEMBER = { email: "member@example.com", payments: 800 };
export const COUNTER = { email: "counter@example.com", payments: 21_000 };
/** The same without a customer: the merchant gave the address with the request. */
export const GUEST = { email: "guest@example.com", payments: 60 };
export const WALK_IN = { email: "walk-in@example.com", payments: 21_000 };
type Payer = typeof OFTEN;

/** A year of payments of one merchant; one transaction in a hundred was changed again in the last hours. */
export function databaseOfPayments(rows: number): Promise<TestDatabase> {
  return cloneFilled(`year_of_${rows}`, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await fill((text, values = []) => client.query(text, [...values]), rows);
    } finally {
      await client.end();
    }
  });
}

async function fill(run: Run, rows: number): Promise<void> {
  const many = { merchantId: BUSY, rows, until: UNTIL, span: YEAR };
  await keepStatisticsStale(run, TABLES);
  await withoutIndexes(run, TABLES, async () => {
    await makeTransactions(run, many);
    await makeRefunds(run, many);
    await makeRequestsAndCustomers(run, many);
    await makeDisputes(run, many);
    await makeEvents(run, many);
    await makePairs(run, many);
    await run("set session_replication_role = replica");
    await run(
      `update transactions set updated_at = to_timestamp($1) - (right(reference, 2)::int) * interval '1 second'
       where reference like 'order-%7_' and merchant_id = $2 and right(reference, 3)::int % 100 = 70`,
      [UNTIL / 1000, BUSY],
    );
    const fits = ({ payments }: Payer) => payments <= rows;
    await givePayers(run, [OFTEN, MEMBER, COUNTER].filter(fits));
    await giveAddresses(run, [GUEST, WALK_IN].filter(fits));
  });
}

/** Gives the newest payments to these payers. */
async function givePayers(run: Run, payers: readonly Payer[]): Promise<void> {
  let given = 0;
  for (const { email, payments } of payers) {
    const customers = payments === OFTEN.payments ? payments : 1;
    await run(
      `with customer as (
         update customers set email = $2 where merchant_id = $1 and id in (
           select id from customers where merchant_id = $1 and email like 'customer-%' order by id limit $3) returning id
       ), attempt as (
         select id, row_number() over (order by id) as place from transactions where merchant_id = $1
         order by id desc offset $4 limit $5
       )
       update transactions t set customer_id = payer.id from attempt
         join (select id, row_number() over () as place from customer) as payer on payer.place = attempt.place % $3 + 1
       where t.merchant_id = $1 and t.id = attempt.id`,
      [BUSY, email, customers, given, payments],
    );
    given += payments;
  }
}

/** Gives the newest requests to these payers. */
async function giveAddresses(run: Run, payers: readonly Payer[]): Promise<void> {
  let given = 0;
  for (const { email, payments } of payers) {
    await run(
      `update payment_requests set details = (details::jsonb || $2)::json where merchant_id = $1 and id in (
         select id from payment_requests where merchant_id = $1 order by id desc offset $3 limit $4)`,
      [BUSY, JSON.stringify({ customerRequest: { email } }), given, payments],
    );
    given += payments;
  }
}
