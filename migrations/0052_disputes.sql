-- A payer's bank takes a payment back until the dispute about it is decided. The next file checks the rows that exist,
-- without a lock that stops writing.

create table disputes (
  merchant_id        text collate "C" not null,
  id                 text collate "C" not null,
  transaction_id     text collate "C" not null,
  reference          text collate "C" not null,
  reason             text not null,
  amount             bigint not null check (amount > 0),
  currency           text not null check (currency in ('AUD', 'NZD')),
  status             text collate "C" not null
    check (status in ('needs_response', 'under_review', 'won', 'lost', 'accepted')),
  -- The transaction's.
  metadata           json,
  evidence           text,
  evidence_at        timestamptz,
  evidence_due_at    timestamptz not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, transaction_id),
  foreign key (merchant_id, transaction_id) references transactions (merchant_id, id),
  check (updated_at >= created_at),
  check ((evidence is null) = (evidence_at is null)),
  check (evidence is not null or status not in ('under_review', 'won'))
);
create index disputes_by_status on disputes (merchant_id, status, id);
create index disputes_by_update on disputes (merchant_id, status, updated_at, id);

create trigger disputes_metadata after insert on disputes
  for each row when (new.metadata is not null) execute function write_metadata_pairs('');
create trigger disputes_final before update of status on disputes for each row
  when (old.status in ('won', 'lost', 'accepted') and new.status is distinct from old.status)
  execute function refuse_change_of_final_state();

-- What a dispute holds can't be refunded.
alter table transactions add column disputed bigint not null default 0;
alter table transactions add constraint transactions_disputed
  check (disputed = 0 or disputed > 0 and refunds_held + disputed <= captured) not valid;

-- The money leaves when the dispute opens and comes back when it is won.
create function write_payout_line_of_dispute() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'dispute', new.id, new.transaction_id, new.currency, -new.amount, new.created_at);
  else
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'dispute_won', new.id, new.transaction_id, new.currency, new.amount, new.updated_at);
  end if;
  return null;
end $$;

create trigger disputes_inserted_payout_line after insert on disputes
  for each row execute function write_payout_line_of_dispute();
create trigger disputes_won_payout_line after update on disputes
  for each row when (new.status = 'won' and old.status <> 'won') execute function write_payout_line_of_dispute();

alter table payout_lines drop constraint payout_lines_kind_check;
alter table payout_lines add constraint payout_lines_kind_check
  check (kind in ('payment', 'refund', 'return', 'fee', 'dispute', 'dispute_won')) not valid;
alter table payout_lines drop constraint payout_lines_check;
alter table payout_lines add constraint payout_lines_check
  check (amount <> 0 and (amount > 0) = (kind in ('payment', 'dispute_won'))) not valid;

-- The sum of both kinds of lines.
alter table payouts add column disputes bigint not null default 0;
alter table payouts drop constraint payouts_sum;
alter table payouts add constraint payouts_sum
  check (amount = payments + refunds + returns + fees + disputes) not valid;
alter table payout_builds add column disputes bigint not null default 0;

alter table events drop constraint events_event_check;
alter table events add constraint events_event_check check (event in
  ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests', 'disputes')) not valid;
alter table webhooks drop constraint webhooks_event_check;
alter table webhooks add constraint webhooks_event_check check (event in
  ('transactions', 'payouts', 'customers', 'payment_instruments', 'payment_requests', 'disputes', '*')) not valid;
