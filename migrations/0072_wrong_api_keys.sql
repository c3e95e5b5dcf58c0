-- Wrong API keys by network, on all nodes together. A node adds its count portion by portion.
create table wrong_api_keys (
  subject bytea primary key,
  level double precision not null check (level >= 0),
  counted_at timestamptz not null
);
create index wrong_api_keys_counted on wrong_api_keys (counted_at);
