import pg from "pg";
import { makeTransactions } from "../../tests/support/many-payments.ts";

const DAY = 86_400_000;
/** One merchant in so many rows waits for a retry of a delivery; a small table has a few hundred of them, too. */
const ROWS_PER_WAITING_MERCHANT = 50;
const WAITING_AT_LEAST = 300;
/** Payment requests that are overdue, for measuring their expiry. */
export const OVERDUE = 1_000;

/**
 * Fills every table that the measured operations use with so many rows of one merchant: transactions, payment requests
 * with their jobs, events, pending deliveries, idempotency keys and unpaid lines. Triggers do not run.
 */
export async function fillTables(url: string, merchantId: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    await makeTransactions(run, { merchantId, rows, until: Date.now() - 2 * DAY, span: 90 * DAY });
    await run("set session_replication_role = replica");
    for (const text of FILLS) await run(text, [merchantId, rows]);
    await run(WAITING, [Math.max(WAITING_AT_LEAST, Math.ceil(rows / ROWS_PER_WAITING_MERCHANT))]);
    await run("set session_replication_role = origin");
    await run("vacuum analyze");
    await run("checkpoint");
  } finally {
    await client.end();
  }
}

const MADE = "now() - interval '1 day' + n * interval '1 day' / $2::int";

const FILLS = [
  `insert into payment_requests (merchant_id, id, reference, flow, status, amount, currency, details, expires_at,
     created_at, updated_at)
   select merchant_id, payment_request_id, reference, 'checkout',
     case when n <= ${OVERDUE} or n % 4 = 0 then 'created' else 'completed' end, amount, currency,
     '{"paymentMethods":["card"],"category":{"frequency":"single"}}',
     case when n <= ${OVERDUE} then now() - interval '1 hour' else now() + interval '1 day' end, created_at, updated_at
   from (select *, row_number() over (order by id) as n from transactions where merchant_id = $1 limit $2) as one`,
  `insert into jobs (kind, merchant_id, subject_id, due_at)
   select 'payment_request_expire', merchant_id, id, expires_at from payment_requests where merchant_id = $1
     and $2::int > 0`,
  `insert into events (merchant_id, id, event, resource_id, created_at, body)
   select $1, 'evt_' || lpad(n::text, 26, '0'), 'payment_requests', 'pr_' || n, ${MADE}, repeat('x', 400)
   from generate_series(1, $2::int) n`,
  `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
   select $1, 'evt_' || lpad(n::text, 26, '0'), 'wh_bench', ${MADE} from generate_series(1, $2::int) n`,
  `insert into webhooks (merchant_id, id, event, url, status, created_at, updated_at)
   select $1, 'wh_bench', 'payment_requests', 'https://shop.example', 'active', now(), now() where $2::int > 0`,
  `insert into idempotency_keys (merchant_id, key, request_id, created_at)
   select $1, md5(n::text), 'req', ${MADE} from generate_series(1, $2::int) n`,
  `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
   select $1, 'payment', 'txn_' || lpad(n::text, 26, '0'), 'txn_' || n, 'AUD', 100 + n % 1000,
     now() - interval '3 days' + n * interval '1 day' / $2::int from generate_series(1, $2::int) n`,
];

const WAITING = `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
  select 'mer_waiting_' || n, 'evt_' || n, 'wh_' || n, now() + interval '1 day' from generate_series(1, $1::int) n`;
