-- The merchant's own reference of a capture: on the operation until its outcome is known, then on the transaction. Null for all
-- others, so no row is rewritten.
alter table transaction_operations add column if not exists reference text;
alter table transactions add column if not exists capture_reference text;
