-- Outside a transaction.
-- What the lists of disputes and payouts are searched and sorted by.
drop index concurrently if exists disputes_by_amount;
create index concurrently disputes_by_amount on disputes (merchant_id, amount, id);
drop index concurrently if exists payouts_by_amount;
create index concurrently payouts_by_amount on payouts (merchant_id, amount, id);
