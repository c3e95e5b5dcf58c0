-- Outside a transaction.
-- When an operation has ended, the expiry that waited for it is looked for: among those that failed, however many they are.
drop index concurrently if exists jobs_failed_expiries;
create index concurrently jobs_failed_expiries on jobs (merchant_id, subject_id)
  where kind = 'transaction_expire' and problem is not null;
