-- When a refund was first sent to its bank. A refund of a debit that the bank has returned is sent only if it was sent before:
-- its outcome has to be found out.
alter table refunds add column sent_at timestamptz;
update refunds set sent_at = created_at where status = 'pending';
