-- Counts payment attempts, to recognise card testing. `key` is a keyed hash: of a payer's network, a card number or a BIN.
-- `hour` is when a row was last counted; old rows are deleted by it. It is indexed and `counted_at` is not, so that counting
-- changes no index more than once an hour.
create table card_testing_counters (
  merchant_id text not null references merchants (id),
  kind text not null check (kind in ('address', 'bin', 'card', 'merchant')),
  key text not null,
  risk double precision not null check (risk >= 0),
  approved double precision not null check (approved >= 0),
  counted_at timestamptz not null,
  hour timestamptz not null,
  primary key (merchant_id, kind, key)
) with (fillfactor = 50);
create index card_testing_counters_hour on card_testing_counters (hour);

-- Attempts that were made while a limit was close: the payer's browser sees a general decline.
create table card_testing_attempts (
  merchant_id text not null,
  transaction_id text not null,
  created_at timestamptz not null,
  primary key (merchant_id, transaction_id)
);
create index card_testing_attempts_created on card_testing_attempts (created_at);

-- The merchant's own limits; a limit that is not there has its default.
alter table merchants add column card_testing json not null default '{}';
