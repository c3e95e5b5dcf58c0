/** SQL that inserts many payments of one merchant, for tests and benchmarks. Triggers do not run on these rows. */

import pg from "pg";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = Array.from({ length: 10 }, (_, at) => {
  const shift = (9 - at) * 5;
  return `substr('${ALPHABET}', ((ms >> ${shift}) & 31)::int + 1, 1)`;
}).join(" || ");

/** Ids in the gateway's format, which sort by time. */
const ID_FUNCTION = `create or replace function pg_temp.id_at(prefix text, ms bigint, n bigint) returns text
  language sql immutable as $$ select pg_temp.id_of(prefix, ${TIME_CHARS}, n) $$`;
/** The same from the characters of the time, which are most of the work: a row has several ids of one time. */
const ID_OF_FUNCTION = `create or replace function pg_temp.id_of(prefix text, chars text, n bigint) returns text
  language sql immutable as $$ select prefix || '_' || chars || '000' || substr(md5(prefix || n::text), 1, 16) $$`;

/** Each payment's time, and the characters of it: made once for all tables of these payments. */
const TIMES =
  "create temp table if not exists times (rows int, until bigint, span bigint, n int, ms bigint, chars text)";
const SERIES = "(select n, ms, chars from times where (rows, until, span) = ($2, $3, $4)) as one";

export type Run = (text: string, values?: readonly unknown[]) => Promise<unknown>;

export type ManyPayments = {
  readonly merchantId: string;
  readonly rows: number;
  /** The time of the last payment; the first is `span` milliseconds earlier. */
  readonly until: number;
  readonly span: number;
};

const DECLINED = "n % 11 = 0";

/** What `SERIES` and the functions of ids need, on this connection; from here on triggers do not run. */
async function prepare(run: Run, { rows, until, span }: ManyPayments): Promise<void> {
  await run("set session_replication_role = replica");
  await run(ID_OF_FUNCTION);
  await run(ID_FUNCTION);
  await run(TIMES);
  await run(
    `insert into times select $1, $2, $3, n, ms, ${TIME_CHARS}
     from (select n, $2::bigint - ($1 - n)::bigint * ($3::bigint / $1::bigint) as ms
       from generate_series(1, $1::int) n) as one
     where not exists (select from times where (rows, until, span) = ($1, $2, $3))`,
    [rows, until, span],
  );
}

/** Transactions only, evenly spread; one in eleven is declined, a few are pending. Needs one superuser connection. */
export async function makeTransactions(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  await run(
    `insert into transactions (merchant_id, id, payment_request_id, customer_id, reference, method, source, origin,
       frequency, capture_type, status, phase, code, amount, surcharge, currency, capture_status, captured, refunds_held,
       refunded, card, created_at, updated_at)
     select $1, pg_temp.id_of('txn', chars, n), pg_temp.id_of('pr', chars, n),
       case when n % 10 = 0 then pg_temp.id_at('cus', $3::bigint - $4::bigint, n % 1000) end, 'order-' || n, 'purchase',
       (array['card', 'card', 'card', 'card', 'apple_pay', 'google_pay', 'card'])[n % 7 + 1], 'internet', 'single',
       'auto', status, case status when 'pending' then 'calling' else 'settled' end,
       case status when 'approved' then 'A02000'
         when 'declined' then (array['D04451', 'D04405', 'D04451', 'D04454', 'D04414', 'D04491', 'D04405'])[n / 11 % 7 + 1]
       end,
       amount, 0, 'AUD', case status when 'approved' then 'captured' end,
       case status when 'approved' then amount else 0 end, 0, 0,
       '{"name":"Mere Tui","last4":"1111","expiryMonth":12,"expiryYear":2030,"cardType":"visa"}',
       to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0 + 1)
     from (select n, ms, chars, 1000 + n::bigint * 7919 % 20000 as amount,
         case when ${DECLINED} then 'declined' when n % 1009 = 5 then 'pending' else 'approved' end as status
       from ${SERIES}) as one`,
    [merchantId, rows, until, span],
  );
  await run("set session_replication_role = origin");
}

/** One refund of half the amount for every twenty-fifth transaction. */
export async function makeRefunds(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  await run(
    `insert into refunds (merchant_id, id, transaction_id, reference, amount, currency, status, code, created_at, updated_at)
     select $1, pg_temp.id_of('rfd', chars, n), pg_temp.id_of('txn', chars, n), 'refund-' || n, (1000 + n::bigint * 7919 % 20000) / 2, 'AUD',
       case when n % 200 = 0 then 'declined' else 'approved' end, case when n % 200 = 0 then 'D04405' else 'A02000' end,
       to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0 + 5)
     from ${SERIES} where n % 25 = 0`,
    [merchantId, rows, until, span],
  );
  await run("set session_replication_role = origin");
}

/** A dispute of each transaction; a few are open. */
export async function makeDisputes(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  await run(
    `insert into disputes (merchant_id, id, transaction_id, reference, reason, amount, currency, status, evidence_due_at,
       created_at, updated_at)
     select $1, pg_temp.id_of('dsp', chars, n), pg_temp.id_of('txn', chars, n), 'order-' || n, 'fraudulent', 1000 + n % 9000, 'AUD',
       case when n % 1009 = 5 then 'needs_response' when n % 2 = 0 then 'won' else 'lost' end,
       to_timestamp(ms / 1000.0 + 86400), to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0 + 5)
     from ${SERIES}`,
    [merchantId, rows, until, span],
  );
  await run("set session_replication_role = origin");
}

/** An event of each transaction, delivered to one subscription; one delivery in a hundred has failed. */
export async function makeEvents(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  await run(
    `with made as (
       insert into events (merchant_id, id, event, resource_id, created_at, body)
       select $1, pg_temp.id_of('evt', chars, n), case when n % 2 = 0 then 'transactions' else 'payment_requests' end,
         pg_temp.id_of('txn', chars, n), to_timestamp(ms / 1000.0), '{"reference":"order-1"}'
       from ${SERIES} returning id, created_at)
     insert into deliveries (merchant_id, event_id, webhook_id, status, attempts, due_at, attempted_at, http_status,
       latency_ms)
     select $1, id, 'whk_bench', case when row_number() over (order by id) % 100 = 0 then 'failed' else 'delivered' end, 1,
       created_at, created_at, 200, 40 from made`,
    [merchantId, rows, until, span],
  );
  await run("set session_replication_role = origin");
}

/** The records around the transactions: payment requests, some customers, events with deliveries, payout lines. */
export async function makeSurroundings(run: Run, many: ManyPayments): Promise<void> {
  await makeRequestsAndCustomers(run, many);
  await makeEventsAndLines(run, many);
}

/** A payment request for each transaction, and a customer for every tenth. */
export async function makeRequestsAndCustomers(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  const values = [merchantId, rows, until, span];
  await run(
    `insert into payment_requests (merchant_id, id, reference, flow, status, amount, currency, details, expires_at,
       created_at, updated_at)
     select $1, pg_temp.id_of('pr', chars, n), 'order-' || n, 'checkout',
       case when n > $2 - 50 then 'created' when n % 13 = 0 then 'expired' else 'completed' end,
       1000 + n::bigint * 7919 % 20000, 'AUD', '{"paymentMethods":["card"],"category":{"frequency":"single"}}',
       to_timestamp(ms / 1000.0 + 86400), to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0 + 1)
     from ${SERIES}`,
    values,
  );
  await run(
    `insert into customers (merchant_id, id, reference, name, email, created_at, updated_at)
     select $1, pg_temp.id_of('cus', chars, n), 'member-' || n, 'Customer ' || n, 'customer-' || n || '@example.com',
       to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
     from ${SERIES} where n % 10 = 0`,
    values,
  );
  await run("set session_replication_role = origin");
}

async function makeEventsAndLines(run: Run, many: ManyPayments): Promise<void> {
  await prepare(run, many);
  const { merchantId, rows, until, span } = many;
  const values = [merchantId, rows, until, span];
  await run(
    `with made as (
       insert into events (merchant_id, id, event, resource_id, created_at, body)
       select $1, pg_temp.id_of('evt', chars, n), 'transactions', pg_temp.id_of('txn', chars, n), to_timestamp(ms / 1000.0),
         '{"event":"transactions"}'
       from ${SERIES} where n % 3 = 0 returning id, created_at)
     insert into deliveries (merchant_id, event_id, webhook_id, status, attempts, due_at, attempted_at, http_status,
       latency_ms)
     select $1, id, 'whk_bench', case when random() < 0.01 then 'failed' else 'delivered' end, 1, created_at, created_at,
       200, 40 from made`,
    values,
  );
  await run(
    `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
     select merchant_id, 'payment', id, id, currency, captured, updated_at from transactions
     where merchant_id = $1 and captured > 0 and id >= pg_temp.id_at('txn', $2::bigint - 86400000, 0)`,
    [merchantId, until],
  );
  await run("set session_replication_role = origin");
}

/**
 * The pair `shelf=every` for the newest payment requests, transactions, refunds, customers and disputes, more of each than a page ever
 * searches; `shelf=rare` for one of each.
 */
export async function makePairs(run: Run, { merchantId }: Pick<ManyPayments, "merchantId">): Promise<void> {
  for (const table of ["payment_requests", "transactions", "refunds", "customers", "disputes"]) {
    await run(
      `insert into metadata_pairs (merchant_id, digest, resource_id)
       select $1, sha256(convert_to('/shelf=' || word, 'UTF8')), id
       from (select id, row_number() over (order by id desc) as place from ${table} where merchant_id = $1
         order by id desc limit 30000) as one
       join (values ('every'), ('rare')) as word (word) on word = 'every' or place = 1`,
      [merchantId],
    );
  }
}

/** What the planner believes of these tables is from before the rows that follow. */
export async function keepStatisticsStale(run: Run, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await run(`alter table ${table} set (autovacuum_enabled = off)`);
    await run(`analyze ${table}`);
  }
}

/**
 * Makes many rows at once: indexes are built after them, which takes a fraction of the time. The planner knows as much about
 * the tables as before. Needs one superuser connection.
 */
export async function withoutIndexes(
  run: Run,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const relations = "select unnest($1::text[])::regclass::oid as one";
  await run(
    `create temp table known as select oid, relpages, reltuples, relallvisible from pg_class where oid in (
       select one from (${relations}) as t union select indexrelid from pg_index where indrelid in (${relations}))`,
    [tables],
  );
  await run(`update pg_index set indisready = false, indisvalid = false where indrelid in (${relations})`, [
    tables,
  ]);
  await work();
  for (const table of tables) await run(`reindex table ${table}`);
  await run(
    `update pg_class c set relpages = k.relpages, reltuples = k.reltuples, relallvisible = k.relallvisible
     from known k where k.oid = c.oid`,
  );
  await run("drop table known");
}

/** Fills tables on a connection of its own, their indexes after the rows. */
export async function fillWithoutIndexes(
  { url }: { readonly url: string },
  tables: readonly string[],
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run: Run = (text, values = []) => client.query(text, [...values]);
    await withoutIndexes(run, tables, () => work(run));
  } finally {
    await client.end();
  }
}
