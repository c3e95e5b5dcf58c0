-- A partial approval: whether the merchant accepts one, and what the acquirer approved where that is less than the total.
-- The next file checks the rows that exist, without a lock that stops writing.
alter table transactions
  add column accepts_partial boolean not null default false,
  add column approved_amount bigint;
alter table transactions add constraint transactions_approved_amount_check
  check (approved_amount >= 0 and approved_amount < amount + surcharge and captured <= approved_amount) not valid;
