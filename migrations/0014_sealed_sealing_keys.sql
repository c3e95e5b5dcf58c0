-- The keys that seal what payers' frames hold lay here in clear. Now they lie sealed under the vault's own keys, so that a
-- copy of the database opens nothing. What was sealed under the old ones lasts minutes: whoever is in the middle of a
-- challenge during the upgrade starts it again.
delete from sealing_keys;
alter table sealing_keys drop column key;
alter table sealing_keys add column sealed_key text not null;
