/** A rule's query returns one row per violation, with its `subject`. */
export type Rule = { readonly id: string; readonly about: string; readonly sql: string };

/** The rail's own ledger. The gateway's transfers are checked against it. */
const LEDGER = "select * from sandbox_ledger where ledger = 'payid'";
const lines = (kind: string) => `(${LEDGER} and kind = '${kind}')`;

/** I22: a bank credit completes one request once; wrong, late and duplicate ones are returned and recorded. */
export const PAYID_RULES: readonly Rule[] = [
  {
    id: "I22",
    about: "two transfers completed one request",
    sql: `select payment_request_id as subject from incoming_transfers where status = 'accepted'
          group by merchant_id, payment_request_id having count(*) > 1`,
  },
  {
    id: "I22",
    about: "one bank message made two transfers",
    sql: "select message as subject from incoming_transfers group by mode, message having count(*) > 1",
  },
  {
    id: "I22",
    about: "an accepted transfer does not pay its request exactly and before its expiry",
    sql: `select i.id as subject from incoming_transfers i where i.status = 'accepted' and not exists (
            select from payment_requests r join transactions t
              on t.merchant_id = r.merchant_id and t.id = r.approved_transaction_id
            where r.merchant_id = i.merchant_id and r.id = i.payment_request_id and r.status = 'completed'
            and t.id = i.transaction_id and t.source = 'payid' and t.status = 'approved' and t.amount = i.amount
            and t.captured = i.amount and r.amount = i.amount and i.received_at < r.expires_at
            and t.payid ->> 'transfer' = i.message)`,
  },
  {
    id: "I22",
    about: "a PayID request was completed without a transfer",
    sql: `select r.id as subject from payment_requests r where flow = 'payid' and status = 'completed' and not exists (
            select from incoming_transfers i where i.merchant_id = r.merchant_id and i.payment_request_id = r.id
            and i.status = 'accepted')`,
  },
  {
    id: "I22",
    about: "a transfer was returned for the wrong reason",
    sql: `select i.id as subject from incoming_transfers i join payment_requests r
            on r.merchant_id = i.merchant_id and r.id = i.payment_request_id
          where i.status <> 'accepted' and not case i.reason
            when 'short' then i.amount < r.amount and i.received_at < r.expires_at
            when 'over' then i.amount > r.amount and i.received_at < r.expires_at
            when 'late' then r.status = 'expired' and i.received_at >= r.expires_at
            when 'duplicate' then r.status = 'completed'
            when 'closed' then r.status = 'cancelled' else false end`,
  },
  {
    id: "I22",
    about: "the request's returns differ from the returned transfers",
    sql: `select r.id as subject from payment_requests r where flow = 'payid' and coalesce(
            (select jsonb_agg(jsonb_build_array(one ->> 'amount', one ->> 'reason')
               order by one ->> 'amount', one ->> 'reason') from json_array_elements(r.payid_returns) one), '[]')
          is distinct from coalesce(
            (select jsonb_agg(jsonb_build_array(amount::text, reason) order by amount::text collate "default", reason)
             from (select amount, reason from incoming_transfers i where i.merchant_id = r.merchant_id
               and i.payment_request_id = r.id and i.status <> 'accepted'
               order by i.received_at desc, i.id desc limit 100) shown), '[]')`,
  },
  {
    id: "I22",
    about: "a transfer differs from the rail's ledger",
    sql: `select i.id as subject from incoming_transfers i where mode = 'sandbox' and not exists (
            select from ${lines("transfer")} b where b.reference = i.message and b.amount = i.amount)`,
  },
  {
    id: "I22",
    about: "the rail returned an accepted transfer, or did not return a returned one",
    sql: `select i.id as subject from incoming_transfers i left join ${lines("return")} b on b.reference = i.message
          where (i.status = 'accepted' and b.id is not null)
          or (i.status = 'returned' and b.amount is distinct from i.amount)`,
  },
  {
    id: "I22",
    about: "the rail's refunds differ from the gateway's",
    sql: `select coalesce(f.id, b.reference) as subject
          from (select f.*, t.payid ->> 'transfer' as transfer from refunds f join transactions t
                  on t.merchant_id = f.merchant_id and t.id = f.transaction_id where t.source = 'payid') f
          full join ${lines("refund")} b on b.reference = f.id
          where f.id is null or (f.status <> 'pending' and (b.id is null or b.amount <> f.amount
            or b.belongs_to <> f.transfer or (b.facts ->> 'code' = 'A02000') <> (f.status = 'approved')))`,
  },
];

/** Holds soon after the last message: all money is accepted or returned, and only open requests are registered. */
export const PAYID_AT_REST: readonly Rule[] = [
  {
    id: "I21",
    about: "a transfer has not reached the gateway, or its return is unfinished",
    sql: `select reference as subject from ${lines("transfer")} b where not exists (
            select from incoming_transfers i where i.mode = 'sandbox' and i.message = b.reference and i.status <> 'returning')`,
  },
  {
    id: "I21",
    about: "a PayID is registered for a closed request, or an open request has none",
    sql: `select r.id as subject from payment_requests r join merchants m on m.id = r.merchant_id and m.mode = 'sandbox'
          where flow = 'payid' and (status = 'created') <> exists (
            select from ${lines("registration")} b where b.reference = r.id and b.belongs_to is not null
            and not exists (select from ${lines("release")} e where e.reference = r.id))`,
  },
];
