-- Outside a transaction.
-- Unpaid lines are read in this order, in portions.
drop index concurrently if exists payout_lines_unpaid;
create index concurrently payout_lines_unpaid on payout_lines (merchant_id, currency, at, subject_id, kind)
  where payout_id is null;
drop index concurrently if exists payout_lines_held;
