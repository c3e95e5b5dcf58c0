import assert from "node:assert/strict";
import { BANK_RULES, BANK_VIEWS } from "./bank-invariants.ts";
import type { TestDatabase } from "./database.ts";
import { DELIVERIES_AT_REST, DELIVERY_RULES } from "./delivery-invariants.ts";
import { PAYID_AT_REST, PAYID_RULES, type Rule } from "./payid-invariants.ts";

/** Reads from a database; may be inside a transaction. */
export type Reader = Pick<TestDatabase, "rows" | "readAll">;

export type Violation = { readonly id: string; readonly subject: string; readonly about: string };

/**
 * Views for every rule. `ledger` is the acquirer's own ledger; `standing` are its approvals without a reversal;
 * `published` are the events of each resource, in order.
 */
const VIEWS = `
  ledger as (
    select id, kind, reference, belongs_to, amount, facts ->> 'code' as code, facts ->> 'captured' as captured,
      coalesce(facts ->> 'code', '') like 'A%' as approved
    from sandbox_ledger where ledger = 'acquirer'
  ),
  reversal as (select * from ledger where kind = 'reversal'),
  standing as (
    select * from ledger where kind = 'authorisation' and approved and reference not in (select reference from reversal)
  ),
  request as (
    select *, coalesce((details -> 'hostedPage' ->> 'attempts')::int, (details ->> 'attempts')::int, 1) as attempts from payment_requests
  ),
  charge as (
    select t.*, coalesce(approved_amount, amount + surcharge) as total,
      exists (select from transaction_operations m where m.transaction_id = t.id and m.status = 'pending') as moving
    from transactions t join merchants on merchants.id = t.merchant_id and merchants.mode = 'sandbox'
    where source in ('card', 'apple_pay', 'google_pay') and method <> 'verification'
  ),
  published as (
    select merchant_id, resource_id, id, event, body::json -> 'payload' as payload,
      (body::json -> 'payload' ->> 'updatedDateTime')::timestamptz as updated_at,
      coalesce(body::json -> 'payload' ->> 'paymentRequestStatus',
        case event when 'disputes' then body::json -> 'payload' ->> 'status' end,
        body::json -> 'payload' -> 'result' ->> 'status') as status,
      lag(body) over same as earlier, row_number() over same as nth, count(*) over (partition by merchant_id, resource_id) as of
    from events window same as (partition by merchant_id, resource_id order by id)
  ),
  changed as (
    select *, coalesce(earlier::json -> 'payload' ->> 'paymentRequestStatus',
        case event when 'disputes' then earlier::json -> 'payload' ->> 'status' end,
        earlier::json -> 'payload' -> 'result' ->> 'status') as status_before,
      earlier::json -> 'payload' ->> 'captureStatus' as capture_before, payload ->> 'captureStatus' as capture_status,
      (earlier::json -> 'payload' ->> 'updatedDateTime')::timestamptz as updated_before
    from published where earlier is not null
  ),
  resource as (
    select merchant_id, id, status, updated_at, 1 + cardinality(failed_transaction_ids)
      + (approved_transaction_id is not null)::int + (status in ('expired', 'cancelled'))::int
      + (select count(*)::int from incoming_transfers i where i.merchant_id = r.merchant_id
          and i.payment_request_id = r.id and i.status <> 'accepted') as changes
    from payment_requests r
    union all
    select t.merchant_id, id, status, updated_at, 1 + (status <> 'pending' and source <> 'payid')::int
      + coalesce(authentication = 'authenticated'
          or authentication in ('attempted', 'unavailable') and code is distinct from 'D04417', false)::int + (code is not distinct from 'D10005')::int
      + (select count(*)::int from transaction_operations m where m.transaction_id = t.id and m.status = 'done'
          and m.kind <> 'reverse')
      + (late_approval is not null)::int + (late_approval ->> 'reversedAt' is not null)::int
    from transactions t
    union all
    select merchant_id, id, status, updated_at, 1 + (status <> 'pending')::int
      + (late_approval is not null)::int + (late_approval ->> 'reversedAt' is not null)::int
    from refunds
    union all
    select merchant_id, id, status, updated_at, 1 + (evidence_at is not null)::int
      + (status in ('won', 'lost', 'accepted'))::int
      + (select count(*)::int from published p where p.merchant_id = d.merchant_id and p.resource_id = d.id
          and p.payload ->> 'evidenceDueDateTime' <> p.earlier::json -> 'payload' ->> 'evidenceDueDateTime')
    from disputes d
  )`;

/** The merchant's id in the job that returns a transfer of no merchant. */
const UNMATCHED_TRANSFER_MERCHANT = "nobody";

const RULES: readonly Rule[] = [
  {
    id: "I1",
    about: "two approvals of one payment request",
    sql: `select payment_request_id as subject from transactions
          where status = 'approved' and payment_request_id is not null
          group by merchant_id, payment_request_id having count(*) > 1`,
  },
  {
    id: "I1",
    about: "the acquirer holds two approvals of one payment request",
    sql: "select belongs_to as subject from standing where belongs_to is not null group by belongs_to having count(*) > 1",
  },
  {
    id: "I2",
    about: "completed without an approval and with attempts left",
    sql: `select id as subject from request where status = 'completed' and approved_transaction_id is null
          and cardinality(failed_transaction_ids) < attempts`,
  },
  {
    id: "I2",
    about: "a request's approval is not an approved transaction of that request",
    sql: `select r.id as subject from request r where approved_transaction_id is not null and not exists (
            select from transactions t where t.merchant_id = r.merchant_id and t.id = r.approved_transaction_id
            and t.payment_request_id = r.id and (t.status = 'approved' or t.source = 'direct_debit'))`,
  },
  {
    id: "I2",
    about: "a transaction is approved, but its request does not name it",
    sql: `select t.id as subject from transactions t join request r
            on r.merchant_id = t.merchant_id and r.id = t.payment_request_id
          where t.status = 'approved' and (r.status <> 'completed' or r.approved_transaction_id is distinct from t.id)`,
  },
  {
    id: "I2",
    about: "a request's failed attempt is not a declined transaction of that request",
    sql: `select r.id as subject from request r, unnest(failed_transaction_ids) as failed(id) where not exists (
            select from transactions t where t.merchant_id = r.merchant_id and t.id = failed.id
            and t.payment_request_id = r.id and t.status = 'declined')`,
  },
  {
    id: "I3",
    about: "a final state changed",
    sql: `select resource_id as subject from changed
          where status_before in ('completed', 'expired', 'cancelled', 'approved', 'declined', 'won', 'lost', 'accepted')
          and status is distinct from status_before
          and not (status_before = 'approved' and payload -> 'category' ->> 'source' = 'direct_debit'
            and payload -> 'result' -> 'codes' -> 0 ->> 'id' = 'D10005')`,
  },
  {
    id: "I4",
    about: "more attempts reached the acquirer than were allowed",
    sql: `select r.id as subject from request r
          where (select count(*) from ledger where kind in ('authorisation', 'verification') and belongs_to = r.id) > r.attempts`,
  },
  {
    id: "I4",
    about: "more attempts than were allowed",
    sql: `select r.id as subject from request r where (select count(*) from transactions t
            where t.merchant_id = r.merchant_id and t.payment_request_id = r.id) > r.attempts`,
  },
  {
    id: "I5",
    about: "the refund totals do not match the refunds, or exceed the captured amount",
    sql: `select t.id as subject from transactions t left join lateral (
            select coalesce(sum(amount) filter (where status <> 'declined'), 0) as held,
              coalesce(sum(amount) filter (where status = 'approved'), 0) as approved
            from refunds f where f.merchant_id = t.merchant_id and f.transaction_id = t.id) f on true
          where f.held > t.captured or f.held <> t.refunds_held or f.approved <> t.refunded`,
  },
  { id: "I5", about: "a refund of zero or less", sql: "select id as subject from refunds where amount <= 0" },
  {
    id: "I5",
    about: "the acquirer refunded more than was captured",
    sql: `select t.id as subject from charge t where t.captured <
            (select coalesce(sum(amount), 0) from ledger where kind = 'refund' and approved and belongs_to = t.id)`,
  },
  {
    id: "I5",
    about:
      "disputes and refunds take more than was captured, or a transaction holds another sum than its disputes",
    sql: `select t.id as subject from transactions t where t.refunds_held + t.disputed > t.captured
          or t.disputed <> (select coalesce(sum(amount), 0) from disputes d where d.merchant_id = t.merchant_id
            and d.transaction_id = t.id and d.status <> 'won')`,
  },
  {
    id: "I6",
    about: "captured more than was authorised, or after a void or expiry",
    sql: `select id as subject from transactions where captured > coalesce(approved_amount, amount + surcharge)
          or (captured > 0 and capture_status is distinct from 'captured' and code is distinct from 'D10005')`,
  },
  {
    id: "I6",
    about: "a final capture status changed",
    sql: `select resource_id as subject from changed where capture_before in ('captured', 'voided', 'expired')
          and capture_status is distinct from capture_before
          and payload -> 'result' -> 'codes' -> 0 ->> 'id' is distinct from 'D10005'`,
  },
  {
    id: "I6",
    about: "the acquirer captured after a reversal, twice, or above the authorised total",
    sql: `select a.reference as subject from ledger a join ledger c on c.kind = 'capture' and c.approved
            and c.belongs_to = a.reference left join reversal r on r.reference = a.reference
          where a.kind = 'authorisation' group by a.reference, a.amount
          having count(distinct c.id) > 1 or sum(c.amount) > a.amount or bool_or(r.id < c.id)`,
  },
  {
    id: "I7",
    about: "the acquirer has a charge that the gateway does not know",
    sql: `select reference as subject from standing where reference not in (select id from transactions)
          union all select reference from ledger where kind = 'refund' and approved and reference not in (select id from refunds)
          union all select belongs_to from ledger where kind = 'capture' and approved
            and belongs_to not in (select id from transactions)`,
  },
  {
    id: "I7",
    about: "approved here, but the acquirer's ledger differs",
    sql: `select t.id as subject from charge t where t.status = 'approved' and not exists (
            select from ledger a where a.kind = 'authorisation' and a.reference = t.id and a.code = t.code
            and a.amount = t.total and a.captured = (t.capture_type = 'auto')::text
            and a.belongs_to is not distinct from t.payment_request_id)`,
  },
  {
    id: "I7",
    about: "a verification is approved here but not by the acquirer, or the acquirer was sent money for it",
    sql: `select t.id as subject from transactions t where t.method = 'verification' and t.acquirer_account_id is null
            and (exists (select from standing s where s.reference = t.id)
              or (t.status = 'approved' and not exists (select from ledger v where v.kind = 'verification'
                and v.reference = t.id and v.code = t.code and v.amount = 0)))`,
  },
  {
    id: "I6",
    about: "a verification has an amount, a capture or a fee, or something else has none",
    sql: `select id as subject from transactions where (amount = 0) <> (method = 'verification')
          or (method = 'verification'
            and (surcharge + captured + fee + refunds_held + disputed > 0 or capture_status is not null))`,
  },
  {
    id: "I7",
    about: "not approved here, but the acquirer holds or took the money",
    sql: "select t.id as subject from charge t join standing s on s.reference = t.id where t.status = 'declined'",
  },
  {
    id: "I7",
    about: "reversed at the acquirer but not voided or expired here, or the reverse",
    sql: `select t.id as subject from charge t where t.status = 'approved' and not t.moving
          and (t.capture_status in ('voided', 'expired')) <> exists (select from reversal r where r.reference = t.id)`,
  },
  {
    id: "I7",
    about: "the captured amount differs from the acquirer's ledger",
    sql: `select t.id as subject from charge t where not t.moving
          and (select coalesce(sum(amount), 0) from ledger where kind = 'capture' and approved and belongs_to = t.id)
            <> case when t.capture_type = 'manual' then t.captured else 0 end`,
  },
  {
    id: "I7",
    about: "a refund differs from the acquirer's ledger",
    sql: `select f.id as subject from refunds f join charge t on t.merchant_id = f.merchant_id and t.id = f.transaction_id
          where f.status <> 'pending' and (f.status = 'approved') <> exists (select from ledger b where b.kind = 'refund'
            and b.approved and b.reference = f.id and b.belongs_to = f.transaction_id and b.amount = f.amount)`,
  },
  {
    id: "I8",
    about: "an idempotency key belongs to a resource that does not exist",
    sql: `select key as subject from idempotency_keys where resource_id ~ '^(pr|txn|rfd|cus|pi)_' and resource_id not in (
            select id from payment_requests union all select id from transactions union all select id from refunds
            union all select id from customers union all select id from payment_instruments)`,
  },
  {
    id: "I9",
    // A payment that moves to another acquirer before its own has received it has an event for that, which its row does not show.
    about: "the number of events differs from the number of changes",
    sql: `select r.id as subject from resource r where changes <>
            (select count(*) from published where published.merchant_id = r.merchant_id and published.resource_id = r.id
              and (payload #>> '{acquirer,connector}' is not distinct from earlier::json #>> '{payload,acquirer,connector}'
                or earlier is null or payload #>> '{result,status}' <> 'pending'
                or payload #>> '{authentication,status}' is distinct from earlier::json #>> '{payload,authentication,status}'))`,
  },
  {
    id: "I9",
    about: "the last event does not show the current state",
    sql: `select r.id as subject from resource r join published on published.merchant_id = r.merchant_id and published.resource_id = r.id
          where nth = of and (published.status <> r.status or published.updated_at <> r.updated_at)`,
  },
  {
    id: "I9",
    about: "the last event does not show the current late approval",
    sql: `select r.id as subject from (
            select merchant_id, id, late_approval as late from transactions
            union all select merchant_id, id, late_approval from refunds) r
          join published on published.merchant_id = r.merchant_id and published.resource_id = r.id
          where nth = of and payload -> 'lateApproval' ->> 'status' is distinct from
            case when late ->> 'reversedAt' is not null then 'reversed' when late is not null then 'reversing' end`,
  },
  {
    id: "I3",
    about: "something that is not declined has a late approval",
    sql: `select id as subject from transactions where late_approval is not null and status <> 'declined'
          union all select id from refunds where late_approval is not null and status <> 'declined'`,
  },
  {
    id: "I9",
    about: "updatedDateTime does not grow with every change",
    sql: "select resource_id as subject from changed where updated_at <= updated_before",
  },
  {
    id: "I9",
    about: "a customer or an instrument differs from its last event",
    sql: `select held.id as subject from (
            select merchant_id, id, updated_at, null::timestamptz as deleted_at from customers
            union all select merchant_id, id, updated_at, deleted_at from payment_instruments) held
          left join published on published.merchant_id = held.merchant_id and published.resource_id = held.id and nth = of
          where published.updated_at is distinct from held.updated_at
          or (payload ->> 'deletedDateTime')::timestamptz is distinct from held.deleted_at`,
  },
  {
    id: "I15",
    about: "an instrument has no number in the vault, or a number has no instrument",
    sql: `select id as subject from payment_instruments i where (deleted_at is null) <> exists (
            select from vault_secrets v where v.merchant_id = i.merchant_id and v.instrument_id = i.id)
          union all select instrument_id from vault_secrets where instrument_id not in (
            select id from payment_instruments
            union all select stores_instrument_id from transactions
            where status = 'pending' and stores_instrument_id is not null)`,
  },
  {
    id: "I13",
    about: "a token paid twice, after its expiry, or for another request",
    sql: `select k.id as subject from one_time_tokens k left join transactions t
            on t.merchant_id = k.merchant_id and t.id = k.transaction_id
          where (k.status = 'processed' and k.transaction_id is null) or (k.status = 'created' and k.transaction_id is not null)
          or (k.status = 'initialised' and t.status <> 'declined')
          or (k.transaction_id is not null and (t.id is null or t.created_at >= k.expires_at
            or t.payment_request_id <> k.payment_request_id))`,
  },
  {
    id: "I13",
    // A token with several attempts names the last one of its session.
    about: "a payment of the embedded checkout does not have exactly one token",
    sql: `select t.id as subject from transactions t join request r
            on r.merchant_id = t.merchant_id and r.id = t.payment_request_id and r.flow = 'checkout'
          where (select count(*) from one_time_tokens k where k.transaction_id = t.id) not in (1,
            case when r.attempts > 1 and t.status = 'declined' then 0 else 1 end)`,
  },
  ...PAYID_RULES,
  // A debit on its way to the bank has its batch's job; a rule about banks checks that.
  {
    id: "I21",
    about: "something is pending, but no job would finish it",
    sql: `select id as subject from (
            select merchant_id, id from transactions t where (status = 'pending' or capture_status = 'uncaptured')
              and not exists (select from debits d where d.merchant_id = t.merchant_id and d.transaction_id = t.id
                and d.submitted_at is null)
            union all select merchant_id, id from transaction_operations where status = 'pending'
            union all select merchant_id, id from refunds where status = 'pending'
              or (late_approval is not null and late_approval ->> 'reversedAt' is null)
            union all select t.merchant_id, coalesce(m.id, t.id || ' without a reversal') from transactions t left join transaction_operations m
              on m.merchant_id = t.merchant_id and m.transaction_id = t.id and m.kind = 'reverse' and m.status = 'pending'
              where t.late_approval is not null and t.late_approval ->> 'reversedAt' is null
            union all select coalesce(merchant_id, '${UNMATCHED_TRANSFER_MERCHANT}'), id from incoming_transfers where status = 'returning'
            union all select merchant_id, id from payment_requests where status = 'created'
          ) as waits where not exists (
            select from jobs where jobs.merchant_id = waits.merchant_id and jobs.subject_id = waits.id)`,
  },
];

/** The description of each rule, without those about deliveries and banks. */
export const EVERY_RULE: readonly string[] = RULES.map((rule) => rule.about);

/** Rules that hold at rest: a minute after the last fault. */
const AT_REST: readonly Rule[] = [
  ...PAYID_AT_REST,
  {
    id: "I21",
    // A challenged payer has 15 minutes; every other attempt must have ended.
    about: "an attempt has no known outcome",
    sql: `select id as subject from transactions
          where status = 'pending' and source <> 'direct_debit' and phase <> 'challenged'`,
  },
  {
    id: "I21",
    about: "a capture or a void is unfinished",
    sql: "select id as subject from transaction_operations where status = 'pending'",
  },
  {
    id: "I21",
    about: "an idempotency key is still processing",
    sql: "select key as subject from idempotency_keys where status = 'processing'",
  },
  {
    id: "I21",
    about: "a request is open past its expiry",
    sql: `select r.id as subject from request r join merchants m on m.id = r.merchant_id
          where r.status = 'created' and r.expires_at < now() + make_interval(secs => m.clock_offset_ms / 1000.0) - interval '3 seconds'`,
  },
  {
    id: "I21",
    about: "a job is overdue",
    sql: "select kind || ' ' || subject_id as subject from jobs where due_at < now() - interval '3 seconds'",
  },
  {
    id: "I21",
    // One that fails forever is never overdue: each failure moves it. Success deletes it, or clears its problem.
    about: "a job failed and has not succeeded since",
    sql: "select kind || ' ' || subject_id || ': ' || problem as subject from jobs where problem is not null",
  },
];

/** Every violation, read in one statement and so in one snapshot: it may run while payments go on. */
export async function findViolations(database: Reader): Promise<readonly Violation[]> {
  return check(database, [...RULES, ...DELIVERY_RULES, ...BANK_RULES]);
}

/** What is unfinished or overdue. */
export async function findUnsettled(database: Reader): Promise<readonly Violation[]> {
  return check(database, [...AT_REST, ...DELIVERIES_AT_REST]);
}

async function check(database: Reader, rules: readonly Rule[]): Promise<readonly Violation[]> {
  const parts = rules.map(
    ({ id, about, sql }) =>
      `select '${id}' as id, subject::text, '${about.replaceAll("'", "''")}' as about from (${sql}) as found`,
  );
  const read = database.readAll ?? database.rows;
  return read<Violation>(`with ${VIEWS}, ${BANK_VIEWS} ${parts.join(" union all ")} order by 1, 2`);
}

/** Fails with the list of violations. */
export async function assertInvariants(database: Reader): Promise<void> {
  assert.deepEqual(await findViolations(database), []);
}

/** Ends a test file. The gateway stops even if an invariant is broken; otherwise the file would hang instead of failing. */
export async function assertInvariantsAndStop(gateway: {
  readonly database: Reader;
  readonly stop: () => Promise<unknown>;
}): Promise<void> {
  try {
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
  }
}

/** I15: the tables that hold a text in clear, as hex or as base64. Every column of every table is read. */
export async function findInDatabase(database: Reader, canary: string): Promise<readonly string[]> {
  const tables = await database.rows<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const bytes = Buffer.from(canary);
  const forms = [canary, bytes.toString("hex"), bytes.toString("base64").replace(/.{1,2}={0,2}$/, "")];
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.rows<{ there: boolean }>(
      `select exists (select 1 from ${name} t where t::text ilike any ($1)) as there`,
      [forms.map((form) => `%${form.replaceAll(/[%_\\]/g, "\\$&")}%`)],
    );
    if (row?.there === true) found.push(name);
  }
  return found;
}
