-- Reads the table without locking out writers.
alter table vault_secrets validate constraint vault_secrets_field_check;
