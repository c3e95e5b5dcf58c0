-- The balance on the dashboard costs the same however many lines are unpaid: a chore adds them up, in their order, up to a
-- position; a payout takes off what it pays. Paying writes nothing here.
create table payout_held (
  merchant_id      text collate "C" not null,
  currency         text not null check (currency in ('AUD', 'NZD')),
  -- Unpaid lines up to this one are in the totals.
  last_at          timestamptz not null,
  last_subject_id  text collate "C" not null,
  last_kind        text not null,
  lines            bigint not null default 0,
  amount           bigint not null default 0,
  primary key (merchant_id, currency)
);
