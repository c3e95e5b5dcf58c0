-- One-time tokens, kept as SHA-256 only.
create table one_time_tokens (
  hash                bytea primary key check (length(hash) = 32),
  id                  text collate "C" not null,
  merchant_id         text collate "C" not null,
  payment_request_id  text collate "C" not null,
  status              text not null check (status in ('created', 'initialised', 'processed')),
  created_at          timestamptz not null,
  expires_at          timestamptz not null,
  foreign key (merchant_id, payment_request_id) references payment_requests
);

create index one_time_tokens_by_request on one_time_tokens (merchant_id, payment_request_id);
