-- As for transactions: the list of states and of currencies stay constraints, the other rules move into a trigger.
create function refuse_invalid_payment_request() returns trigger language plpgsql as $$
declare
  broken constant text := case
    when not (new.amount between 0 and 99999999999 and (new.amount > 0 or new.flow <> 'payid'))
      then 'amount'
    when not (new.flow in ('checkout', 'hosted_page', 'payid'))
      then 'flow'
    when not (case new.flow when 'hosted_page' then new.page_key is not null when 'checkout' then new.page_key is null end)
      then 'page'
    when not (num_nonnulls(new.logo, new.logo_hash) = (new.flow = 'hosted_page')::integer)
      then 'logo'
    when not ((new.flow = 'payid') = (new.payid_value is not null))
      then 'payid'
    when not (new.payid_returns is null or new.flow = 'payid')
      then 'payid_returns'
    when not (new.approved_transaction_id is null or new.status = 'completed')
      then 'completed_when_paid'
    when not ((new.customer_id is null) = (new.payment_instrument_id is null))
      then 'stored'
    when not (new.payment_instrument_id is null or new.approved_transaction_id is not null)
      then 'stored_when_paid'
    when not (new.updated_at >= new.created_at)
      then 'updated_at'
  end;
begin
  if broken is not null then
    raise exception 'a payment request breaks the rule "payment_requests_%"', broken
      using errcode = 'check_violation', constraint = 'payment_requests_' || broken, table = tg_table_name;
  end if;
  return new;
end $$;

-- The stronger lock first: if it came second, a payment that has locked a row and then changes it would be a deadlock.
alter table payment_requests
  drop constraint payment_requests_amount_check,
  drop constraint payment_requests_flow_check,
  drop constraint payment_requests_page,
  drop constraint payment_requests_logo,
  drop constraint payment_requests_check3,
  drop constraint payment_requests_check5,
  drop constraint payment_requests_check4,
  drop constraint payment_requests_stored,
  drop constraint payment_requests_stored_when_paid,
  drop constraint payment_requests_check;

create trigger payment_requests_valid before insert or update on payment_requests
  for each row execute function refuse_invalid_payment_request();
