-- Outside a transaction.
-- Pages of all refunds of a merchant, by reference and by status.
drop index concurrently if exists refunds_by_reference;
create index concurrently refunds_by_reference on refunds (merchant_id, reference, id);
drop index concurrently if exists refunds_by_status;
create index concurrently refunds_by_status on refunds (merchant_id, status, id);
