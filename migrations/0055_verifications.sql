-- An amount of 0 verifies a card without charging it. Such a transaction has no surcharge and nothing to capture. The next
-- file checks the rows that exist, without a lock that stops writing.

alter table transactions drop constraint transactions_method_check;
alter table transactions add constraint transactions_method_check
  check (method in ('purchase', 'authorisation', 'verification')) not valid;

alter table transactions drop constraint transactions_amount_check;
alter table transactions add constraint transactions_amount_check
  check (amount between 0 and 99999999999 and (amount = 0) = (method = 'verification')) not valid;

alter table transactions add constraint transactions_verification
  check (method <> 'verification' or surcharge = 0 and source = 'card') not valid;

alter table transactions drop constraint transactions_check2;
alter table transactions add constraint transactions_check2
  check ((status = 'approved' and method <> 'verification') = (capture_status is not null)) not valid;

alter table payment_requests drop constraint payment_requests_amount_check;
alter table payment_requests add constraint payment_requests_amount_check
  check (amount between 0 and 99999999999 and (amount > 0 or flow <> 'payid')) not valid;
