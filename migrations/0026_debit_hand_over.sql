-- Debits that are in no batch yet, in a table of their own, so that finding them does not walk past all pending ones. The
-- triggers keep it: a new debit is added, and one that enters a batch leaves.
create table waiting_debits (
  merchant_id     text collate "C" not null,
  currency        text not null check (currency in ('AUD', 'NZD')),
  transaction_id  text collate "C" not null,
  primary key (merchant_id, currency, transaction_id)
);

create function write_waiting_debit() returns trigger language plpgsql as $$
begin
  insert into waiting_debits (merchant_id, currency, transaction_id)
  values (new.merchant_id, new.currency, new.id) on conflict do nothing;
  return null;
end $$;

create trigger transactions_waiting_debit after insert on transactions
  for each row when (new.source = 'direct_debit' and new.status = 'pending') execute function write_waiting_debit();

create function delete_waiting_debit() returns trigger language plpgsql as $$
begin
  delete from waiting_debits where merchant_id = new.merchant_id and transaction_id = new.transaction_id
    and currency = (select currency from debit_batches where merchant_id = new.merchant_id and id = new.batch_id);
  return null;
end $$;

create trigger debits_no_longer_waiting after insert on debits
  for each row execute function delete_waiting_debit();

-- A batch is handed over once. Its status says how far that is; batches from before count as handed over until the next
-- migration finds those that are not.
alter table debit_batches
  add column status text not null default 'submitted',
  -- How often it was handed over; more than once only after an unknown outcome.
  add column attempts integer not null default 0,
  -- When the last hand-over began.
  add column submitting_since timestamptz,
  -- When the bank processes a file, as the operator confirmed it.
  add column processing_day date,
  add constraint debit_batches_status
    check (status in ('made', 'submitting', 'unknown', 'incomplete', 'written', 'submitted', 'empty')) not valid,
  add constraint debit_batches_rail_and_status check (case rail
    when 'file' then status in ('made', 'written', 'submitted', 'empty')
    else status <> 'written' and processing_day is null end) not valid,
  add constraint debit_batches_submitting check (status <> 'submitting' or submitting_since is not null) not valid;
alter table debit_batches alter column status set default 'made';
