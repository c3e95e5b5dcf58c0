-- Outside a transaction.
-- A payment's page on the dashboard shows its operations that are not simply done: few of a merchant's many captures.
drop index concurrently if exists transaction_operations_shown;
create index concurrently transaction_operations_shown on transaction_operations (merchant_id, transaction_id, id)
  where status <> 'done' or kind = 'reverse';
-- Before a card's number is erased, the jobs that still send reversals of its payment are looked for.
drop index concurrently if exists jobs_reversing;
create index concurrently jobs_reversing on jobs (merchant_id, subject_id)
  where kind in ('checkout_reverse_again', 'refund_reverse_again', 'acquirer_reverse_late');
