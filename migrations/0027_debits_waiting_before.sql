-- Debits and batches from before the tables above. No batch is made meanwhile, so that none of these enters one unseen.
lock table debits in share row exclusive mode;

insert into waiting_debits (merchant_id, currency, transaction_id)
select t.merchant_id, t.currency, t.id from transactions t
where t.source = 'direct_debit' and t.status = 'pending'
  and not exists (select from debits d where d.merchant_id = t.merchant_id and d.transaction_id = t.id)
on conflict do nothing;

update debit_batches b set status = 'made'
from (select distinct merchant_id, batch_id from debits where submitted_at is null and closed_at is null) d
where b.merchant_id = d.merchant_id and b.id = d.batch_id;

insert into jobs (kind, merchant_id, subject_id, due_at, real_time)
select 'debit_submit', merchant_id, id, now(), true from debit_batches where rail = 'connector' and status = 'made';

alter table debit_batches
  validate constraint debit_batches_status,
  validate constraint debit_batches_rail_and_status,
  validate constraint debit_batches_submitting;
