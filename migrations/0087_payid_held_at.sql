-- The moment in real time: ids and created_at have the merchant's clock, and merchants share the PayID domain.
alter table payment_requests add column payid_held_at timestamptz;
