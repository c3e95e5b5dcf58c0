import type { Rule } from "./payid-invariants.ts";

/** The merchant's id in the job that returns a transfer of no merchant. */
const UNMATCHED_TRANSFER_MERCHANT = "nobody";

/** About keys, events, tokens, stored instruments and the jobs of what is unfinished. */
export const RECORD_RULES: readonly Rule[] = [
  {
    id: "I8",
    about: "an idempotency key belongs to a resource that does not exist",
    sql: `select key as subject from idempotency_keys where resource_id ~ '^(pr|txn|rfd|cus|pi)_' and resource_id not in (
            select id from payment_requests union all select id from transactions union all select id from refunds
            union all select id from customers union all select id from payment_instruments)`,
  },
  {
    id: "I9",
    about: "the number of events differs from the number of changes",
    sql: `select r.id as subject from resource r left join event_counts on event_counts.merchant_id = r.merchant_id and event_counts.resource_id = r.id
          where r.changes <> coalesce(event_counts.changes, 0)`,
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
    id: "I9",
    // A customer that a payment creates has the moment of that payment's card. When a card was stored is not in its record.
    about: "the events of a customer or an instrument do not begin with its creation",
    sql: `select held.id as subject from (
            select merchant_id, id, created_at, 'pi' || substr(id, strpos(id, '_')) as card_id from customers
            union all select merchant_id, id, created_at, null from payment_instruments where type = 'bank_account') held
          left join published card on card.merchant_id = held.merchant_id and card.resource_id = held.card_id and card.nth = 1
          left join published on published.merchant_id = held.merchant_id and published.resource_id = held.id
            and published.nth = 1
          where published.updated_at is distinct from coalesce(card.updated_at, held.created_at)
          union all select held.id from (
            select merchant_id, id, created_at from customers
            union all select merchant_id, id, created_at from payment_instruments) held
          join published on published.merchant_id = held.merchant_id and published.resource_id = held.id
          where (payload ->> 'createdDateTime')::timestamptz is distinct from held.created_at`,
  },
  {
    id: "I9",
    // Customers are left out: two e-mail addresses may look the same once they are masked.
    about: "an event of an instrument shows no change, or comes after its deletion",
    sql: `select resource_id as subject from changed where event = 'payment_instruments'
          and (earlier::json #>> '{payload,deletedDateTime}' is not null
            or regexp_replace(payload::text, '"updatedDateTime":"[^"]+"', '')
              = regexp_replace((earlier::json -> 'payload')::text, '"updatedDateTime":"[^"]+"', ''))`,
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
    id: "I14",
    about: "a card is stored, but no approved payment stored it, or one whose payer was not authenticated",
    sql: `select i.id as subject from payment_instruments i where i.type = 'card' and not exists (
            select from transactions t where t.merchant_id = i.merchant_id and t.stores_instrument_id = i.id
            and t.status = 'approved' and t.payment_instrument_id = i.id and t.customer_id = i.customer_id
            and coalesce(t.authentication, '') not in ('failed', 'rejected', 'abandoned'))`,
  },
  {
    id: "I14",
    about: "an attempt without an approval left an instrument or a customer",
    sql: `select t.id as subject from transactions t where t.stores_instrument_id is not null and t.status <> 'approved' and (
            exists (select from payment_instruments i where i.merchant_id = t.merchant_id and i.id = t.stores_instrument_id)
            or exists (select from customers c where c.merchant_id = t.merchant_id
              and c.id = 'cus' || substr(t.stores_instrument_id, strpos(t.stores_instrument_id, '_'))))`,
  },
  {
    id: "I14",
    about: "an approved payment did not store its card",
    sql: `select t.id as subject from transactions t where t.stores_instrument_id is not null and t.status = 'approved'
          and not exists (select from payment_instruments i where i.merchant_id = t.merchant_id and i.id = t.stores_instrument_id)`,
  },
  {
    id: "I14",
    about: "a request names an instrument that its approval did not store",
    sql: `select r.id as subject from request r where payment_instrument_id is not null and not exists (
            select from transactions t where t.merchant_id = r.merchant_id and t.id = r.approved_transaction_id
            and t.stores_instrument_id = r.payment_instrument_id and t.customer_id = r.customer_id)`,
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
            left join (select merchant_id, transaction_id, count(*) as tokens from one_time_tokens group by 1, 2) k
              on k.merchant_id = t.merchant_id and k.transaction_id = t.id
          where coalesce(k.tokens, 0) not in (1,
            case when r.attempts > 1 and t.status = 'declined' then 0 else 1 end)`,
  },
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
