-- The indexes of the last migration take the place of those without the merchant. Nothing is read or rewritten here.
alter table jobs drop constraint jobs_pkey,
  add constraint jobs_pkey primary key using index jobs_id_and_merchant;
alter table payment_hour_changes drop constraint payment_hour_changes_pkey,
  add constraint payment_hour_changes_pkey primary key using index payment_hour_changes_id_and_merchant;
alter table one_time_tokens drop constraint one_time_tokens_pkey, drop constraint one_time_tokens_session_hash_key,
  add constraint one_time_tokens_pkey primary key using index one_time_tokens_hash_and_merchant,
  add constraint one_time_tokens_session_hash_key unique using index one_time_tokens_session_and_merchant;
-- A page's key has 128 random bits and more: no other merchant's request can have it.
drop index payment_requests_page_key;
alter index payment_requests_page_and_merchant rename to payment_requests_page_key;
