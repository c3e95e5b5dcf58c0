import type { Reader } from "./invariants.ts";

/** Every amount that the sandbox's banks moved for a merchant, with its reason. */
const MOVED = `
  with mine as (
    select ledger, kind, reference, belongs_to, amount, coalesce(facts ->> 'code', '') like 'A%' as approved, facts
    from sandbox_ledger where reference = any ($1) or belongs_to = any ($1) or reference = any ($2) or belongs_to = any ($2)
  )
  select 'card paid' as reason, 'card' as source, amount from mine m where ledger = 'acquirer' and kind = 'authorisation' and approved
    and facts ->> 'captured' = 'true'
    and not exists (select from mine r where r.kind = 'reversal' and r.reference = m.reference)
  union all select 'card captured', 'card', amount from mine where ledger = 'acquirer' and kind = 'capture' and approved
  union all select 'card refunded', null, -amount from mine where ledger = 'acquirer' and kind = 'refund' and approved
  union all select 'debit paid', 'direct_debit', amount from mine
    where ledger = 'debit bank' and kind = 'settlement' and approved
  union all select 'debit returned', null, -amount from mine where ledger = 'debit bank' and kind = 'return'
  union all select 'debit refunded', null, -amount from mine where ledger = 'debit bank' and kind = 'credit' and approved
  union all select 'payid paid', 'payid', amount from mine where ledger = 'payid' and kind = 'transfer'
  union all select 'payid refunded', null, -amount from mine where ledger = 'payid' and kind = 'refund' and approved`;

/**
 * What the sandbox's banks moved for some transactions and accepted transfers, from the ledger that the gateway cannot
 * write: sums by reason, and each captured amount.
 */
export async function readLedger(
  database: Reader,
  { taken, accepted }: { readonly taken: readonly string[]; readonly accepted: readonly string[] },
): Promise<{
  readonly moved: Readonly<Record<string, number>>;
  readonly captured: readonly {
    readonly source: "card" | "direct_debit" | "payid";
    readonly amount: number;
  }[];
}> {
  type Row = { reason: string; source: "card" | "direct_debit" | "payid" | null; amount: string };
  const rows = (await database.rows(MOVED, [taken, accepted])) as readonly Row[];
  const moved: Record<string, number> = {};
  for (const { reason, amount } of rows) moved[reason] = (moved[reason] ?? 0) + Number(amount);
  const captured = rows.flatMap(({ source, amount }) =>
    source === null ? [] : [{ source, amount: Number(amount) }],
  );
  return { moved, captured };
}

/** What the acquirer's own ledger has about a payment, in order. */
export const acquirerEntries = (database: Reader, id: string) => entriesOf(database, "acquirer", id);

/** What the bank's own ledger has about a debit, in order; not its refunds. */
export const bankEntries = async (database: Reader, id: string) =>
  (await entriesOf(database, "debit bank", id)).filter((kind) => kind !== "credit");

async function entriesOf(database: Reader, ledger: string, id: string): Promise<readonly string[]> {
  const entries = await database.rows<{ kind: string }>(
    "select kind from sandbox_ledger where ledger = $1 and (reference = $2 or belongs_to = $2) order by id",
    [ledger, id],
  );
  return entries.map(({ kind }) => kind);
}
