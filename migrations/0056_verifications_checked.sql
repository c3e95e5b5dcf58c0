-- Reads the rows that exist, while others write.
alter table transactions validate constraint transactions_method_check;
alter table transactions validate constraint transactions_amount_check;
alter table transactions validate constraint transactions_verification;
alter table transactions validate constraint transactions_check2;
alter table payment_requests validate constraint payment_requests_amount_check;
