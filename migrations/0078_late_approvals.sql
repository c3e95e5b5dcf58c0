-- An approval that arrived after the gateway had declined the payment or the refund: the amount, when it was recorded, and when
-- the acquirer confirmed its reversal. Null for all others, so no row is rewritten.
alter table transactions add column if not exists late_approval json;
alter table refunds add column if not exists late_approval json;
