-- A declined capture or void keeps its code.
alter table transaction_operations add column code text;
