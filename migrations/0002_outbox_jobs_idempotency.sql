-- What every change writes beside itself, in the same transaction.
-- These tables and those of the resources have no foreign key to merchants: merchants are never deleted, and the key
-- share lock of each check would make one hot row of every busy merchant.

-- One row per change of a resource. `body` is the envelope as it is delivered, byte for byte.
create table events (
  merchant_id  text collate "C" not null,
  id           text collate "C" not null,
  event        text collate "C" not null
               check (event in ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests')),
  resource_id  text collate "C" not null,
  created_at   timestamptz not null,
  body         text not null,
  primary key (merchant_id, id)
);

create index events_by_event on events (merchant_id, event, id);
create index events_by_resource on events (merchant_id, resource_id, id);

-- Timed work. `due_at` is real time; moving a merchant's sandbox clock moves the merchant's rows.
-- A claim pushes `due_at` into the future by a lease, so a worker that dies gives the work back by itself.
create table jobs (
  id           bigint generated always as identity primary key,
  kind         text not null,
  merchant_id  text collate "C" not null,
  subject_id   text collate "C" not null,
  due_at       timestamptz not null,
  tries        integer not null default 0
);

create index jobs_by_due on jobs (due_at);

-- A key is used up by the first request that changes something, in the transaction of that change.
create table idempotency_keys (
  merchant_id  text collate "C" not null,
  key          text collate "C" not null,
  request_id   text not null,
  status       text not null default 'done' check (status in ('processing', 'done')),
  resource_id  text,
  location     text,
  created_at   timestamptz not null default now(),
  primary key (merchant_id, key)
);

-- For forgetting old keys; rows arrive in order of time, so a tiny index will do.
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);
