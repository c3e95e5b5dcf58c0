-- A wallet's token pays once. What tells tokens apart is a digest of what the vendor signed. Rows go when the token could
-- not be used again anyhow.
create table wallet_token_uses (
  digest          bytea primary key check (length(digest) = 32),
  merchant_id     text collate "C" not null,
  transaction_id  text collate "C" not null,
  forget_at       timestamptz not null,
  foreign key (merchant_id, transaction_id) references transactions
);

create index wallet_token_uses_by_end on wallet_token_uses (forget_at);

-- Keys of the sandbox's Google and Apple, sealed. One row for the whole installation.
create table sandbox_wallet_keys (
  only_one    boolean primary key default true check (only_one),
  sealed      text not null,
  created_at  timestamptz not null
);

-- The page that embeds the checkout, as its frame was told: a wallet is asked for in that page's name.
alter table one_time_tokens add column parent_origin text check (length(parent_origin) <= 2048);
