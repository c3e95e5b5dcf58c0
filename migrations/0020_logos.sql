-- A merchant sends the same logo with every request, so each is stored once per merchant, under the SHA-256 of its text.
-- Logos are never changed or deleted: each is at most 14 KB, and a merchant has few.
create table logos (
  merchant_id  text collate "C" not null,
  hash         bytea not null check (length(hash) = 32),
  data_uri     text not null,
  created_at   timestamptz not null default now(),
  primary key (merchant_id, hash)
);

-- New requests have a hash. Older ones keep the text in `logo`: copying it would rewrite the table. The constraint replaces
-- one that implies it for those rows, so PostgreSQL need not scan them. There is no foreign key: its check would lock the
-- row of the merchant's logo in every create.
alter table payment_requests
  add column logo_hash bytea,
  drop constraint payment_requests_check2,
  add constraint payment_requests_logo
    check (num_nonnulls(logo, logo_hash) = (flow = 'hosted_page')::integer) not valid;
