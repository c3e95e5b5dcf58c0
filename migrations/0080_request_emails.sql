-- Outside a transaction.
-- The dashboard finds a payment request by the e-mail address that the merchant gave with it. A request without one has no entry;
-- its text is searched for the key, which takes a fraction of reading its JSON.
drop index concurrently if exists payment_requests_by_email;
create index concurrently payment_requests_by_email on payment_requests
  (merchant_id, lower(details -> 'customerRequest' ->> 'email'), id) where strpos(details::text, '"email"') > 0;
