-- Outside a transaction.
-- The transaction that records an outcome marks the keys of the requests that began it; few keys are processing at a time.
drop index concurrently if exists idempotency_keys_processing;
create index concurrently idempotency_keys_processing on idempotency_keys (merchant_id, resource_id)
  where status = 'processing';
-- Until now a key of an interrupted request stayed processing and counted as done after a minute.
update idempotency_keys set status = 'done' where status = 'processing' and created_at < now() - interval '1 minute';
