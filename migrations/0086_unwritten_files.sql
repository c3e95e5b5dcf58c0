-- Outside a transaction.
-- Files that were never written, beside those that no bank is known to have.
drop index concurrently if exists debit_batches_unconfirmed;
create index concurrently debit_batches_unconfirmed on debit_batches (created_at)
  where rail = 'file' and status in ('made', 'written');
