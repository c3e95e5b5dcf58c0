-- Outside a transaction.
-- Reads the rows that exist, while others write.
alter table payment_requests validate constraint payment_requests_page;
