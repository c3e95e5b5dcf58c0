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
