-- Direct debit: what went to a bank, when, and in which batch.

create table debit_batches (
  merchant_id  text collate "C" not null,
  id           text collate "C" not null,
  -- Handed over by a connector, or in a file that the operator takes to the bank.
  rail         text not null check (rail in ('connector', 'file')),
  currency     text not null check (currency in ('AUD', 'NZD')),
  -- When the bank is to debit, in the merchant's zone.
  day          date not null,
  debits       integer not null check (debits > 0),
  total        bigint not null check (total > 0),
  created_at   timestamptz not null,
  primary key (merchant_id, id)
);

-- One row per debit that is in a batch; one that is in none waits. The account's number is in the vault and nowhere else.
create table debits (
  merchant_id     text collate "C" not null,
  transaction_id  text collate "C" not null,
  batch_id        text collate "C" not null,
  -- What banks know it by in files, where our id has no room; the payer sees it on the statement.
  bank_reference  text collate "C" not null check (bank_reference ~ '^[0-9A-Z]{12}$'),
  submitted_at    timestamptz,
  -- The bank has nothing more to say about it.
  closed_at       timestamptz,
  primary key (merchant_id, transaction_id),
  unique (merchant_id, bank_reference),
  foreign key (merchant_id, transaction_id) references transactions,
  foreign key (merchant_id, batch_id) references debit_batches
);

create index debits_of_batch on debits (merchant_id, batch_id, transaction_id);
create index debits_open on debits (merchant_id, transaction_id) where closed_at is null;
create index transactions_pending_debits on transactions (merchant_id, currency, id)
  where source = 'direct_debit' and status = 'pending';
create index refunds_pending on refunds (merchant_id, id) where status = 'pending';

-- A returns file is read once.
create table debit_returns_files (
  merchant_id  text collate "C" not null,
  hash         bytea not null check (length(hash) = 32),
  items        integer not null,
  read_at      timestamptz not null,
  primary key (merchant_id, hash)
);

-- The one way out of a final state: the payer's bank takes an approved debit back. What was captured stays on record,
-- because refunds were measured by it.
alter table transactions
  drop constraint transactions_check4,
  add constraint transactions_captured_or_returned check (captured = 0 or capture_status = 'captured'
    or (status = 'declined' and code = 'D10005' and captured = amount + surcharge)),
  add constraint transactions_returned check (code is distinct from 'D10005' or source = 'direct_debit');

drop trigger transactions_final on transactions;
create trigger transactions_final before update of status on transactions
  for each row when (old.status <> 'pending' and new.status is distinct from old.status
    and not (old.status = 'approved' and new.status = 'declined' and old.source = 'direct_debit'
      and new.code = 'D10005'))
  execute function refuse_change_of_final_state();
