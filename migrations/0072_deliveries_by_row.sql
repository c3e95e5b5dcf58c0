-- The deliveries of an event, written with it. By row: a distributed database has no triggers with transition tables, and a
-- single event, which is what nearly every statement writes, costs less this way.
create function write_deliveries_of_event() returns trigger language plpgsql as $$
declare
  due timestamptz := clock_timestamp();
begin
  insert into deliveries (merchant_id, event_id, webhook_id, due_at)
  select new.merchant_id, new.id, webhooks.id, due from webhooks
  where webhooks.merchant_id = new.merchant_id and webhooks.event in (new.event, '*') and webhooks.status = 'active';
  return null;
end;
$$;

drop trigger events_deliveries on events;
create trigger events_deliveries after insert on events for each row execute function write_deliveries_of_event();
drop function write_deliveries();
