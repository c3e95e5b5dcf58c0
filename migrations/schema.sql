-- The schema after all migrations, for reading. Nothing runs this file; why things are so stands in the migrations.
-- Made by `npm run docs` from the catalogs of a freshly migrated server.

create table api_keys (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null,
  from_environment boolean not null default false,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_merchant_id_fkey foreign key (merchant_id) references merchants(id),
  constraint api_keys_hash_check check (length(hash) = 32),
  constraint api_keys_scopes_check check (scopes <@ array['read', 'write', 'admin'] and scopes <> '{}')
);
create index api_keys_by_merchant on api_keys (merchant_id, id);

create table events (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  event text collate "C" not null,
  resource_id text collate "C" not null,
  created_at timestamptz not null,
  body text not null,
  constraint events_pkey primary key (merchant_id, id),
  constraint events_event_check check (event in ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests'))
);
create index events_by_event on events (merchant_id, event, id);
create index events_by_resource on events (merchant_id, resource_id, id);

create table freshness (
  subject text not null,
  version bigint not null,
  constraint freshness_pkey primary key (subject)
);

create table idempotency_keys (
  merchant_id text collate "C" not null,
  key text collate "C" not null,
  request_id text not null,
  status text not null default 'done',
  resource_id text,
  location text,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (merchant_id, key),
  constraint idempotency_keys_status_check check (status in ('processing', 'done'))
);
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);

create table jobs (
  id bigint not null generated always as identity,
  kind text not null,
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  constraint jobs_pkey primary key (id)
);
create index jobs_by_due on jobs (due_at);

create table merchants (
  id text collate "C" not null,
  name text not null,
  mode text not null,
  country text not null,
  currency text not null,
  capabilities json not null,
  allowed_origins text[] not null default '{}',
  surcharging json not null,
  clock_offset_ms bigint not null default 0,
  founding boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint merchants_pkey primary key (id),
  constraint merchants_check check (mode = 'sandbox' or clock_offset_ms = 0),
  constraint merchants_check1 check (mode = 'sandbox' or not founding),
  constraint merchants_clock_offset_ms_check check (clock_offset_ms >= 0),
  constraint merchants_country_check check (country in ('AU', 'NZ')),
  constraint merchants_currency_check check (currency in ('AUD', 'NZD')),
  constraint merchants_mode_check check (mode in ('sandbox', 'live'))
);
create unique index merchants_one_founding on merchants (founding) where founding;

create table one_time_tokens (
  hash bytea not null,
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  payment_request_id text collate "C" not null,
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_tokens_pkey primary key (hash),
  constraint one_time_tokens_merchant_id_payment_request_id_fkey foreign key (merchant_id, payment_request_id) references payment_requests(merchant_id, id),
  constraint one_time_tokens_hash_check check (length(hash) = 32),
  constraint one_time_tokens_status_check check (status in ('created', 'initialised', 'processed'))
);
create index one_time_tokens_by_request on one_time_tokens (merchant_id, payment_request_id);

create table payment_requests (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  reference text collate "C" not null,
  external_reference text,
  flow text not null,
  status text collate "C" not null,
  amount bigint not null,
  currency text not null,
  details json not null,
  logo text,
  page_key text collate "C",
  payid_value text collate "C",
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_requests_pkey primary key (merchant_id, id),
  constraint payment_requests_amount_check check (amount >= 1 and amount <= 99999999999),
  constraint payment_requests_check check (updated_at >= created_at),
  constraint payment_requests_check1 check ((flow = 'hosted_page') = (page_key is not null)),
  constraint payment_requests_check2 check ((flow = 'hosted_page') = (logo is not null)),
  constraint payment_requests_check3 check ((flow = 'payid') = (payid_value is not null)),
  constraint payment_requests_currency_check check (currency in ('AUD', 'NZD')),
  constraint payment_requests_flow_check check (flow in ('checkout', 'hosted_page', 'payid')),
  constraint payment_requests_status_check check (status in ('created', 'completed', 'expired', 'cancelled'))
);
create index payment_requests_by_reference on payment_requests (merchant_id, reference, id);
create index payment_requests_by_status on payment_requests (merchant_id, status, id);
create unique index payment_requests_open_payid on payment_requests (payid_value) where (payid_value is not null) and (status = 'created');
create unique index payment_requests_page_key on payment_requests (page_key) where page_key is not null;
create trigger payment_requests_final before update of status on payment_requests for each row when (old.status <> 'created' and new.status is distinct from old.status) execute function refuse_change_of_final_state();

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migrations_pkey primary key (name)
);

create or replace function refuse_change_of_final_state()
 returns trigger
 language plpgsql
as $function$
begin
  raise exception 'payment request % is % for good', old.id, old.status;
end;
$function$;
