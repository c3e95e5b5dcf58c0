-- Merchants and their API keys. Ids sort as bytes ("C"), so that the newest comes last in every locale.

create table merchants (
  id               text collate "C" primary key,
  name             text not null,
  mode             text not null check (mode in ('sandbox', 'live')),
  country          text not null check (country in ('AU', 'NZ')),
  currency         text not null check (currency in ('AUD', 'NZD')),
  capabilities     json not null,
  allowed_origins  text[] not null default '{}',
  surcharging      json not null,
  -- How far this merchant's clock is ahead of real time. Only a sandbox merchant's can be moved, and only forward.
  clock_offset_ms  bigint not null default 0 check (clock_offset_ms >= 0),
  -- The sandbox merchant that the first start makes. There is one at most.
  founding         boolean not null default false,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  check (mode = 'sandbox' or clock_offset_ms = 0),
  check (mode = 'sandbox' or not founding)
);

create unique index merchants_one_founding on merchants (founding) where founding;

-- Keys are kept as SHA-256 only. `hint` is the end of the key, for people to tell keys apart.
create table api_keys (
  id           text collate "C" primary key,
  merchant_id  text collate "C" not null references merchants,
  hash         bytea not null unique check (length(hash) = 32),
  hint         text not null,
  scopes       text[] not null check (scopes <@ array['read', 'write', 'admin'] and scopes <> '{}'),
  -- Set by the environment variable; the next start may replace it.
  from_environment boolean not null default false,
  created_at   timestamptz not null,
  revoked_at   timestamptz
);

create index api_keys_by_merchant on api_keys (merchant_id, id);

-- What nodes keep in memory (merchants and keys) is dropped when its version here has grown.
create table freshness (
  subject  text primary key,
  version  bigint not null
);
