-- People who sign in to the dashboard. An operator belongs to no merchant and sees all; everybody else belongs to one.
create table dashboard_users (
  id               text collate "C" primary key,
  merchant_id      text collate "C" references merchants,
  role             text not null check (role in ('operator', 'admin', 'staff', 'viewer')),
  -- In lower case: one address is one user.
  email            text not null unique,
  name             text not null,
  -- scrypt, with its parameters. Null until the invitation was taken up.
  password_hash    text,
  -- Sealed. A secret that is not confirmed yet guards nothing.
  sealed_totp      text,
  totp_confirmed   boolean not null default false,
  -- The last time step that a code was taken for: a code works once.
  totp_step        bigint not null default 0,
  disabled_at      timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  check ((role = 'operator') = (merchant_id is null)),
  check (not totp_confirmed or sealed_totp is not null)
);

create index dashboard_users_by_merchant on dashboard_users (merchant_id, id);

-- Codes for whoever lost the second factor. Each works once and is deleted by it.
create table dashboard_recovery_codes (
  user_id  text collate "C" not null references dashboard_users,
  hash     bytea not null check (length(hash) = 32),
  primary key (user_id, hash)
);

-- The cookie holds a secret of which only the hash is here.
create table dashboard_sessions (
  id          text collate "C" primary key,
  user_id     text collate "C" not null references dashboard_users,
  hash        bytea not null unique check (length(hash) = 32),
  -- False until the second factor was given, where there is one: such a session opens nothing.
  complete    boolean not null,
  -- For people to tell their sessions apart.
  agent       text not null,
  address     text not null,
  created_at  timestamptz not null,
  seen_at     timestamptz not null
);

create index dashboard_sessions_by_user on dashboard_sessions (user_id, id);
create index dashboard_sessions_by_age on dashboard_sessions (seen_at);

-- One-time links. Without a user: it makes the first operator, or a further one.
create table dashboard_links (
  hash        bytea primary key check (length(hash) = 32),
  user_id     text collate "C" references dashboard_users,
  expires_at  timestamptz not null
);

-- Tries to sign in, by hash of the address that was typed (whether it is a user's or not) and of the network address.
create table dashboard_tries (
  subject        bytea primary key check (length(subject) = 32),
  failures       integer not null,
  blocked_until  timestamptz,
  last_at        timestamptz not null
);

create index dashboard_tries_by_age on dashboard_tries (last_at);
