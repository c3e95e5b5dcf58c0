import { sql, type Tx } from "../../../../platform/db/database.ts";
import { type DueSubscription, listNextWaiting, SERVES_ALL } from "../queries.ts";

/**
 * Deliveries to subscriptions that are deleted: those are to be closed. They lie before a merchant's first subscription or
 * after any of them: one index probe for each such gap, however many deliveries wait. A signing key is there from the
 * merchant's first subscription on.
 */
const firstOfGap = (beginsAt: string, after: string) =>
  `select b.merchant_id as "merchantId", d.webhook_id as "webhookId" from ${beginsAt} b cross join lateral (
     select o.webhook_id from deliveries o where o.status = 'pending' and o.merchant_id = b.merchant_id${after}
     order by o.webhook_id, o.due_at limit 1) as d
   where b.merchant_id > $1 and ($2::text is null or b.merchant_id <= $2) and not exists (
     select from webhooks w where w.merchant_id = b.merchant_id and w.id = d.webhook_id)
   limit $3`;
const LIST_ORPHANED_BEFORE = sql("delivery_list_orphaned_before", firstOfGap("webhook_signing_keys", ""), {
  fanOut: SERVES_ALL,
});
const LIST_ORPHANED_AFTER = sql(
  "delivery_list_orphaned_after",
  firstOfGap("webhooks", " and o.webhook_id > b.id"),
  { fanOut: SERVES_ALL },
);

/** How many deleted subscriptions before, and how many after others, are looked for at once. */
const ORPHANED_AT_ONCE = 100;

/**
 * Some subscriptions that are deleted and have pending deliveries, of so many merchants after this one, if the database is
 * distributed: `takeDue` finds all others. `last` is the merchant to go on after.
 */
export async function listOrphaned(
  tx: Tx,
  after: string,
  merchants: number,
): Promise<{ readonly orphaned: readonly DueSubscription[]; readonly last: string }> {
  if (!((await tx.isDistributed?.()) ?? false)) return { orphaned: [], last: "" };
  const ids = await listNextWaiting(tx, after, merchants);
  const last = ids.length < merchants ? null : (ids.at(-1) ?? null);
  const range = [after, last, ORPHANED_AT_ONCE];
  const before = await tx.rows<DueSubscription>(LIST_ORPHANED_BEFORE, range);
  const behind = await tx.rows<DueSubscription>(LIST_ORPHANED_AFTER, range);
  // One can be the next after several subscriptions.
  const orphaned = new Map([...before, ...behind].map((one) => [`${one.merchantId} ${one.webhookId}`, one]));
  return { orphaned: [...orphaned.values()], last: last ?? "" };
}
