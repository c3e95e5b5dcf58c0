-- One more kind of key, of no merchant: it seals what lies sealed in the tables below.
alter table vault_keys
  drop constraint vault_keys_check,
  drop constraint vault_keys_purpose_check,
  add constraint vault_keys_purpose_check check (purpose in ('data', 'fingerprint', 'audit', 'text')),
  add constraint vault_keys_owner_check check ((purpose in ('audit', 'text')) = (merchant_id is null));

-- Where merchants want to be told: one subscription per event value.
create table webhooks (
  merchant_id    text collate "C" not null,
  id             text collate "C" not null,
  event          text collate "C" not null
                 check (event in ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests')),
  url            text not null,
  status         text not null check (status in ('active', 'disabled')),
  -- The first failure since the last success, on the merchant's clock.
  failing_since  timestamptz,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (merchant_id, id),
  check (updated_at >= created_at)
);

create unique index webhooks_one_per_event on webhooks (merchant_id, event);

-- What deliveries are signed with. Sealed: the keys are needed in clear to sign, and lie in no row in clear.
create table webhook_signing_keys (
  merchant_id     text collate "C" primary key,
  sealed_key      text not null,
  created_at      timestamptz not null,
  -- The key before the last rotation, and until when (on the merchant's clock) deliveries are signed with it as well.
  sealed_previous text,
  previous_until  timestamptz,
  check ((sealed_previous is null) = (previous_until is null))
);

-- Basic credentials that deliveries carry.
create table webhook_credentials (
  merchant_id      text collate "C" primary key,
  username         text,
  sealed_password  text,
  header           text not null check (header in ('Authorization', 'X-Authorization')),
  check ((username is null) = (sealed_password is null))
);

-- One row per event and subscription. What is shown of it is its last attempt; attempts before that are in the log below.
create table deliveries (
  merchant_id   text collate "C" not null,
  event_id      text collate "C" not null,
  webhook_id    text collate "C" not null,
  status        text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Times that it was sent, ever.
  attempts      integer not null default 0 check (attempts >= 0),
  -- Failures since it was begun, or begun again: the place on the ladder of retries.
  failures      integer not null default 0 check (failures >= 0),
  -- Grows when it is asked for again, so that an attempt under way at that moment does not answer the new question.
  round         integer not null default 0,
  -- The next attempt, in real time by the database's clock; moving a merchant's sandbox clock moves the merchant's rows.
  due_at        timestamptz not null,
  -- The last attempt: its moment on the merchant's clock, and what came of it.
  attempted_at  timestamptz,
  http_status   integer,
  latency_ms    integer,
  error         text,
  primary key (merchant_id, event_id, webhook_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Leads from each subscription with work to the work that is due, however much waits at others.
create index deliveries_waiting on deliveries (merchant_id, webhook_id, due_at, event_id) where status = 'pending';

create table delivery_attempts (
  merchant_id   text collate "C" not null,
  event_id      text collate "C" not null,
  webhook_id    text collate "C" not null,
  attempt       integer not null,
  attempted_at  timestamptz not null,
  http_status   integer,
  latency_ms    integer not null,
  error         text,
  primary key (merchant_id, event_id, webhook_id, attempt)
);

-- One node at a time delivers to a merchant's endpoints, so that limits and order per endpoint hold across nodes.
create table delivery_leases (
  merchant_id  text collate "C" primary key,
  holder       text not null,
  until        timestamptz not null
);

create index delivery_leases_by_holder on delivery_leases (holder);

-- Whoever writes an event, and in whatever statement: its deliveries are written with it, or neither is.
create function write_deliveries() returns trigger language plpgsql as $$
begin
  insert into deliveries (merchant_id, event_id, webhook_id, due_at)
  select made.merchant_id, made.id, webhooks.id, clock_timestamp()
  from made join webhooks on webhooks.merchant_id = made.merchant_id and webhooks.event = made.event
  where webhooks.status = 'active';
  return null;
end;
$$;

create trigger events_deliveries after insert on events referencing new table as made
  for each statement execute function write_deliveries();

-- For forgetting old events; rows arrive in order of time, so a tiny index will do.
create index events_by_age on events using brin (created_at);
