-- Outside a transaction.
-- The hashes of cards that are counted against card testing have a key of their own, which a rotation renews. Nodes of the
-- previous version count with a key that they derive from the audit log's, so they need nothing of this.
alter table vault_keys
  drop constraint if exists vault_keys_purpose_check,
  drop constraint if exists vault_keys_owner_check,
  add constraint vault_keys_purpose_check check (purpose in ('data', 'fingerprint', 'audit', 'text', 'counting')) not valid,
  add constraint vault_keys_owner_check check ((purpose in ('audit', 'text', 'counting')) = (merchant_id is null)) not valid;
alter table vault_keys validate constraint vault_keys_purpose_check;
alter table vault_keys validate constraint vault_keys_owner_check;
