import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Original } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../db/database.ts";

/** The request that used an idempotency key. Most are done at once; one that calls a bank or an endpoint is done with its answer. */
export const keyLifecycle: Lifecycle<Original["status"], "finish"> = {
  processing: { finish: "done" },
  done: {},
};

export type KeyUse = {
  readonly merchantId: string;
  readonly key: string;
  readonly requestId: string;
  readonly resourceId: string | null;
  /** Path of the resource; the base URL is put before it when it is answered. */
  readonly location: string | null;
  readonly status: Original["status"];
};

/** Two requests with one key: the second waits here until the first has committed or rolled back. */
const CLAIM = sql(
  "idempotency_claim",
  `insert into idempotency_keys (merchant_id, key, request_id, resource_id, location, status)
   values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing returning true as claimed`,
);

/** If a process dies during a request that made no resource, such as a test ping, no job finishes its key. */
const FIND = sql(
  "idempotency_find",
  `select request_id as "requestId", resource_id as id, location,
     case when resource_id is null and created_at < now() - interval '1 minute' then 'done' else status end as status
   from idempotency_keys where merchant_id = $1 and key = $2`,
);

const FINISH = sql(
  "idempotency_finish",
  "update idempotency_keys set status = 'done' where merchant_id = $1 and key = $2",
);

const FINISH_OF = sql(
  "idempotency_finish_of",
  "update idempotency_keys set status = 'done' where merchant_id = $1 and resource_id = $2 and status = 'processing'",
);

const FORGET = sql(
  "idempotency_forget",
  `with old as materialized (
     select ctid as place, created_at from idempotency_keys
     where created_at >= $1 and created_at < $2 order by created_at limit $3
   ), deleted as (delete from idempotency_keys where ctid = any (array(select place from old)))
   select count(*)::int as count, max(created_at) as "upTo" from old`,
  {
    fanOut: "deletes the oldest rows of all merchants",
    distributed: `with old as materialized (
        select merchant_id, key, created_at from idempotency_keys
        where created_at >= $1 and created_at < $2 order by created_at limit $3
      ), deleted as (
        delete from idempotency_keys k using old where k.merchant_id = old.merchant_id and k.key = old.key)
      select count(*)::int as count, max(created_at) as "upTo" from old`,
  },
);

/** False when the key was used before. */
export async function insertKeyUse(tx: Tx, use: KeyUse): Promise<boolean> {
  const { merchantId, key, requestId, resourceId, location, status } = use;
  const rows = await tx.rows(CLAIM, [merchantId, key, requestId, resourceId, location, status]);
  return rows.length === 1;
}

export async function markKeyDone(tx: Tx, merchantId: string, key: string): Promise<void> {
  await tx.rows(FINISH, [merchantId, key]);
}

/**
 * Marks the requests that worked on this resource as done: in the transaction that records the outcome of their call, or leaves
 * nothing to do after its commit, or once the job that recovers the call has tried.
 */
export async function finishKeysOf(tx: Tx, merchantId: string, resourceId: string): Promise<void> {
  await tx.rows(FINISH_OF, [merchantId, resourceId]);
}

export async function findOriginal(tx: Tx, merchantId: string, key: string): Promise<Original | undefined> {
  const [original] = await tx.rows<Original>(FIND, [merchantId, key]);
  return original;
}

/** Deletes the oldest keys of a range of time. */
export async function deleteOldKeys(
  tx: Tx,
  {
    from,
    before,
    atMost,
  }: { readonly from: Instant | null; readonly before: Instant; readonly atMost: number },
): Promise<{ readonly count: number; readonly upTo: Instant | null }> {
  const start = from === null ? "-infinity" : at(from);
  return onlyRow(await tx.rows<{ count: number; upTo: Instant | null }>(FORGET, [start, at(before), atMost]));
}
