-- A declined capture or void keeps its code.
alter table transaction_movements add column code text;
