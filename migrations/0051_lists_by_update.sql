-- Outside a transaction.
-- Pages of `updatedFrom` and `updatedTo`. The status comes first, so that one index serves lists with and without it.
drop index concurrently if exists transactions_by_update;
create index concurrently transactions_by_update on transactions (merchant_id, status, updated_at, id);
drop index concurrently if exists refunds_by_update;
create index concurrently refunds_by_update on refunds (merchant_id, status, updated_at, id);
drop index concurrently if exists payment_requests_by_update;
create index concurrently payment_requests_by_update on payment_requests (merchant_id, status, updated_at, id);
drop index concurrently if exists customers_by_update;
create index concurrently customers_by_update on customers (merchant_id, updated_at, id);
