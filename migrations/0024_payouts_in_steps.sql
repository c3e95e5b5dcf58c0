-- A payout is built in steps that each take well under a second, however many lines it has. What a step has done so far
-- is on record here, so that any node can go on with it.

create table payout_builds (
  merchant_id        text collate "C" not null,
  currency           text not null check (currency in ('AUD', 'NZD')),
  -- Lines from before this moment are paid out.
  cut_off            timestamptz not null,
  -- First the lines are added up, to see whether anything is owed at all; then the payout takes them.
  phase              text not null check (phase in ('counting', 'taking')),
  -- The last line that was added up.
  last_at            timestamptz,
  last_subject_id    text collate "C",
  last_kind          text,
  -- Of the payout, once it takes lines.
  payout_id          text collate "C",
  amount             bigint not null default 0,
  lines              integer not null default 0,
  payments           bigint not null default 0,
  refunds            bigint not null default 0,
  returns            bigint not null default 0,
  fees               bigint not null default 0,
  primary key (merchant_id, currency),
  check ((phase = 'taking') = (payout_id is not null))
);

-- A line belongs to a payout before the payout is complete.
alter table payout_lines drop constraint payout_lines_merchant_id_payout_id_fkey;

-- Every merchant has one job that makes its payouts, so that one merchant's size or failure delays no other's.
create function write_payout_job_of_merchant() returns trigger language plpgsql as $$
begin
  insert into jobs (kind, merchant_id, subject_id, due_at) values ('payout_run', new.id, new.id, now());
  return null;
end $$;

create trigger merchants_payout_job after insert on merchants
  for each row execute function write_payout_job_of_merchant();

insert into jobs (kind, merchant_id, subject_id, due_at) select 'payout_run', id, id, now() from merchants;
