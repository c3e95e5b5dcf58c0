-- One row per attempt to move money. It is written before the acquirer is called, under the id that the acquirer books
-- under, so that no outcome can be lost.
create table transactions (
  merchant_id         text collate "C" not null,
  id                  text collate "C" not null,
  payment_request_id  text collate "C",
  customer_id         text collate "C",
  reference           text collate "C" not null,
  method              text not null check (method in ('purchase', 'authorisation')),
  source              text not null check (source in ('card', 'apple_pay', 'google_pay', 'direct_debit', 'payid')),
  origin              text not null check (origin in ('internet', 'mail', 'telephone')),
  frequency           text not null check (frequency in ('single', 'recurring')),
  capture_type        text not null check (capture_type in ('auto', 'manual')),
  status              text collate "C" not null check (status in ('pending', 'approved', 'declined')),
  -- How far a pending attempt has come: the payer's bank is being asked; it asks the payer; the acquirer may have been
  -- called; we gave up waiting and take back whatever it did; settled.
  phase               text not null
                      check (phase in ('authenticating', 'challenged', 'calling', 'reversing', 'settled')),
  code                text,
  amount              bigint not null check (amount between 1 and 99999999999),
  surcharge           bigint not null default 0 check (surcharge >= 0),
  currency            text not null check (currency in ('AUD', 'NZD')),
  capture_status      text check (capture_status in ('captured', 'uncaptured', 'voided', 'expired')),
  captured            bigint not null default 0,
  -- What pending and approved refunds hold, and what approved ones have given back.
  refunds_held        bigint not null default 0,
  refunded            bigint not null default 0,
  -- Name, last digits, expiry, type: never the number.
  card                json,
  authentication      text check (authentication in ('authenticated', 'failed', 'abandoned')),
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (merchant_id, id),
  check ((status = 'pending') = (phase <> 'settled')),
  check ((status = 'pending') = (code is null)),
  check ((status = 'approved') = (capture_status is not null)),
  check (captured between 0 and amount + surcharge),
  check (captured = 0 or capture_status = 'captured'),
  check (refunded between 0 and refunds_held),
  check (refunds_held <= captured),
  check (updated_at >= created_at)
);

-- The lock of a payment request: while one attempt is pending there can be no other, whichever node it comes from.
create unique index transactions_one_pending on transactions (merchant_id, payment_request_id)
  where status = 'pending' and payment_request_id is not null;

create unique index transactions_one_approved on transactions (merchant_id, payment_request_id)
  where status = 'approved' and payment_request_id is not null;

create index transactions_by_request on transactions (merchant_id, payment_request_id, id)
  where payment_request_id is not null;
create index transactions_by_customer on transactions (merchant_id, customer_id, id) where customer_id is not null;
create index transactions_by_reference on transactions (merchant_id, reference, id);
create index transactions_by_status on transactions (merchant_id, status, id);

create trigger transactions_final before update of status on transactions
  for each row when (old.status <> 'pending' and new.status is distinct from old.status)
  execute function refuse_change_of_final_state();

-- A capture or a void on its way to the acquirer. One at a time per transaction; repeating one moves nothing twice.
create table transaction_movements (
  merchant_id     text collate "C" not null,
  id              text collate "C" not null,
  transaction_id  text collate "C" not null,
  kind            text not null check (kind in ('capture', 'void', 'expire')),
  amount          bigint not null check (amount >= 0),
  status          text not null check (status in ('pending', 'done', 'refused')),
  created_at      timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, transaction_id) references transactions
);

create unique index transaction_movements_one_pending on transaction_movements (merchant_id, transaction_id)
  where status = 'pending';

create table refunds (
  merchant_id     text collate "C" not null,
  id              text collate "C" not null,
  transaction_id  text collate "C" not null,
  reference       text collate "C" not null,
  amount          bigint not null check (amount > 0),
  currency        text not null,
  status          text collate "C" not null check (status in ('pending', 'approved', 'declined')),
  code            text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, transaction_id) references transactions,
  check ((status = 'pending') = (code is null))
);

create index refunds_by_transaction on refunds (merchant_id, transaction_id, id);

create trigger refunds_final before update of status on refunds
  for each row when (old.status <> 'pending' and new.status is distinct from old.status)
  execute function refuse_change_of_final_state();

-- Work that waits for somebody's answer goes by real time: moving the sandbox clock must not cut a call that is under way.
alter table jobs add column real_time boolean not null default false;

-- What attempts on a payment request came to.
alter table payment_requests
  add column approved_transaction_id text collate "C",
  add column failed_transaction_ids text[] not null default '{}',
  add check ((approved_transaction_id is null) or (status = 'completed'));

-- A session is what an initialised token becomes; the frame holds its secret in memory.
alter table one_time_tokens
  add column session_hash bytea unique check (length(session_hash) = 32),
  -- The attempt that used the token up.
  add column transaction_id text collate "C",
  add check ((status = 'created') = (session_hash is null)),
  add check ((status = 'processed') = (transaction_id is not null));

-- The simulators' own books: what a bank would know. The gateway's features never read them.
create table sandbox_books (
  id          bigint generated always as identity primary key,
  book        text not null,
  kind        text not null,
  reference   text collate "C" not null,
  belongs_to  text collate "C",
  amount      bigint not null,
  facts       json not null,
  written_at  timestamptz not null default now(),
  unique (book, kind, reference)
);

create index sandbox_books_by_owner on sandbox_books (book, belongs_to, id) where belongs_to is not null;

-- Seals what a payer's frame holds across a 3D Secure challenge. Nothing in the database is encrypted under it.
create table sealing_keys (
  id          text primary key,
  key         bytea not null check (length(key) = 32),
  created_at  timestamptz not null
);
