/**
 * The floor of a payment: bare Fastify with the gateway's driver, pool size and tables, and only the rows that a payment
 * has to write, in its two transactions: attempt, event, used token and recovery job; then outcome, event, completed
 * request, event. Nothing is read, checked, decided or logged, and no acquirer is called. The values are those of one
 * real payment; only ids differ.
 *
 * FLOOR_KIND is `statements` (begin, one statement per row, commit) or `merged` (each transaction is one statement).
 */
import { createHash } from "node:crypto";
import pg from "pg";
import { NUMBER } from "../load/number.ts";
import { openPool, serve, setting } from "./bare-server.ts";

const pool = openPool({
  // As in the gateway: json as text.
  types: { getTypeParser: (oid) => (oid === 114 ? (text: string) => text : pg.types.getTypeParser(oid)) },
});

const [one] = (
  await pool.query("select * from transactions where payment_request_id = $1", [setting("PAID_ID")])
).rows;
const bodies: string[] = (
  await pool.query("select body from events where resource_id = any ($1) order by id", [
    [setting("PAID_ID"), one.id],
  ])
).rows.map(({ body }) => body);
const [, attempted, approved, completed] = bodies;
if (completed === undefined) throw new Error("the sample payment has too few events");

/** One row: its statement, and its values for one payment. */
type Write = { readonly name: string; readonly text: string; readonly values: (ids: Ids) => unknown[] };
type Ids = {
  readonly session: Uint8Array;
  readonly request: string;
  readonly transaction: string;
  readonly event: string;
  readonly now: Date;
};

const eventOf = (place: string, event: string, body: string | undefined): Write => ({
  name: `event_${place}`,
  text: "insert into events (merchant_id, id, event, resource_id, created_at, body) values ($1, $2, $3, $4, $5, $6)",
  values: ({ event: id, transaction, request, now }) => [
    one.merchant_id,
    `${id}${place}`,
    event,
    event === "transactions" ? transaction : request,
    now,
    body,
  ],
});

const BEGIN: readonly Write[] = [
  {
    name: "attempt",
    text: `insert into transactions
       (merchant_id, id, payment_request_id, reference, method, source, origin, frequency, capture_type, status, phase,
        amount, surcharge, currency, card, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', 'calling', $10, $11, $12, $13, $14, $14)`,
    values: ({ transaction, request, now }) => [
      one.merchant_id,
      transaction,
      request,
      one.reference,
      one.method,
      one.source,
      one.origin,
      one.frequency,
      one.capture_type,
      one.amount,
      one.surcharge,
      one.currency,
      one.card,
      now,
    ],
  },
  eventOf("1", "transactions", attempted),
  {
    name: "token",
    text: "update one_time_tokens set status = 'processed', transaction_id = $2 where session_hash = $1",
    values: ({ session, transaction }) => [session, transaction],
  },
  {
    name: "job",
    text: "insert into jobs (kind, merchant_id, subject_id, due_at, real_time) values ('checkout_recover', $1, $2, $3, true)",
    values: ({ transaction, now }) => [one.merchant_id, transaction, new Date(now.getTime() + 20_000)],
  },
];

const FINISH: readonly Write[] = [
  {
    name: "outcome",
    text: `update transactions set status = 'approved', phase = 'settled', code = 'A02000', capture_status = 'captured',
       captured = amount + surcharge, updated_at = $3 where merchant_id = $1 and id = $2`,
    values: ({ transaction, now }) => [one.merchant_id, transaction, now],
  },
  eventOf("2", "transactions", approved),
  {
    name: "request",
    text: `update payment_requests set status = 'completed', approved_transaction_id = $3, updated_at = $4
       where merchant_id = $1 and id = $2`,
    values: ({ request, transaction, now }) => [one.merchant_id, request, transaction, now],
  },
  eventOf("3", "payment_requests", completed),
];

async function inStatements(writes: readonly Write[], ids: Ids): Promise<void> {
  const client = await pool.connect();
  await client.query("begin");
  for (const { name, text, values } of writes) await client.query({ name, text, values: values(ids) });
  await client.query("commit");
  client.release();
}

const SOME_IDS: Ids = { session: new Uint8Array(), request: "", transaction: "", event: "", now: new Date() };

/** All writes of one transaction as one statement with data-modifying CTEs, its parameters renumbered. */
function merged(name: string, writes: readonly Write[]) {
  let from = 0;
  const parts = writes.map(({ name: part, text, values }) => {
    const shifted = text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + from}`);
    from += values(SOME_IDS).length;
    return `${part} as (${shifted})`;
  });
  const text = `with ${parts.join(", ")} select 1`;
  return (ids: Ids) =>
    pool.query({ name, text, values: writes.flatMap(({ values }) => values(ids)) }).then(() => {});
}

const pay =
  setting("KIND") === "merged"
    ? [merged("begin", BEGIN), merged("finish", FINISH)]
    : [(ids: Ids) => inStatements(BEGIN, ids), (ids: Ids) => inStatements(FINISH, ids)];

await serve((server) => {
  server.post("/pay", async (request) => {
    const secret = String(request.headers["x-checkout-session"]);
    const number = secret.slice(-NUMBER.length);
    const ids: Ids = {
      session: createHash("sha256").update(secret).digest(),
      request: setting("REQUEST_PREFIX") + number,
      transaction: one.id.slice(0, -NUMBER.length) + number,
      event: `evt_${one.id.slice(4, -NUMBER.length - 1)}${number}`,
      now: new Date(),
    };
    for (const step of pay) await step(ids);
    return { state: "approved", transactionId: ids.transaction };
  });
});
