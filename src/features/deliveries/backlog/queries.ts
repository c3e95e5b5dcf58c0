import { sql, type Tx } from "../../../platform/db/database.ts";

/** The due deliveries of a subscription, among those that were read. */
export type DueOf = {
  readonly merchantId: string;
  readonly webhookId: string;
  readonly due: number;
  readonly oldestSeconds: number;
};

/** Deliveries due later cost nothing, and those due now are read up to the limit only. */
const dueText = (direction: "asc" | "desc") =>
  `select merchant_id as "merchantId", webhook_id as "webhookId", count(*) as due,
     extract(epoch from now() - min(due_at))::float8 as "oldestSeconds"
   from (
     select merchant_id, webhook_id, due_at from deliveries where status = 'pending' and due_at <= now()
     order by due_at ${direction} limit $1) as read
   group by merchant_id, webhook_id`;
const fanOut = "the operator sees the backlog of all merchants";
const OLDEST = sql("outbox_oldest_due", dueText("asc"), { fanOut });
const LATEST = sql("outbox_latest_due", dueText("desc"), { fanOut });

export function listOldestDue(tx: Tx, atMost: number): Promise<readonly DueOf[]> {
  return tx.rows<DueOf>(OLDEST, [atMost]);
}

export function listLatestDue(tx: Tx, atMost: number): Promise<readonly DueOf[]> {
  return tx.rows<DueOf>(LATEST, [atMost]);
}
