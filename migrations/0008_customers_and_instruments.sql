create table customers (
  merchant_id  text collate "C" not null,
  id           text collate "C" not null,
  reference    text collate "C" not null,
  name         text not null,
  -- A customer that a checkout made may have none.
  email        text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (merchant_id, id),
  check (updated_at >= created_at)
);

create index customers_by_reference on customers (merchant_id, reference, id);

-- What may be known of a card or a bank account for good. The number is in the vault and nowhere else.
create table payment_instruments (
  merchant_id   text collate "C" not null,
  id            text collate "C" not null,
  customer_id   text collate "C" not null,
  reference     text collate "C" not null,
  type          text not null check (type in ('card', 'bank_account')),
  -- Name, last digits, expiry, type.
  card          json,
  -- Name, BSB, masked number, name of the bank.
  bank_account  json,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- The row stays, so that past charges have something to point at; nobody is shown it.
  deleted_at    timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customers,
  check ((type = 'card') = (card is not null)),
  check ((type = 'bank_account') = (bank_account is not null)),
  check (updated_at >= created_at),
  check (deleted_at >= created_at)
);

create index payment_instruments_of_customer on payment_instruments (merchant_id, customer_id, id)
  where deleted_at is null;

-- Charges of stored instruments. `customer_id` and its index are there already.
alter table transactions
  add column payment_instrument_id text collate "C",
  -- Name, BSB, masked number: never the number.
  add column bank_account json,
  add check (payment_instrument_id is null or customer_id is not null);
