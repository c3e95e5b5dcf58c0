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

create table audit_head (
  single boolean not null default true,
  place bigint not null,
  hash bytea not null,
  proof bytea not null,
  constraint audit_head_pkey primary key (single),
  constraint audit_head_hash_check check (length(hash) = 32),
  constraint audit_head_proof_check check (length(proof) = 32),
  constraint audit_head_single_check check (single)
);

create table audit_log (
  id bigint not null generated always as identity,
  at timestamptz not null,
  act text not null,
  merchant_id text collate "C",
  subject_id text collate "C",
  detail text not null default '',
  place bigint,
  previous bytea,
  hash bytea,
  constraint audit_log_pkey primary key (id),
  constraint audit_log_place_key unique (place),
  constraint audit_log_check check ((place is null) = (previous is null) and (place is null) = (hash is null)),
  constraint audit_log_hash_check check (length(hash) = 32),
  constraint audit_log_place_check check (place > 0),
  constraint audit_log_previous_check check (length(previous) = 32)
);
create index audit_log_by_subject on audit_log (merchant_id, subject_id, id);
create index audit_log_unsealed on audit_log (id) where place is null;
create trigger audit_log_grows before delete or update on audit_log for each row execute function refuse_change_of_audit_log();
create trigger audit_log_stays before truncate on audit_log for each statement execute function refuse_change_of_audit_log();

create table customers (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  reference text collate "C" not null,
  name text not null,
  email text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_pkey primary key (merchant_id, id),
  constraint customers_check check (updated_at >= created_at)
);
create index customers_by_reference on customers (merchant_id, reference, id);

create table dashboard_links (
  hash bytea not null,
  user_id text collate "C",
  expires_at timestamptz not null,
  constraint dashboard_links_pkey primary key (hash),
  constraint dashboard_links_user_id_fkey foreign key (user_id) references dashboard_users(id),
  constraint dashboard_links_hash_check check (length(hash) = 32)
);

create table dashboard_recovery_codes (
  user_id text collate "C" not null,
  hash bytea not null,
  constraint dashboard_recovery_codes_pkey primary key (user_id, hash),
  constraint dashboard_recovery_codes_user_id_fkey foreign key (user_id) references dashboard_users(id),
  constraint dashboard_recovery_codes_hash_check check (length(hash) = 32)
);

create table dashboard_sessions (
  id text collate "C" not null,
  user_id text collate "C" not null,
  hash bytea not null,
  complete boolean not null,
  agent text not null,
  address text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  constraint dashboard_sessions_pkey primary key (id),
  constraint dashboard_sessions_hash_key unique (hash),
  constraint dashboard_sessions_user_id_fkey foreign key (user_id) references dashboard_users(id),
  constraint dashboard_sessions_hash_check check (length(hash) = 32)
);
create index dashboard_sessions_by_age on dashboard_sessions (seen_at);
create index dashboard_sessions_by_user on dashboard_sessions (user_id, id);

create table dashboard_tries (
  subject bytea not null,
  failures integer not null,
  blocked_until timestamptz,
  last_at timestamptz not null,
  constraint dashboard_tries_pkey primary key (subject),
  constraint dashboard_tries_subject_check check (length(subject) = 32)
);
create index dashboard_tries_by_age on dashboard_tries (last_at);

create table dashboard_users (
  id text collate "C" not null,
  merchant_id text collate "C",
  role text not null,
  email text not null,
  name text not null,
  password_hash text,
  sealed_totp text,
  totp_confirmed boolean not null default false,
  totp_step bigint not null default 0,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint dashboard_users_pkey primary key (id),
  constraint dashboard_users_email_key unique (email),
  constraint dashboard_users_merchant_id_fkey foreign key (merchant_id) references merchants(id),
  constraint dashboard_users_check check ((role = 'operator') = (merchant_id is null)),
  constraint dashboard_users_check1 check (not totp_confirmed or sealed_totp is not null),
  constraint dashboard_users_role_check check (role in ('operator', 'admin', 'staff', 'viewer'))
);
create index dashboard_users_by_merchant on dashboard_users (merchant_id, id);

create table debit_batches (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  rail text not null,
  currency text not null,
  day date not null,
  debits integer not null,
  total bigint not null,
  created_at timestamptz not null,
  constraint debit_batches_pkey primary key (merchant_id, id),
  constraint debit_batches_currency_check check (currency in ('AUD', 'NZD')),
  constraint debit_batches_debits_check check (debits > 0),
  constraint debit_batches_rail_check check (rail in ('connector', 'file')),
  constraint debit_batches_total_check check (total > 0)
);

create table debit_returns_files (
  merchant_id text collate "C" not null,
  hash bytea not null,
  items integer not null,
  read_at timestamptz not null,
  constraint debit_returns_files_pkey primary key (merchant_id, hash),
  constraint debit_returns_files_hash_check check (length(hash) = 32)
);

create table debits (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  batch_id text collate "C" not null,
  bank_reference text collate "C" not null,
  submitted_at timestamptz,
  closed_at timestamptz,
  constraint debits_pkey primary key (merchant_id, transaction_id),
  constraint debits_merchant_id_bank_reference_key unique (merchant_id, bank_reference),
  constraint debits_merchant_id_batch_id_fkey foreign key (merchant_id, batch_id) references debit_batches(merchant_id, id),
  constraint debits_merchant_id_transaction_id_fkey foreign key (merchant_id, transaction_id) references transactions(merchant_id, id),
  constraint debits_bank_reference_check check (bank_reference ~ '^[0-9A-Z]{12}$')
);
create index debits_of_batch on debits (merchant_id, batch_id, transaction_id);
create index debits_open on debits (merchant_id, transaction_id) where closed_at is null;

create table deliveries (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  webhook_id text collate "C" not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  failures integer not null default 0,
  round integer not null default 0,
  due_at timestamptz not null,
  attempted_at timestamptz,
  http_status integer,
  latency_ms integer,
  error text,
  constraint deliveries_pkey primary key (merchant_id, event_id, webhook_id),
  constraint deliveries_attempts_check check (attempts >= 0),
  constraint deliveries_failures_check check (failures >= 0),
  constraint deliveries_status_check check (status in ('pending', 'delivered', 'failed'))
);
create index deliveries_failed on deliveries (merchant_id, event_id) where status = 'failed';
create index deliveries_waiting on deliveries (merchant_id, webhook_id, due_at, event_id) where status = 'pending';

create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  webhook_id text collate "C" not null,
  attempt integer not null,
  attempted_at timestamptz not null,
  http_status integer,
  latency_ms integer not null,
  error text,
  constraint delivery_attempts_pkey primary key (merchant_id, event_id, webhook_id, attempt)
);

create table delivery_leases (
  merchant_id text collate "C" not null,
  holder text not null,
  until timestamptz not null,
  session_pid integer,
  session_start timestamptz,
  constraint delivery_leases_pkey primary key (merchant_id),
  constraint delivery_leases_session_check check ((session_pid is null) = (session_start is null))
);
create index delivery_leases_by_holder on delivery_leases (holder);

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
create index events_by_age on events using brin (created_at);
create index events_by_event on events (merchant_id, event, id);
create index events_by_resource on events (merchant_id, resource_id, id);
create trigger events_deliveries after insert on events referencing new table as made for each statement execute function write_deliveries();

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

create table incoming_transfers (
  id text collate "C" not null,
  mode text not null,
  message text collate "C" not null,
  payid text collate "C" not null,
  amount bigint not null,
  payer_name text,
  merchant_id text collate "C",
  payment_request_id text collate "C",
  status text not null,
  reason text,
  transaction_id text collate "C",
  received_at timestamptz not null,
  constraint incoming_transfers_pkey primary key (id),
  constraint incoming_transfers_mode_message_key unique (mode, message),
  constraint incoming_transfers_merchant_id_payment_request_id_fkey foreign key (merchant_id, payment_request_id) references payment_requests(merchant_id, id),
  constraint incoming_transfers_amount_check check (amount > 0),
  constraint incoming_transfers_check check ((merchant_id is null) = (payment_request_id is null)),
  constraint incoming_transfers_check1 check ((status = 'accepted') = (transaction_id is not null)),
  constraint incoming_transfers_check2 check ((status = 'accepted') = (reason is null)),
  constraint incoming_transfers_check3 check ((not reason is distinct from 'unknown') = (payment_request_id is null)),
  constraint incoming_transfers_mode_check check (mode in ('sandbox', 'live')),
  constraint incoming_transfers_reason_check check (reason in ('short', 'over', 'late', 'duplicate', 'closed', 'unknown')),
  constraint incoming_transfers_status_check check (status in ('accepted', 'returning', 'returned', 'return_refused'))
);
create index incoming_transfers_astray on incoming_transfers (id) where (payment_request_id is null) or (status = 'return_refused');
create index incoming_transfers_of_request on incoming_transfers (merchant_id, payment_request_id, id) where payment_request_id is not null;
create unique index incoming_transfers_one_accepted on incoming_transfers (merchant_id, payment_request_id) where status = 'accepted';
create trigger incoming_transfers_final before update of status on incoming_transfers for each row when (old.status <> 'returning' and new.status is distinct from old.status) execute function refuse_change_of_final_state();

create table jobs (
  id bigint not null generated always as identity,
  kind text not null,
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  real_time boolean not null default false,
  constraint jobs_pkey primary key (id)
);
create index jobs_by_due on jobs (due_at);

create table logos (
  merchant_id text collate "C" not null,
  hash bytea not null,
  data_uri text not null,
  created_at timestamptz not null default now(),
  constraint logos_pkey primary key (merchant_id, hash),
  constraint logos_hash_check check (length(hash) = 32)
);

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
  fees json not null default '{}'::json,
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
  session_hash bytea,
  transaction_id text collate "C",
  parent_origin text,
  constraint one_time_tokens_pkey primary key (hash),
  constraint one_time_tokens_session_hash_key unique (session_hash),
  constraint one_time_tokens_merchant_id_payment_request_id_fkey foreign key (merchant_id, payment_request_id) references payment_requests(merchant_id, id),
  constraint one_time_tokens_check check ((status = 'created') = (session_hash is null)),
  constraint one_time_tokens_check1 check ((status = 'processed') = (transaction_id is not null)),
  constraint one_time_tokens_hash_check check (length(hash) = 32),
  constraint one_time_tokens_parent_origin_check check (length(parent_origin) <= 2048),
  constraint one_time_tokens_session_hash_check check (length(session_hash) = 32),
  constraint one_time_tokens_status_check check (status in ('created', 'initialised', 'processed'))
);
create index one_time_tokens_by_request on one_time_tokens (merchant_id, payment_request_id);

create table payment_hour_changes (
  id bigint not null generated always as identity,
  merchant_id text collate "C" not null,
  hour timestamptz not null,
  kind text not null,
  currency text not null,
  source text not null,
  status text not null,
  code text not null,
  count bigint not null,
  amount bigint not null,
  constraint payment_hour_changes_pkey primary key (id)
);
create index payment_hour_changes_of_merchant on payment_hour_changes (merchant_id, hour);

create table payment_hours (
  merchant_id text collate "C" not null,
  hour timestamptz not null,
  kind text not null,
  currency text not null,
  source text not null,
  status text not null,
  code text not null,
  count bigint not null,
  amount bigint not null,
  constraint payment_hours_pkey primary key (merchant_id, hour, kind, currency, source, status, code),
  constraint payment_hours_kind_check check (kind in ('transaction', 'refund'))
);

create table payment_hours_kept (
  merchant_id text collate "C" not null,
  through timestamptz not null,
  next timestamptz not null,
  next_from timestamptz not null,
  constraint payment_hours_kept_pkey primary key (merchant_id),
  constraint payment_hours_kept_merchant_id_fkey foreign key (merchant_id) references merchants(id),
  constraint payment_hours_kept_check check (next >= through)
);

create table payment_instruments (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  reference text collate "C" not null,
  type text not null,
  card json,
  bank_account json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint payment_instruments_pkey primary key (merchant_id, id),
  constraint payment_instruments_merchant_id_customer_id_fkey foreign key (merchant_id, customer_id) references customers(merchant_id, id),
  constraint payment_instruments_check check ((type = 'card') = (card is not null)),
  constraint payment_instruments_check1 check ((type = 'bank_account') = (bank_account is not null)),
  constraint payment_instruments_check2 check (updated_at >= created_at),
  constraint payment_instruments_check3 check (deleted_at >= created_at),
  constraint payment_instruments_type_check check (type in ('card', 'bank_account'))
);
create index payment_instruments_of_customer on payment_instruments (merchant_id, customer_id, id) where deleted_at is null;

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
  approved_transaction_id text collate "C",
  failed_transaction_ids text[] not null default '{}',
  customer_id text collate "C",
  payment_instrument_id text collate "C",
  payid_returns json,
  logo_hash bytea,
  constraint payment_requests_pkey primary key (merchant_id, id),
  constraint payment_requests_amount_check check (amount >= 1 and amount <= 99999999999),
  constraint payment_requests_check check (updated_at >= created_at),
  constraint payment_requests_check1 check ((flow = 'hosted_page') = (page_key is not null)),
  constraint payment_requests_check3 check ((flow = 'payid') = (payid_value is not null)),
  constraint payment_requests_check4 check (approved_transaction_id is null or status = 'completed'),
  constraint payment_requests_check5 check (payid_returns is null or flow = 'payid'),
  constraint payment_requests_currency_check check (currency in ('AUD', 'NZD')),
  constraint payment_requests_flow_check check (flow in ('checkout', 'hosted_page', 'payid')),
  constraint payment_requests_logo check (num_nonnulls(logo, logo_hash) = (flow = 'hosted_page')::integer) not valid,
  constraint payment_requests_status_check check (status in ('created', 'completed', 'expired', 'cancelled')),
  constraint payment_requests_stored check ((customer_id is null) = (payment_instrument_id is null)),
  constraint payment_requests_stored_when_paid check (payment_instrument_id is null or approved_transaction_id is not null)
);
create index payment_requests_by_payid on payment_requests (payid_value, id) where payid_value is not null;
create index payment_requests_by_reference on payment_requests (merchant_id, reference, id);
create index payment_requests_by_status on payment_requests (merchant_id, status, id);
create unique index payment_requests_open_payid on payment_requests (payid_value) where (payid_value is not null) and (status = 'created');
create unique index payment_requests_page_key on payment_requests (page_key) where page_key is not null;
create trigger payment_requests_final before update of status on payment_requests for each row when (old.status <> 'created' and new.status is distinct from old.status) execute function refuse_change_of_final_state();

create table payout_lines (
  merchant_id text collate "C" not null,
  kind text not null,
  subject_id text collate "C" not null,
  transaction_id text collate "C" not null,
  currency text not null,
  amount bigint not null,
  at timestamptz not null,
  payout_id text collate "C",
  constraint payout_lines_pkey primary key (merchant_id, kind, subject_id),
  constraint payout_lines_merchant_id_payout_id_fkey foreign key (merchant_id, payout_id) references payouts(merchant_id, id),
  constraint payout_lines_check check (amount <> 0 and (amount > 0) = (kind = 'payment')),
  constraint payout_lines_currency_check check (currency in ('AUD', 'NZD')),
  constraint payout_lines_kind_check check (kind in ('payment', 'refund', 'return', 'fee'))
);
create index payout_lines_held on payout_lines (merchant_id, currency, at) where payout_id is null;
create index payout_lines_of_payout on payout_lines (merchant_id, payout_id, at, subject_id, kind) where payout_id is not null;
create trigger payout_lines_stay before delete or update on payout_lines for each row execute function refuse_change_of_payout_line();

create table payouts (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  currency text not null,
  day date not null,
  amount bigint not null,
  lines integer not null,
  payments bigint not null,
  refunds bigint not null,
  returns bigint not null,
  created_at timestamptz not null,
  fees bigint not null default 0,
  constraint payouts_pkey primary key (merchant_id, id),
  constraint payouts_amount_check check (amount > 0),
  constraint payouts_currency_check check (currency in ('AUD', 'NZD')),
  constraint payouts_fees_check check (fees <= 0),
  constraint payouts_lines_check check (lines > 0),
  constraint payouts_payments_check check (payments >= 0),
  constraint payouts_refunds_check check (refunds <= 0),
  constraint payouts_returns_check check (returns <= 0),
  constraint payouts_sum check (amount = (payments + refunds + returns + fees))
);
create index payouts_by_currency on payouts (merchant_id, currency, id);

create table refunds (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  reference text collate "C" not null,
  amount bigint not null,
  currency text not null,
  status text collate "C" not null,
  code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint refunds_pkey primary key (merchant_id, id),
  constraint refunds_merchant_id_transaction_id_fkey foreign key (merchant_id, transaction_id) references transactions(merchant_id, id),
  constraint refunds_amount_check check (amount > 0),
  constraint refunds_check check ((status = 'pending') = (code is null)),
  constraint refunds_status_check check (status in ('pending', 'approved', 'declined'))
);
create index refunds_by_transaction on refunds (merchant_id, transaction_id, id);
create index refunds_pending on refunds (merchant_id, id) where status = 'pending';
create trigger refunds_final before update of status on refunds for each row when (old.status <> 'pending' and new.status is distinct from old.status) execute function refuse_change_of_final_state();
create trigger refunds_late_change after update on refunds for each row when (new.updated_at > (new.created_at + '00:15:00'::interval) and new.status <> old.status) execute function write_late_change_of_refund();
create trigger refunds_payout_line after update on refunds for each row when (new.status = 'approved' and old.status <> 'approved') execute function write_payout_line_of_refund();

create table sandbox_books (
  id bigint not null generated always as identity,
  book text not null,
  kind text not null,
  reference text collate "C" not null,
  belongs_to text collate "C",
  amount bigint not null,
  facts json not null,
  written_at timestamptz not null default now(),
  constraint sandbox_books_pkey primary key (id),
  constraint sandbox_books_book_kind_reference_key unique (book, kind, reference)
);
create index sandbox_books_by_owner on sandbox_books (book, belongs_to, id) where belongs_to is not null;

create table sandbox_wallet_keys (
  only_one boolean not null default true,
  sealed text not null,
  created_at timestamptz not null,
  constraint sandbox_wallet_keys_pkey primary key (only_one),
  constraint sandbox_wallet_keys_only_one_check check (only_one)
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migrations_pkey primary key (name)
);

create table sealing_keys (
  id text not null,
  created_at timestamptz not null,
  sealed_key text not null,
  constraint sealing_keys_pkey primary key (id)
);

create table transaction_movements (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  kind text not null,
  amount bigint not null,
  status text not null,
  created_at timestamptz not null,
  constraint transaction_movements_pkey primary key (merchant_id, id),
  constraint transaction_movements_merchant_id_transaction_id_fkey foreign key (merchant_id, transaction_id) references transactions(merchant_id, id),
  constraint transaction_movements_amount_check check (amount >= 0),
  constraint transaction_movements_kind_check check (kind in ('capture', 'void', 'expire')),
  constraint transaction_movements_status_check check (status in ('pending', 'done', 'refused'))
);
create unique index transaction_movements_one_pending on transaction_movements (merchant_id, transaction_id) where status = 'pending';

create table transactions (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  payment_request_id text collate "C",
  customer_id text collate "C",
  reference text collate "C" not null,
  method text not null,
  source text not null,
  origin text not null,
  frequency text not null,
  capture_type text not null,
  status text collate "C" not null,
  phase text not null,
  code text,
  amount bigint not null,
  surcharge bigint not null default 0,
  currency text not null,
  capture_status text,
  captured bigint not null default 0,
  refunds_held bigint not null default 0,
  refunded bigint not null default 0,
  card json,
  authentication text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  stores_instrument_id text collate "C",
  payment_instrument_id text collate "C",
  bank_account json,
  payid json,
  fee bigint not null default 0,
  constraint transactions_pkey primary key (merchant_id, id),
  constraint transactions_amount_check check (amount >= 1 and amount <= 99999999999),
  constraint transactions_authentication_check check (authentication in ('authenticated', 'failed', 'abandoned')),
  constraint transactions_capture_status_check check (capture_status in ('captured', 'uncaptured', 'voided', 'expired')),
  constraint transactions_capture_type_check check (capture_type in ('auto', 'manual')),
  constraint transactions_captured_or_returned check (captured = 0 or capture_status = 'captured' or status = 'declined' and code = 'D10005' and captured = (amount + surcharge)),
  constraint transactions_check check ((status = 'pending') = (phase <> 'settled')),
  constraint transactions_check1 check ((status = 'pending') = (code is null)),
  constraint transactions_check2 check ((status = 'approved') = (capture_status is not null)),
  constraint transactions_check3 check (captured >= 0 and captured <= (amount + surcharge)),
  constraint transactions_check5 check (refunded >= 0 and refunded <= refunds_held),
  constraint transactions_check6 check (refunds_held <= captured),
  constraint transactions_check7 check (updated_at >= created_at),
  constraint transactions_check8 check (payment_instrument_id is null or customer_id is not null),
  constraint transactions_check9 check ((source = 'payid') = (payid is not null)),
  constraint transactions_currency_check check (currency in ('AUD', 'NZD')),
  constraint transactions_fee_of_something check (fee = 0 or fee > 0 and captured > 0),
  constraint transactions_frequency_check check (frequency in ('single', 'recurring')),
  constraint transactions_method_check check (method in ('purchase', 'authorisation')),
  constraint transactions_origin_check check (origin in ('internet', 'mail', 'telephone')),
  constraint transactions_phase_check check (phase in ('authenticating', 'challenged', 'calling', 'reversing', 'waiting', 'settled')),
  constraint transactions_returned check (code is distinct from 'D10005' or source = 'direct_debit'),
  constraint transactions_source_check check (source in ('card', 'apple_pay', 'google_pay', 'direct_debit', 'payid')),
  constraint transactions_status_check check (status in ('pending', 'approved', 'declined')),
  constraint transactions_surcharge_check check (surcharge >= 0)
);
create index transactions_by_customer on transactions (merchant_id, customer_id, id) where customer_id is not null;
create index transactions_by_reference on transactions (merchant_id, reference, id);
create index transactions_by_request on transactions (merchant_id, payment_request_id, id) where payment_request_id is not null;
create index transactions_by_status on transactions (merchant_id, status, id);
create unique index transactions_one_approved on transactions (merchant_id, payment_request_id) where (status = 'approved') and (payment_request_id is not null);
create unique index transactions_one_pending on transactions (merchant_id, payment_request_id) where (status = 'pending') and (payment_request_id is not null);
create index transactions_pending_debits on transactions (merchant_id, currency, id) where (source = 'direct_debit') and (status = 'pending');
create trigger transactions_final before update of status on transactions for each row when (old.status <> 'pending' and new.status is distinct from old.status and not (old.status = 'approved' and new.status = 'declined' and old.source = 'direct_debit' and new.code = 'D10005')) execute function refuse_change_of_final_state();
create trigger transactions_inserted_payout_line after insert on transactions for each row when (new.captured > 0) execute function write_payout_line_of_transaction();
create trigger transactions_late_change after update on transactions for each row when (new.updated_at > (new.created_at + '00:15:00'::interval) and (new.status <> old.status or new.captured <> old.captured)) execute function write_late_change_of_transaction();
create trigger transactions_updated_payout_line after update on transactions for each row when (new.captured <> old.captured or new.code is distinct from old.code) execute function write_payout_line_of_transaction();

create table vault_keys (
  id text collate "C" not null,
  merchant_id text collate "C",
  purpose text not null,
  master_id text not null,
  wrapped bytea,
  created_at timestamptz not null,
  outgoing_at timestamptz,
  retired_at timestamptz,
  destroyed_at timestamptz,
  constraint vault_keys_pkey primary key (id),
  constraint vault_keys_check1 check ((destroyed_at is null) = (wrapped is not null)),
  constraint vault_keys_check2 check (retired_at is null or outgoing_at is not null),
  constraint vault_keys_check3 check (destroyed_at is null or retired_at is not null),
  constraint vault_keys_owner_check check ((purpose in ('audit', 'text')) = (merchant_id is null)),
  constraint vault_keys_purpose_check check (purpose in ('data', 'fingerprint', 'audit', 'text'))
);
create unique index vault_keys_one_active on vault_keys (merchant_id, purpose) nulls not distinct where retired_at is null;
create index vault_keys_outgoing on vault_keys (id) where (outgoing_at is not null) and (destroyed_at is null);

create table vault_master (
  single boolean not null default true,
  master_id text not null,
  check_value bytea not null,
  changed_at timestamptz not null,
  constraint vault_master_pkey primary key (single),
  constraint vault_master_single_check check (single)
);

create table vault_secrets (
  merchant_id text collate "C" not null,
  instrument_id text collate "C" not null,
  field text not null,
  key_id text collate "C" not null,
  nonce bytea not null,
  ciphertext bytea not null,
  fingerprint bytea not null,
  fingerprint_key_id text collate "C" not null,
  created_at timestamptz not null,
  constraint vault_secrets_pkey primary key (merchant_id, instrument_id, field),
  constraint vault_secrets_fingerprint_key_id_fkey foreign key (fingerprint_key_id) references vault_keys(id),
  constraint vault_secrets_key_id_fkey foreign key (key_id) references vault_keys(id),
  constraint vault_secrets_ciphertext_check check (length(ciphertext) >= 17 and length(ciphertext) <= 272),
  constraint vault_secrets_field_check check (field in ('card_number', 'account_number')),
  constraint vault_secrets_fingerprint_check check (length(fingerprint) = 32),
  constraint vault_secrets_nonce_check check (length(nonce) = 12)
);
create index vault_secrets_by_fingerprint on vault_secrets (merchant_id, field, fingerprint);
create index vault_secrets_by_key on vault_secrets (key_id);

create table wallet_domains (
  merchant_id text collate "C" not null,
  domain text collate "C" not null,
  registered_at timestamptz not null,
  constraint wallet_domains_pkey primary key (merchant_id, domain),
  constraint wallet_domains_merchant_id_fkey foreign key (merchant_id) references merchants(id),
  constraint wallet_domains_domain_check check (domain = lower(domain))
);

create table wallet_token_uses (
  digest bytea not null,
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  forget_at timestamptz not null,
  constraint wallet_token_uses_pkey primary key (digest),
  constraint wallet_token_uses_merchant_id_transaction_id_fkey foreign key (merchant_id, transaction_id) references transactions(merchant_id, id),
  constraint wallet_token_uses_digest_check check (length(digest) = 32)
);
create index wallet_token_uses_by_end on wallet_token_uses (forget_at);

create table webhook_credentials (
  merchant_id text collate "C" not null,
  username text,
  sealed_password text,
  header text not null,
  constraint webhook_credentials_pkey primary key (merchant_id),
  constraint webhook_credentials_check check ((username is null) = (sealed_password is null)),
  constraint webhook_credentials_header_check check (header in ('Authorization', 'X-Authorization'))
);

create table webhook_signing_keys (
  merchant_id text collate "C" not null,
  sealed_key text not null,
  created_at timestamptz not null,
  sealed_previous text,
  previous_until timestamptz,
  constraint webhook_signing_keys_pkey primary key (merchant_id),
  constraint webhook_signing_keys_check check ((sealed_previous is null) = (previous_until is null))
);

create table webhooks (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  event text collate "C" not null,
  url text not null,
  status text not null,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhooks_pkey primary key (merchant_id, id),
  constraint webhooks_check check (updated_at >= created_at),
  constraint webhooks_event_check check (event in ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests')),
  constraint webhooks_status_check check (status in ('active', 'disabled'))
);
create unique index webhooks_one_per_event on webhooks (merchant_id, event);

create or replace function refuse_change_of_audit_log()
 returns trigger
 language plpgsql
as $function$
begin
  if tg_op = 'UPDATE' then
    -- The one change that there is: a row without a seal gets it.
    if old.place is null and new.place is not null
      and (new.id, new.at, new.act, new.merchant_id, new.subject_id, new.detail)
        is not distinct from (old.id, old.at, old.act, old.merchant_id, old.subject_id, old.detail) then
      return new;
    end if;
  end if;
  raise exception 'the audit log only grows' using errcode = 'insufficient_privilege';
end $function$;

create or replace function refuse_change_of_final_state()
 returns trigger
 language plpgsql
as $function$
begin
  raise exception '% % is % for good', tg_table_name, old.id, old.status;
end;
$function$;

create or replace function refuse_change_of_payout_line()
 returns trigger
 language plpgsql
as $function$
begin
  if tg_op = 'UPDATE' and old.payout_id is null and new.payout_id is not null
    and (new.merchant_id, new.kind, new.subject_id, new.transaction_id, new.currency, new.amount, new.at)
      is not distinct from
        (old.merchant_id, old.kind, old.subject_id, old.transaction_id, old.currency, old.amount, old.at) then
    return new;
  end if;
  raise exception 'payout lines only grow' using errcode = 'insufficient_privilege';
end $function$;

create or replace function write_deliveries()
 returns trigger
 language plpgsql
as $function$
begin
  insert into deliveries (merchant_id, event_id, webhook_id, due_at)
  select made.merchant_id, made.id, webhooks.id, clock_timestamp()
  from made join webhooks on webhooks.merchant_id = made.merchant_id and webhooks.event = made.event
  where webhooks.status = 'active';
  return null;
end;
$function$;

create or replace function write_late_change_of_refund()
 returns trigger
 language plpgsql
as $function$
declare
  its_hour timestamptz := date_trunc('hour', new.created_at, 'UTC');
begin
  insert into payment_hour_changes (merchant_id, hour, kind, currency, source, status, code, count, amount)
  values
    (new.merchant_id, its_hour, 'refund', new.currency, '', old.status, coalesce(old.code, ''), -1, -old.amount),
    (new.merchant_id, its_hour, 'refund', new.currency, '', new.status, coalesce(new.code, ''), 1, new.amount);
  return null;
end $function$;

create or replace function write_late_change_of_transaction()
 returns trigger
 language plpgsql
as $function$
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
end $function$;

create or replace function write_payout_line_of_refund()
 returns trigger
 language plpgsql
as $function$
begin
  insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
  values (new.merchant_id, 'refund', new.id, new.transaction_id, new.currency, -new.amount, new.updated_at);
  return null;
end $function$;

create or replace function write_payout_line_of_transaction()
 returns trigger
 language plpgsql
as $function$
begin
  if new.captured > 0 and (tg_op = 'INSERT' or old.captured = 0) then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'payment', new.id, new.id, new.currency, new.captured, new.updated_at);
    if new.fee > 0 then
      insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
      values (new.merchant_id, 'fee', new.id, new.id, new.currency, -new.fee, new.updated_at);
    end if;
  end if;
  if tg_op = 'UPDATE' and new.code = 'D10005' and old.code is distinct from new.code and new.captured > 0 then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'return', new.id, new.id, new.currency, -new.captured, new.updated_at);
  end if;
  return null;
end $function$;
