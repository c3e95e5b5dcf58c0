/** Views for the rules about bank accounts: the bank's own ledger, and the debits that belong in it. */
export const BANK_VIEWS = `
  bank as (
    select id, kind, reference, belongs_to, amount, facts ->> 'code' as code,
      coalesce(facts ->> 'code', '') like 'A%' as approved
    from sandbox_ledger where ledger = 'debit bank'
  ),
  debit as (
    select t.* from transactions t join merchants on merchants.id = t.merchant_id and merchants.mode = 'sandbox'
    where source = 'direct_debit'
  )`;

export const BANK_RULES = [
  {
    id: "I3",
    about: "something other than an approved debit was returned",
    sql: `select resource_id as subject from changed where payload -> 'result' -> 'codes' -> 0 ->> 'id' = 'D10005'
          and payload -> 'category' ->> 'method' <> 'refund'
          and (status_before <> 'approved' or status <> 'declined'
            or payload -> 'category' ->> 'source' <> 'direct_debit')`,
  },
  {
    id: "I7",
    about: "the bank has a debit or a credit that the gateway does not know",
    sql: `select reference as subject from bank where kind = 'debit' and reference not in (select id from debit)
          union all select reference from bank where kind = 'credit' and approved
            and reference not in (select id from refunds)`,
  },
  {
    id: "I7",
    about: "a debit is approved here, but the bank's ledger differs",
    sql: `select d.id as subject from debit d where d.status = 'approved' and not exists (
            select from bank b where b.kind = 'settlement' and b.approved and b.reference = d.id
            and b.amount = d.captured and b.amount = d.amount)`,
  },
  {
    id: "I7",
    about: "a debit is declined here, but the bank took the money and kept it",
    sql: `select d.id as subject from debit d where d.status = 'declined'
          and exists (select from bank b where b.kind = 'settlement' and b.approved and b.reference = d.id)
          and not exists (select from bank b where b.kind = 'return' and b.reference = d.id and b.amount = d.captured)`,
  },
  {
    id: "I7",
    about: "a debit is returned here, but not in the bank's ledger",
    sql: `select d.id as subject from debit d where d.code = 'D10005'
          and not exists (select from bank b where b.kind = 'return' and b.reference = d.id)`,
  },
  {
    id: "I7",
    about: "a refund to an account differs from the bank's credit",
    sql: `select f.id as subject from refunds f join debit d on d.merchant_id = f.merchant_id and d.id = f.transaction_id
          where f.status <> 'pending' and (f.status = 'approved') <> exists (select from bank b where b.kind = 'credit'
            and b.approved and b.reference = f.id and b.belongs_to = d.id and b.amount = f.amount)`,
  },
  {
    id: "I7",
    about: "a batch is not the sum of its debits",
    sql: `select b.id as subject from debit_batches b left join lateral (
            select count(*) as debits, coalesce(sum(t.amount), 0) as total, bool_and(t.currency = b.currency) as pure
            from debits d join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
            where d.merchant_id = b.merchant_id and d.batch_id = b.id) s on true
          where s.debits <> b.debits or s.total <> b.total or not s.pure`,
  },
  {
    id: "I21",
    about: "a debit may still be returned, but no job checks for it",
    sql: `select d.transaction_id as subject from debits d where d.closed_at is null and d.submitted_at is not null
          and not exists (select from jobs where jobs.merchant_id = d.merchant_id and jobs.kind = 'debit_follow'
            and jobs.subject_id = d.transaction_id)`,
  },
  {
    id: "I21",
    about: "the bank does not have a debit of a batch, and no job hands the batch over",
    sql: `select d.transaction_id as subject from debits d
          join debit_batches b on b.merchant_id = d.merchant_id and b.id = d.batch_id and b.rail = 'connector'
          where d.closed_at is null and d.submitted_at is null
          and not exists (select from jobs where jobs.merchant_id = d.merchant_id and jobs.kind = 'debit_submit'
            and jobs.subject_id = d.batch_id)`,
  },
  {
    id: "I21",
    about: "a batch has debits that its status contradicts",
    sql: `select b.id as subject from debit_batches b
          where (b.status = 'submitted' and exists (select from debits d where d.merchant_id = b.merchant_id
              and d.batch_id = b.id and d.submitted_at is null and d.closed_at is null))
            or (b.status in ('made', 'written', 'empty') and exists (select from debits d
              where d.merchant_id = b.merchant_id and d.batch_id = b.id and d.submitted_at is not null))`,
  },
  {
    id: "I21",
    about: "a debit is in no batch and does not wait for one, or waits although it is in one",
    sql: `select coalesce(t.id, w.transaction_id) as subject from (
            select merchant_id, id from transactions where source = 'direct_debit' and status = 'pending'
            and not exists (select from debits d where d.merchant_id = transactions.merchant_id
              and d.transaction_id = transactions.id)) t
          full join waiting_debits w on w.merchant_id = t.merchant_id and w.transaction_id = t.id
          where t.id is null or w.transaction_id is null`,
  },
  {
    id: "I21",
    about: "a debit waits for a batch, and no job makes one",
    sql: `select w.transaction_id as subject from waiting_debits w where not exists (
            select from jobs where jobs.merchant_id = w.merchant_id and jobs.subject_id = w.transaction_id)`,
  },
  {
    id: "I9",
    about: "a payout was not published exactly once with its amount",
    sql: `select p.id as subject from payouts p where (select count(*) from published e where e.merchant_id = p.merchant_id
            and e.resource_id = p.id and e.event = 'payouts'
            and (payload -> 'payment' ->> 'amount')::bigint = p.amount) <> 1`,
  },
  {
    id: "I24",
    about: "a money operation has no payout line, or a line with another amount",
    sql: `with operation as (
            select merchant_id, 'payment' as kind, id as subject_id, captured as amount from transactions where captured > 0
            union all select merchant_id, 'return', id, -captured from transactions where code = 'D10005'
            union all select merchant_id, 'fee', id, -fee from transactions where fee > 0
            union all select merchant_id, 'refund', id, -amount from refunds where status = 'approved'
            union all select merchant_id, 'dispute', id, -amount from disputes
            union all select merchant_id, 'dispute_won', id, amount from disputes where status = 'won')
          select subject_id as subject from operation o full join payout_lines l using (merchant_id, kind, subject_id)
          where l.amount is distinct from o.amount`,
  },
  {
    id: "I24",
    about: "a payout is not the sum of its lines",
    sql: `select p.id as subject from payouts p where p.amount <> (select coalesce(sum(amount), 0) from payout_lines l
            where l.merchant_id = p.merchant_id and l.payout_id = p.id and l.currency = p.currency)`,
  },
] as const;
