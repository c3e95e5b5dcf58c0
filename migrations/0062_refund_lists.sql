-- Outside a transaction.
-- Pages of all refunds of a merchant, by reference and by status.
create index concurrently if not exists refunds_by_reference on refunds (merchant_id, reference, id);
create index concurrently if not exists refunds_by_status on refunds (merchant_id, status, id);
