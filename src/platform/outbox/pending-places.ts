/**
 * Begins a statement: `place` holds each subscription that deliveries wait for, once. It leaps along the index from one to
 * the next, so that a million rows waiting at one cost no more than one (`exists` would let the planner hash them all).
 */
export const WITH_PENDING_PLACES = `with recursive place as (
     (select merchant_id, webhook_id from deliveries where status = 'pending'
      order by merchant_id, webhook_id limit 1)
     union all
     select next.merchant_id, next.webhook_id from place cross join lateral (
       select d.merchant_id, d.webhook_id from deliveries d
       where d.status = 'pending' and (d.merchant_id, d.webhook_id) > (place.merchant_id, place.webhook_id)
       order by d.merchant_id, d.webhook_id limit 1) as next
   )`;
