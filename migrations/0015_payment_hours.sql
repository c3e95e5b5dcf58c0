-- The dashboard's plots answer at once however many transactions there are: hours that are over are kept as totals, which a
-- chore of the house adds up. Paying writes nothing here.

create table payment_hours (
  merchant_id  text collate "C" not null,
  hour         timestamptz not null,
  kind         text not null check (kind in ('transaction', 'refund')),
  currency     text not null,
  source       text not null,
  status       text not null,
  code         text not null,
  count        bigint not null,
  -- Of transactions what was captured and not returned, of refunds their amounts.
  amount       bigint not null,
  primary key (merchant_id, hour, kind, currency, source, status, code)
);

-- How far a merchant's hours are kept (`through`), and how far they may be kept from a moment of real time on: a look at
-- the clock is acted on a while later, so that a sandbox clock that jumps leaves time for payments under way.
create table payment_hours_kept (
  merchant_id  text collate "C" primary key references merchants,
  through      timestamptz not null,
  next         timestamptz not null,
  next_from    timestamptz not null,
  check (next >= through)
);

-- What changed late, perhaps in an hour that is kept already: one row takes away what was, one adds what is. They only
-- grow, so nobody waits for anybody; the chore adds them to the totals.
create table payment_hour_changes (
  id           bigint generated always as identity primary key,
  merchant_id  text collate "C" not null,
  hour         timestamptz not null,
  kind         text not null,
  currency     text not null,
  source       text not null,
  status       text not null,
  code         text not null,
  count        bigint not null,
  amount       bigint not null
);
create index payment_hour_changes_of_merchant on payment_hour_changes (merchant_id, hour);

create function write_late_change_of_transaction() returns trigger language plpgsql as $$
declare
  its_hour timestamptz := date_trunc('hour', new.created_at, 'UTC');
begin
  insert into payment_hour_changes (merchant_id, hour, kind, currency, source, status, code, count, amount)
  values
    (new.merchant_id, its_hour, 'transaction', new.currency, new.source, old.status, coalesce(old.code, ''), -1,
      case old.status when 'approved' then -old.captured else 0 end),
    (new.merchant_id, its_hour, 'transaction', new.currency, new.source, new.status, coalesce(new.code, ''), 1,
      case new.status when 'approved' then new.captured else 0 end);
  return null;
end $$;

create function write_late_change_of_refund() returns trigger language plpgsql as $$
declare
  its_hour timestamptz := date_trunc('hour', new.created_at, 'UTC');
begin
  insert into payment_hour_changes (merchant_id, hour, kind, currency, source, status, code, count, amount)
  values
    (new.merchant_id, its_hour, 'refund', new.currency, '', old.status, coalesce(old.code, ''), -1, -old.amount),
    (new.merchant_id, its_hour, 'refund', new.currency, '', new.status, coalesce(new.code, ''), 1, new.amount);
  return null;
end $$;

-- A quarter of an hour: no hour is kept sooner after its end, and nearly every payment is settled by then.
create trigger transactions_late_change after update on transactions for each row
  when (new.updated_at > new.created_at + interval '15 minutes'
    and (new.status <> old.status or new.captured <> old.captured))
  execute function write_late_change_of_transaction();

create trigger refunds_late_change after update on refunds for each row
  when (new.updated_at > new.created_at + interval '15 minutes' and new.status <> old.status)
  execute function write_late_change_of_refund();

-- For the count of what failed, and to find it. Deliveries that go well are in here at no time.
create index deliveries_failed on deliveries (merchant_id, event_id) where status = 'failed';
