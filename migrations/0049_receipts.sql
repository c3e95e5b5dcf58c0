-- Receipts that were handed to the mail server, or that it refused for good. A job that runs twice finds its row here.
create table receipts (
  merchant_id     text collate "C" not null,
  transaction_id  text collate "C" not null,
  was_refused     boolean not null,
  sent_at         timestamptz not null,
  primary key (merchant_id, transaction_id)
);
