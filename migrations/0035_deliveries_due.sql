-- Outside a transaction.
-- What has just become due is found by its time, so that finding it does not depend on how many merchants wait for a retry.
drop index concurrently if exists deliveries_due;
create index concurrently deliveries_due on deliveries (due_at, merchant_id) where status = 'pending';
