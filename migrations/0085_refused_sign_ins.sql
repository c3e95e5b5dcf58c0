-- When a refused attempt of this subject was last written into the audit log: at most once a minute. Null for all others, so
-- no row is rewritten.
alter table sign_in_attempts add column if not exists recorded_at timestamptz;
