-- Reads the rows that exist, while others write.
alter table transactions validate constraint transactions_disputed;
alter table payout_lines validate constraint payout_lines_kind_check;
alter table payout_lines validate constraint payout_lines_check;
alter table payouts validate constraint payouts_sum;
alter table events validate constraint events_event_check;
alter table webhooks validate constraint webhooks_event_check;
