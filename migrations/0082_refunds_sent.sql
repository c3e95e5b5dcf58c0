-- When a refund was first sent to its bank. A refund of a debit that the bank has returned is sent only if it was sent before:
-- its outcome has to be found out. Rows of earlier versions may have been sent, so they have a time.
alter table refunds add column sent_at timestamptz default now();
