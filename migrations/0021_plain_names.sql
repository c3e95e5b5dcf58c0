-- Names of tables in the words of the code. Each is a change of the catalogue only, whatever the table's size.
alter table transaction_movements rename to transaction_operations;
alter table transaction_operations rename constraint transaction_movements_pkey to transaction_operations_pkey;
alter table transaction_operations
  rename constraint transaction_movements_merchant_id_transaction_id_fkey
    to transaction_operations_merchant_id_transaction_id_fkey;
alter table transaction_operations
  rename constraint transaction_movements_amount_check to transaction_operations_amount_check;
alter table transaction_operations
  rename constraint transaction_movements_kind_check to transaction_operations_kind_check;
alter table transaction_operations
  rename constraint transaction_movements_status_check to transaction_operations_status_check;
alter index transaction_movements_one_pending rename to transaction_operations_one_pending;
update jobs set kind = 'transaction_operation' where kind = 'transaction_movement';

alter table freshness rename to cache_versions;
alter table cache_versions rename constraint freshness_pkey to cache_versions_pkey;

alter table dashboard_tries rename to sign_in_attempts;
alter table sign_in_attempts rename constraint dashboard_tries_pkey to sign_in_attempts_pkey;
alter table sign_in_attempts rename constraint dashboard_tries_subject_check to sign_in_attempts_subject_check;
alter index dashboard_tries_by_age rename to sign_in_attempts_by_age;

alter table sandbox_books rename to sandbox_ledger;
alter table sandbox_ledger rename column book to ledger;
alter table sandbox_ledger rename constraint sandbox_books_pkey to sandbox_ledger_pkey;
alter table sandbox_ledger
  rename constraint sandbox_books_book_kind_reference_key to sandbox_ledger_ledger_kind_reference_key;
alter index sandbox_books_by_owner rename to sandbox_ledger_by_owner;
alter sequence sandbox_books_id_seq rename to sandbox_ledger_id_seq;
