-- PayID: money that arrives by bank transfer, and what became of it.

-- What a payer's transfer leaves on the transaction: the PayID, the payer's name, the bank's id of the transfer.
alter table transactions
  add column payid json,
  add check ((source = 'payid') = (payid is not null));

-- Transfers that were sent back, as the merchant sees them; the newest of them.
alter table payment_requests
  add column payid_returns json,
  add check (payid_returns is null or flow = 'payid');

create index payment_requests_by_payid on payment_requests (payid_value, id) where payid_value is not null;

-- One row per transfer that a bank told us of, however often it did. Its key does not begin with a merchant: a transfer
-- can be to a PayID that is nobody's, and whose it is gets known only here.
create table incoming_transfers (
  id                  text collate "C" primary key,
  mode                text not null check (mode in ('sandbox', 'live')),
  -- The bank's own id of its message.
  message             text collate "C" not null,
  payid               text collate "C" not null,
  amount              bigint not null check (amount > 0),
  payer_name          text,
  merchant_id         text collate "C",
  payment_request_id  text collate "C",
  status              text not null check (status in ('accepted', 'returning', 'returned', 'return_refused')),
  reason              text check (reason in ('short', 'over', 'late', 'duplicate', 'closed', 'unknown')),
  transaction_id      text collate "C",
  received_at         timestamptz not null,
  unique (mode, message),
  foreign key (merchant_id, payment_request_id) references payment_requests,
  check ((merchant_id is null) = (payment_request_id is null)),
  check ((status = 'accepted') = (transaction_id is not null)),
  check ((status = 'accepted') = (reason is null)),
  check ((reason is not distinct from 'unknown') = (payment_request_id is null))
);

-- A transfer completes one request once.
create unique index incoming_transfers_one_accepted on incoming_transfers (merchant_id, payment_request_id)
  where status = 'accepted';
create index incoming_transfers_of_request on incoming_transfers (merchant_id, payment_request_id, id)
  where payment_request_id is not null;
-- For the operator: money that reached nobody, or that could not be sent back.
create index incoming_transfers_astray on incoming_transfers (id)
  where payment_request_id is null or status = 'return_refused';

create trigger incoming_transfers_final before update of status on incoming_transfers
  for each row when (old.status <> 'returning' and new.status is distinct from old.status)
  execute function refuse_change_of_final_state();

-- Requests from before this version are registered, too.
insert into jobs (kind, merchant_id, subject_id, due_at, real_time)
select 'payid_register', merchant_id, id, now(), true from payment_requests
where payid_value is not null and status = 'created';
