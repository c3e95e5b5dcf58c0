-- Outside a transaction.
-- The merchant's choice where a bank only attempted 3D Secure. The check is added without looking at the rows, then validated
-- under a lock that lets writers go on.
alter table merchants add column if not exists three_d_secure_attempted text not null default 'proceed';
alter table merchants
  drop constraint if exists merchants_three_d_secure_attempted_check,
  add constraint merchants_three_d_secure_attempted_check check
    (three_d_secure_attempted in ('decline', 'proceed')) not valid;
alter table merchants validate constraint merchants_three_d_secure_attempted_check;
