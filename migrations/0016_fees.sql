-- Fees: what a merchant pays per payment, by the source of the payment.
alter table merchants add column fees json not null default '{}';

-- Worked out when the money is captured, at the rate of that moment; never changed after that.
alter table transactions
  add column fee bigint not null default 0,
  add constraint transactions_fee_of_something check (fee = 0 or (fee > 0 and captured > 0));

alter table payouts
  add column fees bigint not null default 0 check (fees <= 0),
  drop constraint payouts_check,
  add constraint payouts_sum check (amount = payments + refunds + returns + fees);

alter table payout_lines
  drop constraint payout_lines_kind_check,
  add constraint payout_lines_kind_check check (kind in ('payment', 'refund', 'return', 'fee'));

create or replace function write_payout_line_of_transaction() returns trigger language plpgsql as $$
begin
  if new.captured > 0 and (tg_op = 'INSERT' or old.captured = 0) then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'payment', new.id, new.id, new.currency, new.captured, new.updated_at);
    if new.fee > 0 then
      insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
      values (new.merchant_id, 'fee', new.id, new.id, new.currency, -new.fee, new.updated_at);
    end if;
  end if;
  if tg_op = 'UPDATE' and new.code = 'D10005' and old.code is distinct from new.code and new.captured > 0 then
    insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
    values (new.merchant_id, 'return', new.id, new.id, new.currency, -new.captured, new.updated_at);
  end if;
  return null;
end $$;
