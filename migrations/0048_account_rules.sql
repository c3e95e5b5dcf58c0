-- The last four passwords can't be chosen again. A user who did not sign in for 90 days is disabled; those of today count
-- from today. A session knows when its user last proved who they are.
alter table dashboard_users
  add column previous_hashes   text[] not null default '{}',
  add column last_signed_in_at timestamptz not null default now();

alter table dashboard_sessions add column authenticated_at timestamptz;

create index dashboard_users_inactive on dashboard_users (last_signed_in_at) where disabled_at is null;
