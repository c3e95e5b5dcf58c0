-- Outside a transaction.
-- The expiry of an authorisation whose capture or void is unfinished follows it: its job ends, and the end of the operation
-- writes a new one, whichever process records that end, also a node of the previous version.
alter table transaction_operations add column if not exists followed_by_expiry boolean not null default false;

create or replace function write_expiry_after_operation() returns trigger language plpgsql as $$
begin
  insert into jobs (kind, merchant_id, subject_id, due_at)
  values ('transaction_expire', new.merchant_id, new.transaction_id, now());
  return null;
end $$;

create or replace trigger transaction_operations_expiry after update on transaction_operations
  for each row when (old.status = 'pending' and new.status <> 'pending' and new.followed_by_expiry)
  execute function write_expiry_after_operation();

-- The expiry that waited was looked for with it.
drop index concurrently if exists jobs_failed_expiries;
