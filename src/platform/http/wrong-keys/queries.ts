import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../db/database.ts";

/** How fast a count fades. */
export const PER_SECOND = 1;

/** A bucket that empties by itself. The commit does not wait for the disk: a crash loses the counts of its last moment. */
const ADD = sql(
  "wrong_api_keys_add",
  `insert into wrong_api_keys as w (subject, level, counted_at)
   select $1, $2, $3::timestamptz where set_config('synchronous_commit', 'off', true) = 'off'
   on conflict (subject) do update set
     level = greatest(0, w.level - ${PER_SECOND} * greatest(0, extract(epoch from $3::timestamptz - w.counted_at))) + $2,
     counted_at = greatest(w.counted_at, $3::timestamptz)
   returning level`,
);

const DELETE_OLD = sql(
  "wrong_api_keys_delete_old",
  `delete from wrong_api_keys where ctid = any (array(
     select ctid from wrong_api_keys where counted_at < $1 order by counted_at limit $2)) returning 1`,
);

/** Returns how many there are now of this network, on all nodes. */
export async function addWrongKeys(
  tx: Tx,
  { subject, count }: { readonly subject: Uint8Array; readonly count: number },
  now: Instant,
): Promise<number> {
  const [row] = await tx.rows<{ level: number }>(ADD, [subject, count, at(now)]);
  return row?.level ?? count;
}

/** Deletes what was last counted before that time; returns how many rows. */
export async function deleteOldWrongKeys(tx: Tx, before: Instant, limit: number): Promise<number> {
  return (await tx.rows(DELETE_OLD, [at(before), limit])).length;
}
