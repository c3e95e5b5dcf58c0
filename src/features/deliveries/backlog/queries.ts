import { sql, type Tx } from "../../../platform/db/database.ts";
import { BACKLOG_COUNTED, type Backlog } from "../../../platform/metrics/webhook-metrics.ts";

/** Deliveries due later cost nothing, and those due now are counted up to the limit only. */
const BACKLOG = sql(
  "outbox_backlog",
  `select (select count(*) from (
       select 1 from deliveries where status = 'pending' and due_at <= now() order by due_at limit $1) as due) as due,
     coalesce(extract(epoch from now() - (
       select due_at from deliveries where status = 'pending' and due_at <= now() order by due_at limit 1)), 0)::float8
       as "oldestSeconds"`,
  { fanOut: "the operator sees the backlog of all merchants" },
);

export async function readBacklog(tx: Tx): Promise<Backlog> {
  const [backlog] = await tx.rows<Backlog>(BACKLOG, [BACKLOG_COUNTED]);
  return backlog ?? { due: 0, oldestSeconds: 0 };
}
