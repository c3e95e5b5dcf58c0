create table payment_requests (
  merchant_id         text collate "C" not null,
  id                  text collate "C" not null,
  reference           text collate "C" not null,
  external_reference  text,
  flow                text not null check (flow in ('checkout', 'hosted_page', 'payid')),
  status              text collate "C" not null check (status in ('created', 'completed', 'expired', 'cancelled')),
  amount              bigint not null check (amount between 1 and 99999999999),
  currency            text not null check (currency in ('AUD', 'NZD')),
  -- What the merchant asked for beyond the columns, checked and with defaults filled in.
  details             json not null,
  -- Apart from the details, because lists and events leave it out.
  logo                text,
  -- The unguessable part of the hosted page's address.
  page_key            text collate "C",
  payid_value         text collate "C",
  expires_at          timestamptz not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (merchant_id, id),
  check (updated_at >= created_at),
  check ((flow = 'hosted_page') = (page_key is not null)),
  check ((flow = 'hosted_page') = (logo is not null)),
  check ((flow = 'payid') = (payid_value is not null))
);

create index payment_requests_by_status on payment_requests (merchant_id, status, id);
create index payment_requests_by_reference on payment_requests (merchant_id, reference, id);
create unique index payment_requests_page_key on payment_requests (page_key) where page_key is not null;

-- The PayID address is shared by all merchants: one open request per value.
create unique index payment_requests_open_payid on payment_requests (payid_value)
  where payid_value is not null and status = 'created';

-- Final states never change, whoever asks.
create function refuse_change_of_final_state() returns trigger language plpgsql as $$
begin
  raise exception '% % is % for good', tg_table_name, old.id, old.status;
end;
$$;

create trigger payment_requests_final before update of status on payment_requests
  for each row when (old.status <> 'created' and new.status is distinct from old.status)
  execute function refuse_change_of_final_state();
