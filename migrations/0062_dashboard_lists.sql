-- Outside a transaction.
-- What the dashboard's lists are searched and sorted by. The merchant comes first, the id last: a page costs the same at any
-- depth.
drop index concurrently if exists payment_requests_by_amount;
create index concurrently payment_requests_by_amount on payment_requests (merchant_id, amount, id);
drop index concurrently if exists transactions_by_amount;
create index concurrently transactions_by_amount on transactions (merchant_id, (amount + surcharge), id);
drop index concurrently if exists refunds_by_amount;
create index concurrently refunds_by_amount on refunds (merchant_id, amount, id);
drop index concurrently if exists transactions_by_last4;
create index concurrently transactions_by_last4 on transactions (merchant_id, (card ->> 'last4'), id) where card is not null;
drop index concurrently if exists customers_by_email;
create index concurrently customers_by_email on customers (merchant_id, lower(email), id) where email is not null;
drop index concurrently if exists disputes_by_reference;
create index concurrently disputes_by_reference on disputes (merchant_id, reference, id);
