/**
 * Views for every rule. `ledger` is the acquirer's own ledger; `standing` are its approvals without a reversal; `booked` are
 * its sums of what belongs to a request or a payment. `published` are the events of each resource, in order; `event_counts`
 * are their numbers. A rule joins these: counting for each row would read everything again, which takes minutes after 2,000
 * trials.
 */
export const VIEWS = `
  ledger as (
    select id, kind, reference, belongs_to, amount, facts ->> 'code' as code, facts ->> 'captured' as captured,
      coalesce(facts ->> 'code', '') like 'A%' as approved
    from sandbox_ledger where ledger = 'acquirer'
  ),
  reversal as (select * from ledger where kind = 'reversal'),
  standing as (
    select * from ledger where kind = 'authorisation' and approved and reference not in (select reference from reversal)
  ),
  booked as (
    select belongs_to, count(*) filter (where kind in ('authorisation', 'verification')) as attempts,
      coalesce(sum(amount) filter (where kind = 'refund' and approved), 0) as refunded,
      coalesce(sum(amount) filter (where kind = 'capture' and approved), 0) as captured
    from ledger where belongs_to is not null group by belongs_to
  ),
  request as (
    select *, coalesce((details -> 'hostedPage' ->> 'attempts')::int, (details ->> 'attempts')::int, 1) as attempts from payment_requests
  ),
  charge as (
    select t.*, coalesce(approved_amount, amount + surcharge) as total,
      exists (select from transaction_operations m where m.merchant_id = t.merchant_id
        and m.transaction_id = t.id and m.status = 'pending') as moving
    from transactions t join merchants on merchants.id = t.merchant_id and merchants.mode = 'sandbox'
    where source in ('card', 'apple_pay', 'google_pay') and method <> 'verification'
  ),
  published as (
    select merchant_id, resource_id, id, event, body::json -> 'payload' as payload,
      (body::json -> 'payload' ->> 'updatedDateTime')::timestamptz as updated_at,
      coalesce(body::json -> 'payload' ->> 'paymentRequestStatus',
        case event when 'disputes' then body::json -> 'payload' ->> 'status' end,
        body::json -> 'payload' -> 'result' ->> 'status') as status,
      lag(body) over same as earlier, row_number() over same as nth, count(*) over (partition by merchant_id, resource_id) as of
    from events window same as (partition by merchant_id, resource_id order by id)
  ),
  changed as (
    select *, coalesce(earlier::json -> 'payload' ->> 'paymentRequestStatus',
        case event when 'disputes' then earlier::json -> 'payload' ->> 'status' end,
        earlier::json -> 'payload' -> 'result' ->> 'status') as status_before,
      earlier::json -> 'payload' ->> 'captureStatus' as capture_before, payload ->> 'captureStatus' as capture_status,
      (earlier::json -> 'payload' ->> 'updatedDateTime')::timestamptz as updated_before
    from published where earlier is not null
  ),
  event_counts as (
    -- A payment that moves to another acquirer before its own has received it has an event for that, which its row does not show.
    select merchant_id, resource_id, count(*) filter (where payload #>> '{acquirer,connector}' is not distinct from earlier::json #>> '{payload,acquirer,connector}'
        or earlier is null or payload #>> '{result,status}' <> 'pending'
        or payload #>> '{authentication,status}' is distinct from earlier::json #>> '{payload,authentication,status}') as changes,
      count(*) filter (where event = 'disputes'
        and payload ->> 'evidenceDueDateTime' <> earlier::json -> 'payload' ->> 'evidenceDueDateTime') as due_changes
    from published group by merchant_id, resource_id
  ),
  resource as (
    select merchant_id, id, status, updated_at, 1 + cardinality(failed_transaction_ids)
      + (approved_transaction_id is not null)::int + (status in ('expired', 'cancelled'))::int
      + (select count(*)::int from incoming_transfers i where i.merchant_id = r.merchant_id
          and i.payment_request_id = r.id and i.status <> 'accepted') as changes
    from payment_requests r
    union all
    select t.merchant_id, id, status, updated_at, 1 + (status <> 'pending' and source <> 'payid')::int
      + coalesce(authentication = 'authenticated'
          or authentication in ('attempted', 'unavailable') and code is distinct from 'D04417', false)::int + (code is not distinct from 'D10005')::int
      + (select count(*)::int from transaction_operations m where m.merchant_id = t.merchant_id
          and m.transaction_id = t.id and m.status = 'done' and m.kind <> 'reverse')
      + (late_approval is not null)::int + (late_approval ->> 'reversedAt' is not null)::int
    from transactions t
    union all
    select merchant_id, id, status, updated_at, 1 + (status <> 'pending')::int
      + (late_approval is not null)::int + (late_approval ->> 'reversedAt' is not null)::int
    from refunds
    union all
    select d.merchant_id, id, status, updated_at, 1 + (evidence_at is not null)::int
      + (status in ('won', 'lost', 'accepted'))::int + coalesce(due_changes, 0)::int
    from disputes d left join event_counts on event_counts.merchant_id = d.merchant_id and event_counts.resource_id = d.id
  )`;
