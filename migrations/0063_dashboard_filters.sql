-- Filters of a list that a dashboard user has saved under a name.
create table dashboard_filters (
  merchant_id text collate "C" not null references merchants (id),
  user_id text collate "C" not null references dashboard_users (id) on delete cascade,
  section text collate "C" not null,
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) between 1 and 2000),
  created_at timestamptz not null,
  primary key (merchant_id, user_id, section, name)
);
create index dashboard_filters_by_user on dashboard_filters (user_id);

-- The merchant's theme of the checkout and the hosted page, for requests that give none of their own.
alter table merchants add column theme json;
