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

-- The same rows as before. What depends on a status is reckoned first: in a distributed database the insert is planned again,
-- with values in place of variables, and a `case` of values alone is not planned there.
create or replace function write_late_change_of_transaction() returns trigger language plpgsql as $$
declare
  its_hour timestamptz := date_trunc('hour', new.created_at, 'UTC');
  code_before text := coalesce(old.code, '');
  code_after text := coalesce(new.code, '');
  amount_before bigint := case old.status when 'approved' then -old.captured else 0 end;
  amount_after bigint := case new.status when 'approved' then new.captured else 0 end;
begin
  insert into payment_hour_changes (merchant_id, hour, kind, currency, source, status, code, count, amount)
  values
    (new.merchant_id, its_hour, 'transaction', new.currency, new.source, old.status, code_before, -1, amount_before),
    (new.merchant_id, its_hour, 'transaction', new.currency, new.source, new.status, code_after, 1, amount_after);
  return null;
end $$;
