-- Outside a transaction.
-- A token that may pay again after a decline stays initialised and names its last attempt. Statement by statement, so that
-- the check of the rows that exist does not stop writing.
alter table one_time_tokens
  drop constraint if exists one_time_tokens_check1,
  drop constraint if exists one_time_tokens_attempt_check,
  add constraint one_time_tokens_attempt_check check
    (case status when 'created' then transaction_id is null when 'processed' then transaction_id is not null else true end) not valid;
alter table one_time_tokens validate constraint one_time_tokens_attempt_check;
