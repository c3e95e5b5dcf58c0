import assert from "node:assert/strict";
import type { TestDatabase } from "../database.ts";

/** What a partial capture takes. */
export const PART = 1_000;

const transaction = (where: string) => `select from transactions t where t.id = want.id and ${where}`;
const request = (status: string) =>
  `select from payment_requests r where r.id = want.id and r.status = '${status}'`;
const refund = (source: string) =>
  `select from refunds f join transactions t on t.merchant_id = f.merchant_id and t.id = f.transaction_id
   where f.id = want.id and f.status <> 'pending' and t.source = '${source}'`;
const dispute = (where: string) => `select from disputes d where d.id = want.id and ${where}`;

/** What a load does, and the query that finds what was answered as done, at rest. */
const RECORDS = {
  "card payments": transaction("t.status = 'approved'"),
  challenges: transaction("t.status = 'approved' and t.authentication = 'authenticated'"),
  "second attempts": transaction(
    `t.status = 'approved' and exists (select from payment_requests r where r.merchant_id = t.merchant_id
       and r.approved_transaction_id = t.id and cardinality(r.failed_transaction_ids) = 1)`,
  ),
  "surcharged payments": transaction("t.status = 'approved' and t.surcharge > 0"),
  captures: transaction(
    "t.capture_status = 'captured' and t.captured = coalesce(t.approved_amount, t.amount + t.surcharge)",
  ),
  "partial captures": transaction(`t.capture_status = 'captured' and t.captured = ${PART}`),
  voids: transaction("t.capture_status = 'voided'"),
  "expired authorisations": transaction("t.capture_status = 'expired'"),
  "card refunds": refund("card"),
  debits: transaction("t.source = 'direct_debit'"),
  "debit refunds": refund("direct_debit"),
  "PayID payments": request("completed"),
  "PayID refunds": refund("payid"),
  "late transfers": `select from incoming_transfers i where i.id = want.id and i.status = 'returned' and i.reason = 'late'`,
  "stored cards": "select from payment_instruments i where i.id = want.id and i.type = 'card'",
  "charges of stored cards": transaction("t.status = 'approved' and t.payment_instrument_id is not null"),
  "deleted cards": "select from payment_instruments i where i.id = want.id and i.deleted_at is not null",
  // With its name after the id.
  "changed customers": "select from customers c where c.id || ' ' || c.name = want.id",
  "cancelled requests": request("cancelled"),
  "expired requests": request("expired"),
  // By reference: a repeated call with one idempotency key makes one request.
  "repeated creates":
    "select from payment_requests r where r.reference = want.id group by r.reference having count(*) = 1",
  "defended disputes": dispute("d.evidence_at is not null and d.status in ('under_review', 'won', 'lost')"),
  "accepted disputes": dispute("d.status = 'accepted'"),
  "lapsed disputes": dispute("d.status = 'lost' and d.evidence_at is null"),
} as const;

/** A kind of work, as the reports of proofs name it. */
export type Kind = keyof typeof RECORDS;

export const KINDS = Object.keys(RECORDS) as readonly Kind[];

/** Everything that gateways have answered as done; none of it may be lost or undone. */
export type Answered = {
  readonly done: Readonly<Record<Kind, string[]>>;
  readonly counts: { payments: number; requests: number; interrupted: number };
};

export function nothingAnswered(): Answered {
  const done = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Answered["done"];
  return { done, counts: { payments: 0, requests: 0, interrupted: 0 } };
}

/** How often each kind of work was done. */
export function countsOf({ done }: Answered): Readonly<Record<string, number>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, done[kind].length]));
}

/** Asserts that everything that was answered is on record as it was answered. Holds at rest. */
export async function assertKept(database: TestDatabase, { done }: Answered): Promise<void> {
  for (const kind of KINDS) {
    const missing = await database.rows<{ id: string }>(
      `select want.id from unnest($1::text[]) as want(id) where not exists (${RECORDS[kind]})`,
      [done[kind]],
    );
    if (missing.length === 0) continue;
    const found = await database.rows(ABOUT, [missing.map(({ id }) => id)]);
    assert.fail(
      `answered as done, but not on record: ${kind}\n${JSON.stringify({ missing, found }, null, 1)}`,
    );
  }
}

/** What is on record about resources, to understand what went wrong. */
const ABOUT = `
  with one as (select unnest($1::text[]) as id)
  select 'transaction' as kind, to_jsonb(t) as facts from transactions t join one using (id)
  union all select 'request', to_jsonb(r) - 'details' from payment_requests r join one using (id)
  union all select 'dispute', to_jsonb(d) from disputes d join one using (id)
  union all select 'refund', to_jsonb(f) from refunds f join one using (id)
  union all select 'operation', to_jsonb(m) from transaction_operations m join one on m.transaction_id = one.id
  union all select 'job', to_jsonb(j) from jobs j join one on j.subject_id = one.id
  union all select 'ledger', to_jsonb(l) from sandbox_ledger l join one on one.id in (l.reference, l.belongs_to)
  union all select 'merchant', jsonb_build_object('id', id, 'ahead', clock_offset_ms, 'now', now()) from merchants`;
