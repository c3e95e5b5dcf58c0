-- Outside a transaction.
-- Old rows are found by an exact index. Deleted rows leave room that new rows fill, and after a few rounds of that a BRIN
-- index matches every page.
drop index concurrently if exists idempotency_keys_created;
create index concurrently idempotency_keys_created on idempotency_keys (created_at);
drop index concurrently if exists idempotency_keys_by_age;
drop index concurrently if exists events_created;
create index concurrently events_created on events (created_at);
drop index concurrently if exists events_by_age;
drop index concurrently if exists one_time_tokens_expiry;
create index concurrently one_time_tokens_expiry on one_time_tokens (expires_at);
