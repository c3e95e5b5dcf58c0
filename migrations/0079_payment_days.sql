-- The overview adds up whole days of the merchant's time zone instead of their hours. The task that adds up hours makes the
-- days from them, also those of the past, so no row is written here.
create table if not exists payment_days (
  merchant_id  text collate "C" not null,
  -- Its first moment in the merchant's time zone.
  day          timestamptz not null,
  kind         text not null check (kind in ('transaction', 'refund')),
  currency     text not null,
  source       text not null,
  status       text not null,
  code         text not null,
  count        bigint not null,
  amount       bigint not null,
  primary key (merchant_id, day, kind, currency, source, status, code)
);

-- How far the days are made, and in which time zone. Null: not at all.
alter table payment_hours_kept add column if not exists days_through timestamptz;
alter table payment_hours_kept add column if not exists days_zone text;

-- A change of an hour whose day is made changes the day, also when a node of the previous version writes it.
create or replace function write_change_of_day() returns trigger language plpgsql as $$
declare
  made record;
begin
  select days_through, days_zone into made from payment_hours_kept where merchant_id = new.merchant_id;
  if new.hour < made.days_through then
    insert into payment_days as d (merchant_id, day, kind, currency, source, status, code, count, amount)
    values (new.merchant_id, date_trunc('day', new.hour, made.days_zone), new.kind, new.currency, new.source, new.status,
      new.code, new.count - coalesce(old.count, 0), new.amount - coalesce(old.amount, 0))
    on conflict (merchant_id, day, kind, currency, source, status, code) do update
      set count = d.count + excluded.count, amount = d.amount + excluded.amount;
  end if;
  return null;
end $$;

create or replace trigger payment_hours_change_of_day after insert or update on payment_hours
  for each row execute function write_change_of_day();
