-- Payouts: what merchants are owed, and what was paid out to them.

create table payouts (
  merchant_id  text collate "C" not null,
  id           text collate "C" not null,
  currency     text not null check (currency in ('AUD', 'NZD')),
  -- The day of the payout, in the merchant's zone.
  day          date not null,
  amount       bigint not null check (amount > 0),
  lines        integer not null check (lines > 0),
  payments     bigint not null check (payments >= 0),
  refunds      bigint not null check (refunds <= 0),
  returns      bigint not null check (returns <= 0),
  created_at   timestamptz not null,
  primary key (merchant_id, id),
  check (amount = payments + refunds + returns)
);

create index payouts_by_currency on payouts (merchant_id, currency, id);

-- One line per movement of money that a merchant is owed for or owes: a payment, a refund, a return. It belongs to one
-- payout, or to none yet: then it is held.
create table payout_lines (
  merchant_id     text collate "C" not null,
  kind            text not null check (kind in ('payment', 'refund', 'return')),
  -- The transaction's id or, of a refund, the refund's.
  subject_id      text collate "C" not null,
  transaction_id  text collate "C" not null,
  currency        text not null check (currency in ('AUD', 'NZD')),
  amount          bigint not null check (amount <> 0 and (amount > 0) = (kind = 'payment')),
  at              timestamptz not null,
  payout_id       text collate "C",
  primary key (merchant_id, kind, subject_id),
  foreign key (merchant_id, payout_id) references payouts
);

create index payout_lines_held on payout_lines (merchant_id, currency, at) where payout_id is null;
create index payout_lines_of_payout on payout_lines (merchant_id, payout_id, at, subject_id, kind)
  where payout_id is not null;

-- The database itself writes the line in the transaction that moves the money, so that no way of taking or giving money
-- can forget it; the key makes it one line per movement.
create function write_payout_line_of_transaction() returns trigger language plpgsql as $$
begin
  if new.captured > 0 and (tg_op = 'INSERT' or old.captured = 0) then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'payment', new.id, new.id, new.currency, new.captured, new.updated_at);
  end if;
  if tg_op = 'UPDATE' and new.code = 'D10005' and old.code is distinct from new.code and new.captured > 0 then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'return', new.id, new.id, new.currency, -new.captured, new.updated_at);
  end if;
  return null;
end $$;

create trigger transactions_inserted_payout_line after insert on transactions
  for each row when (new.captured > 0) execute function write_payout_line_of_transaction();
create trigger transactions_updated_payout_line after update on transactions
  for each row when (new.captured <> old.captured or new.code is distinct from old.code)
  execute function write_payout_line_of_transaction();

create function write_payout_line_of_refund() returns trigger language plpgsql as $$
begin
  insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
  values (new.merchant_id, 'refund', new.id, new.transaction_id, new.currency, -new.amount, new.updated_at);
  return null;
end $$;

create trigger refunds_payout_line after update on refunds
  for each row when (new.status = 'approved' and old.status <> 'approved')
  execute function write_payout_line_of_refund();

-- A line's payout is written once.
create function refuse_change_of_payout_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.payout_id is null and new.payout_id is not null
    and (new.merchant_id, new.kind, new.subject_id, new.transaction_id, new.currency, new.amount, new.at)
      is not distinct from
        (old.merchant_id, old.kind, old.subject_id, old.transaction_id, old.currency, old.amount, old.at) then
    return new;
  end if;
  raise exception 'payout lines only grow' using errcode = 'insufficient_privilege';
end $$;

create trigger payout_lines_stay before update or delete on payout_lines
  for each row execute function refuse_change_of_payout_line();

-- What moved before this version.
insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
select merchant_id, 'payment', id, id, currency, captured, updated_at from transactions where captured > 0
union all
select merchant_id, 'return', id, id, currency, -captured, updated_at from transactions
where code = 'D10005' and captured > 0
union all
select merchant_id, 'refund', id, transaction_id, currency, -amount, updated_at from refunds where status = 'approved';
