-- Payments that store a card, and charges of what was stored.
alter table transactions
  -- The instrument that an approval will make of this attempt's card. Its number is in the vault from before the acquirer
  -- is called, so that an outcome which is found out later can still make it; a decline erases it.
  add column stores_instrument_id text collate "C",
  drop constraint transactions_phase_check,
  -- `waiting`: a bank settles it by a rail of its own.
  add constraint transactions_phase_check
    check (phase in ('authenticating', 'challenged', 'calling', 'reversing', 'waiting', 'settled'));

-- What an approved payment has stored.
alter table payment_requests
  add column customer_id text collate "C",
  add column payment_instrument_id text collate "C",
  add constraint payment_requests_stored check ((customer_id is null) = (payment_instrument_id is null)),
  add constraint payment_requests_stored_when_paid
    check (payment_instrument_id is null or approved_transaction_id is not null);
