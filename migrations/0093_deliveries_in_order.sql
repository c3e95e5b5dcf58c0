-- The events of a statement have one due time, so their deliveries go out in the order of their ids. With a time for each, the order
-- was that in which the join found them: the reverse.
create or replace function write_deliveries() returns trigger language plpgsql as $$
declare
  due timestamptz := clock_timestamp();
begin
  insert into deliveries (merchant_id, event_id, webhook_id, due_at)
  select made.merchant_id, made.id, webhooks.id, due
  from made join webhooks on webhooks.merchant_id = made.merchant_id and webhooks.event in (made.event, '*')
  where webhooks.status = 'active';
  return null;
end $$;
