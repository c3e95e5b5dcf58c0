-- That this database is distributed over several servers (`tidegate migrate --citus`). Without a row it is not.
create table distribution (
  single          boolean primary key default true check (single),
  -- Triggers and foreign keys that are dropped while rows move, as the statements that create them again.
  restored_later  text[] not null,
  begun_at        timestamptz not null default now(),
  ended_at        timestamptz check (ended_at >= begun_at)
);

-- Which request has an open PayID. Used in distributed databases alone: on one server a unique index of the requests says
-- the same (payment_requests_open_payid), which can't span several servers.
create table open_payids (
  value               text collate "C" primary key,
  merchant_id         text collate "C" not null,
  payment_request_id  text collate "C" not null
);

-- For the moment in which the index gives way to the table.
create function fill_open_payids() returns void language sql as $$
  insert into open_payids (value, merchant_id, payment_request_id)
  select payid_value, merchant_id, id from payment_requests where payid_value is not null and status = 'created'
  on conflict do nothing
$$;
