-- A key can end at a set time and be bound to networks. Its last use is kept to the minute, and written late and together.
alter table api_keys
  add column expires_at   timestamptz,
  add column addresses    text[] not null default '{}',
  add column last_used_at timestamptz;
