import type { Reader } from "./invariants.ts";

/** Why the sandbox's banks hold money for a merchant, or do not any more. */
const MOVED = `
  with mine as (
    select book, kind, reference, belongs_to, amount, coalesce(facts ->> 'code', '') like 'A%' as approved, facts
    from sandbox_books where reference = any ($1) or belongs_to = any ($1) or reference = any ($2) or belongs_to = any ($2)
  )
  select 'card paid' as why, 'card' as source, amount from mine m where book = 'acquirer' and kind = 'authorisation' and approved
    and facts ->> 'captured' = 'true'
    and not exists (select from mine r where r.kind = 'reversal' and r.reference = m.reference)
  union all select 'card captured', 'card', amount from mine where book = 'acquirer' and kind = 'capture' and approved
  union all select 'card refunded', null, -amount from mine where book = 'acquirer' and kind = 'refund' and approved
  union all select 'debit paid', 'direct_debit', amount from mine
    where book = 'debit bank' and kind = 'settlement' and approved
  union all select 'debit returned', null, -amount from mine where book = 'debit bank' and kind = 'return'
  union all select 'debit refunded', null, -amount from mine where book = 'debit bank' and kind = 'credit' and approved
  union all select 'payid paid', 'payid', amount from mine where book = 'payid' and kind = 'transfer'
  union all select 'payid refunded', null, -amount from mine where book = 'payid' and kind = 'refund' and approved`;

/**
 * What moved at the sandbox's banks for some transactions and accepted transfers, from the books that the gateway can't
 * write: sums by why, and each amount that was captured.
 */
export async function readBooks(
  database: Reader,
  { taken, accepted }: { readonly taken: readonly string[]; readonly accepted: readonly string[] },
): Promise<{
  readonly moved: Readonly<Record<string, number>>;
  readonly captured: readonly {
    readonly source: "card" | "direct_debit" | "payid";
    readonly amount: number;
  }[];
}> {
  type Row = { why: string; source: "card" | "direct_debit" | "payid" | null; amount: string };
  const rows = (await database.rows(MOVED, [taken, accepted])) as readonly Row[];
  const moved: Record<string, number> = {};
  for (const { why, amount } of rows) moved[why] = (moved[why] ?? 0) + Number(amount);
  const captured = rows.flatMap(({ source, amount }) =>
    source === null ? [] : [{ source, amount: Number(amount) }],
  );
  return { moved, captured };
}
