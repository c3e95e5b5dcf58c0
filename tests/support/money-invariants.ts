import type { Rule } from "./payid-invariants.ts";

/** About requests, payments, captures and refunds: here, and in the ledger of the acquirer. */
export const MONEY_RULES: readonly Rule[] = [
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
    sql: "select r.id as subject from request r join booked on belongs_to = r.id where booked.attempts > r.attempts",
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
    sql: "select t.id as subject from charge t join booked on belongs_to = t.id where t.captured < booked.refunded",
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
    sql: `select t.id as subject from charge t left join booked on belongs_to = t.id where not t.moving
          and coalesce(booked.captured, 0) <> case when t.capture_type = 'manual' then t.captured else 0 end`,
  },
  {
    id: "I7",
    about: "a refund differs from the acquirer's ledger",
    sql: `select f.id as subject from refunds f join charge t on t.merchant_id = f.merchant_id and t.id = f.transaction_id
          where f.status <> 'pending' and (f.status = 'approved') <> exists (select from ledger b where b.kind = 'refund'
            and b.approved and b.reference = f.id and b.belongs_to = f.transaction_id and b.amount = f.amount)`,
  },
];
