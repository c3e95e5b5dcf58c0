-- Outside a transaction.
-- The last holder of a PayID in real time, however often merchants with clocks ahead have used it.
drop index concurrently if exists payment_requests_by_payid_held;
create index concurrently payment_requests_by_payid_held on payment_requests
  (payid_value, payid_held_at desc nulls last, id desc) where payid_value is not null;
drop index concurrently if exists payment_requests_by_payid;
