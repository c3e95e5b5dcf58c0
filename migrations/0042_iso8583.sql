-- ISO 8583 hosts: the trace numbers of each terminal, and a journal of every message. No row holds card data.

-- A terminal is known to its acquirer by these three, whichever merchants and accounts share it. Its numbers go on across
-- days and start again after 999999, so that none comes twice on a day of any zone.
create table iso8583_terminals (
  acquirer_id text collate "C" not null,
  card_acceptor_id text collate "C" not null,
  terminal_id text collate "C" not null,
  last_number integer not null check (last_number between 1 and 999999),
  -- When the numbers started again from 1.
  started_at timestamptz not null,
  primary key (acquirer_id, card_acceptor_id, terminal_id)
);

-- One row for each message with its repeats, written before its first byte leaves.
create table iso8583_messages (
  merchant_id text collate "C" not null references merchants (id),
  account_id text collate "C" not null,
  kind text not null check (kind in ('request', 'completion', 'void', 'reversal')),
  -- Our id of the call: a transaction's, a refund's, an operation's; of a reversal that of the reversed call.
  reference text collate "C" not null,
  -- Our id of the payment that the message is about; of a reversal that of the reversed call.
  original text collate "C",
  message_type text not null,
  processing_code text not null,
  stan text not null,
  transmitted text not null,
  local_time text not null,
  local_date text not null,
  retrieval text not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  -- How often it may have left. 0: surely never.
  sends integer not null check (sends >= 0),
  -- A request that was reversed before it was sent. It is not sent any more.
  cancelled boolean not null default false,
  -- The host's answer. Null while there is none.
  response_code text,
  authorisation_code text,
  answer_retrieval text,
  approved_amount bigint,
  network_transaction_id text,
  security_code_result text,
  answered_at timestamptz,
  -- A request's answer that came too late to count.
  late_response_code text,
  created_at timestamptz not null,
  primary key (merchant_id, account_id, kind, reference)
);
create index iso8583_messages_of_payment on iso8583_messages (merchant_id, account_id, original)
  where original is not null;
create index iso8583_messages_by_trace on iso8583_messages (merchant_id, account_id, stan, transmitted);
-- What the host has not answered: little at any time.
create index iso8583_messages_open on iso8583_messages (merchant_id, account_id, created_at)
  where response_code is null;
