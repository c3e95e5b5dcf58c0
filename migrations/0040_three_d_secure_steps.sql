-- Outside a transaction.
-- 3D Secure with its method step, all of its outcomes, and the merchant's choice where none can be had. New checks are added
-- without looking at the rows, then validated under a lock that lets writers go on.
alter table transactions add column if not exists authentication_facts json;
alter table transactions
  drop constraint if exists transactions_authentication_check,
  add constraint transactions_authentication_check check
    (authentication in ('authenticated', 'attempted', 'failed', 'unavailable', 'rejected', 'abandoned')) not valid;
alter table transactions
  drop constraint if exists transactions_phase_check,
  add constraint transactions_phase_check check
    (phase in ('authenticating', 'profiling', 'challenged', 'calling', 'reversing', 'waiting', 'settled')) not valid;
alter table transactions validate constraint transactions_authentication_check;
alter table transactions validate constraint transactions_phase_check;
alter table merchants add column if not exists three_d_secure_unavailable text not null default 'decline';
alter table merchants
  drop constraint if exists merchants_three_d_secure_unavailable_check,
  add constraint merchants_three_d_secure_unavailable_check check
    (three_d_secure_unavailable in ('decline', 'proceed')) not valid;
alter table merchants validate constraint merchants_three_d_secure_unavailable_check;
