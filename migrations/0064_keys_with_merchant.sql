-- Outside a transaction.
-- Every unique key of a merchant's rows has the merchant, so that the tables can be distributed by it. The merchant comes
-- last where nodes of the previous version still look rows up by the first column alone.
drop index concurrently if exists jobs_id_and_merchant;
create unique index concurrently jobs_id_and_merchant on jobs (id, merchant_id);
drop index concurrently if exists payment_hour_changes_id_and_merchant;
create unique index concurrently payment_hour_changes_id_and_merchant on payment_hour_changes (id, merchant_id);
drop index concurrently if exists one_time_tokens_hash_and_merchant;
create unique index concurrently one_time_tokens_hash_and_merchant on one_time_tokens (hash, merchant_id);
drop index concurrently if exists one_time_tokens_session_and_merchant;
create unique index concurrently one_time_tokens_session_and_merchant on one_time_tokens (session_hash, merchant_id);
drop index concurrently if exists payment_requests_page_and_merchant;
create unique index concurrently payment_requests_page_and_merchant on payment_requests (page_key, merchant_id)
  where page_key is not null;
