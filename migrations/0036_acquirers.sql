-- Acquirer accounts: which connector takes a merchant's card payments, with its settings.
create table acquirer_accounts (
  merchant_id text collate "C" not null references merchants (id),
  id text collate "C" not null,
  connector text not null,
  -- The settings, sealed as a whole: most of them are secrets or name the acquiring contract.
  sealed_settings text not null,
  -- Empty: every currency, every card type.
  currencies text[] not null default '{}',
  card_types text[] not null default '{}',
  status text not null check (status in ('active', 'disabled')),
  -- The order in which a payment tries the accounts.
  place integer not null check (place >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create unique index acquirer_accounts_by_id on acquirer_accounts (id);

-- The account that takes a payment is on record before the call, so that a recovery asks the right acquirer.
alter table transactions add column acquirer_account_id text collate "C";
alter table transactions add column acquirer json;

-- The card scheme's id of the payment that stored a card. Later charges carry it.
alter table payment_instruments add column network_transaction_id text;

-- The number of a card whose acquirer wants it in every message, while a message may still be sent.
alter table vault_secrets drop constraint vault_secrets_field_check;
alter table vault_secrets add constraint vault_secrets_field_check
  check (field in ('card_number', 'account_number', 'transaction_card')) not valid;
create index vault_secrets_of_transactions on vault_secrets (created_at) where field = 'transaction_card';
