-- Card and bank account numbers, encrypted. The master key that wraps the keys below is never in the database.

-- The master key that wraps new keys, and a value wrapped by it: a node with another one finds out at its start.
create table vault_master (
  single       boolean primary key default true check (single),
  master_id    text not null,
  check_value  bytea not null,
  changed_at   timestamptz not null
);

-- Keys, wrapped by a master key. A merchant has one active key to encrypt with and another for fingerprints; the gateway
-- has one, of no merchant, that seals the audit log. What was destroyed stays on record without its bytes.
create table vault_keys (
  id            text collate "C" primary key,
  merchant_id   text collate "C",
  purpose       text not null check (purpose in ('data', 'fingerprint', 'audit')),
  master_id     text not null,
  wrapped       bytea,
  created_at    timestamptz not null,
  -- A rotation was asked for and this key is to be replaced; it is replaced; nothing is left on it.
  outgoing_at   timestamptz,
  retired_at    timestamptz,
  destroyed_at  timestamptz,
  check ((purpose = 'audit') = (merchant_id is null)),
  check ((destroyed_at is null) = (wrapped is not null)),
  check (retired_at is null or outgoing_at is not null),
  check (destroyed_at is null or retired_at is not null)
);

create unique index vault_keys_one_active on vault_keys (merchant_id, purpose) nulls not distinct
  where retired_at is null;
create index vault_keys_outgoing on vault_keys (id) where outgoing_at is not null and destroyed_at is null;

-- One row per number. Ciphertext is bound to its row and its key, and ends with the tag that proves it.
create table vault_secrets (
  merchant_id         text collate "C" not null,
  instrument_id       text collate "C" not null,
  field               text not null check (field in ('card_number', 'account_number')),
  key_id              text collate "C" not null references vault_keys,
  nonce               bytea not null check (length(nonce) = 12),
  ciphertext          bytea not null check (length(ciphertext) between 17 and 272),
  -- Finds the same number again, and says nothing to whoever lacks the key.
  fingerprint         bytea not null check (length(fingerprint) = 32),
  fingerprint_key_id  text collate "C" not null references vault_keys,
  created_at          timestamptz not null,
  primary key (merchant_id, instrument_id, field)
);

create index vault_secrets_by_key on vault_secrets (key_id);
create index vault_secrets_by_fingerprint on vault_secrets (merchant_id, field, fingerprint);

-- What was done with numbers and keys. Rows are added without waiting for each other and sealed right after: the seal
-- gives a row its place in the chain, the hash of the row before it, and its own (under a key, so that whoever can write
-- to the database alone can't mend the chain).
create table audit_log (
  id           bigint generated always as identity primary key,
  at           timestamptz not null,
  act          text not null,
  merchant_id  text collate "C",
  subject_id   text collate "C",
  detail       text not null default '',
  place        bigint unique check (place > 0),
  previous     bytea check (length(previous) = 32),
  hash         bytea check (length(hash) = 32),
  check ((place is null) = (previous is null) and (place is null) = (hash is null))
);

create index audit_log_unsealed on audit_log (id) where place is null;
create index audit_log_by_subject on audit_log (merchant_id, subject_id, id);

-- Where the chain ends, proved by the same key: rows cut off at the end are missed.
create table audit_head (
  single  boolean primary key default true check (single),
  place   bigint not null,
  hash    bytea not null check (length(hash) = 32),
  proof   bytea not null check (length(proof) = 32)
);

create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
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
end $$;

create trigger audit_log_grows before update or delete on audit_log
  for each row execute function refuse_change_of_audit_log();
create trigger audit_log_stays before truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();
