-- Pairs of the merchant's own on resources. A row without pairs has none here either, and writes nothing more.
alter table payment_requests add column metadata json;
alter table transactions add column metadata json;
alter table refunds add column metadata json;
alter table customers add column metadata json;
alter table payment_instruments add column metadata json;

-- Finds resources by one pair, newest first: one walk along the key, however many resources have the pair. The digest is
-- of `scope/key=value`. The scope is the customer of instruments, the transaction in the list of its refunds, and empty in
-- all other lists. The prefix of the resource's id says what it is, so one table serves all lists.
create table metadata_pairs (
  merchant_id  text collate "C" not null,
  digest       bytea not null,
  resource_id  text collate "C" not null,
  primary key (merchant_id, digest, resource_id)
);

-- Each argument names a column that holds a scope of its own; an empty one stands for the scope of all.
create function write_metadata_pairs() returns trigger language plpgsql as $$
declare
  scopes text[] := array(
    select case when name = '' then '' else to_jsonb(new) ->> name end from unnest(tg_argv) as name);
begin
  if tg_op = 'UPDATE' then
    delete from metadata_pairs
    where merchant_id = old.merchant_id and resource_id = old.id and digest in (
      select sha256(convert_to(scope || '/' || key || '=' || value, 'UTF8'))
      from unnest(scopes) as scope, json_each_text(old.metadata));
  end if;
  insert into metadata_pairs (merchant_id, digest, resource_id)
  select new.merchant_id, sha256(convert_to(scope || '/' || key || '=' || value, 'UTF8')), new.id
  from unnest(scopes) as scope, json_each_text(new.metadata);
  return null;
end;
$$;

create trigger payment_requests_metadata after insert on payment_requests
  for each row when (new.metadata is not null) execute function write_metadata_pairs('');
create trigger transactions_metadata after insert on transactions
  for each row when (new.metadata is not null) execute function write_metadata_pairs('');
create trigger refunds_metadata after insert on refunds
  for each row when (new.metadata is not null) execute function write_metadata_pairs('', 'transaction_id');
create trigger customers_metadata after insert on customers
  for each row when (new.metadata is not null) execute function write_metadata_pairs('');
create trigger customers_changed_metadata after update of metadata on customers
  for each row when (new.metadata::text is distinct from old.metadata::text) execute function write_metadata_pairs('');
create trigger payment_instruments_metadata after insert on payment_instruments
  for each row when (new.metadata is not null) execute function write_metadata_pairs('customer_id');
create trigger payment_instruments_changed_metadata after update of metadata on payment_instruments
  for each row when (new.metadata::text is distinct from old.metadata::text)
  execute function write_metadata_pairs('customer_id');
