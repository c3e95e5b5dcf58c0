-- A PayID request has a page of its own, too. Those from before have none, and a node of the release before writes none. The
-- next file checks the rows that exist, without a lock that stops writing.

alter table payment_requests add constraint payment_requests_page
  check (case flow when 'hosted_page' then page_key is not null when 'checkout' then page_key is null else true end) not valid;
alter table payment_requests drop constraint payment_requests_check1;
