-- The reversal of an approval that arrived after its payment was declined is an operation, too. The next file checks the
-- rows that exist, without a lock that stops writing.
alter table transaction_operations drop constraint transaction_operations_kind_check;
alter table transaction_operations add constraint transaction_operations_kind_check
  check (kind in ('capture', 'void', 'expire', 'reverse')) not valid;
