-- Outside a transaction.
-- A payment can be disputed more than once. Acquirers name each case; without a name there is one dispute of a payment.
alter table disputes add column if not exists case_reference text collate "C";
drop index concurrently if exists disputes_by_case;
create unique index concurrently disputes_by_case on disputes (merchant_id, transaction_id, case_reference)
  nulls not distinct;
alter table disputes drop constraint if exists disputes_merchant_id_transaction_id_key;
