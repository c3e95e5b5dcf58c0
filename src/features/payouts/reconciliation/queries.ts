import { OUTCOMES } from "../../../kernel/codes/outcomes.ts";
import type { Currency } from "../../../kernel/money.ts";
import { sql, type Tx } from "../../../platform/db/database.ts";

/** What some records say about a merchant's money in one currency. */
export type RecordSums = {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly payments?: number;
  readonly refunds?: number;
  readonly returns?: number;
  readonly fees?: number;
  readonly disputes?: number;
  readonly paidOut?: number;
  readonly held?: number;
};

/** A record that payouts and transactions or refunds do not agree on. */
export type Fault = { readonly merchantId: string; readonly subjectId: string; readonly about: string };

/** What a portion of a table came to. */
export type Portion = { readonly sums: readonly RecordSums[]; readonly faults: readonly Fault[] };

export type PayoutTotals = {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly currency: Currency;
  readonly lines: number;
  readonly amount: number;
  readonly payments: number;
  readonly refunds: number;
  readonly returns: number;
  readonly fees: number;
  readonly disputes: number;
};

/** Reading a record and looking up its lines takes some ten microseconds: a portion takes a tenth of a second. */
const PORTION = 5_000;

const RETURNED = `coalesce(code = '${OUTCOMES.returned}', false)`;

/** Which rows a walk reads: those of all merchants, or in a distributed database those of one after another. */
type Scope = {
  /** Rows after the last position, whose first part is the merchant. */
  readonly after: (columns: string, values: string) => string;
  /** The merchant of a row that belongs to a row of the portion. */
  readonly merchantOf: (row: string) => string;
};

const OF_ALL: Scope = {
  after: (columns, values) => `(merchant_id, ${columns}) > ($1, ${values})`,
  merchantOf: (row) => `${row}.merchant_id`,
};

const OF_ONE: Scope = {
  after: (columns, values) => `merchant_id = $1 and (${columns}) > (${values})`,
  merchantOf: () => "$1",
};

const walkStatement = (name: string, text: (scope: Scope) => string) =>
  sql(name, text(OF_ALL), { distributed: text(OF_ONE) });

const faultsOf = ({ merchantOf }: Scope, recorded: string) => `(select json_agg(fault) from (
     select m.merchant_id as "merchantId", m.id as "subjectId",
       case when line.amount is null then 'money in the records has no line'
         else 'a line differs from the recorded amount' end as about
     from (${recorded}) m left join lateral (
       select l.amount, l.currency from payout_lines l
       where l.merchant_id = ${merchantOf("m")} and l.kind = m.kind and l.subject_id = m.id limit 1) line on true
     where line.amount is distinct from m.amount or line.currency is distinct from m.currency) fault) as faults`;

const LAST_RECORD = `from (select array[merchant_id, id] as position from portion
     order by merchant_id desc, id desc limit 1) last`;

const WALK_TRANSACTIONS = walkStatement(
  "reconcile_transactions",
  (scope) => `with portion as materialized (
     select merchant_id, id, currency, captured, fee, ${RETURNED} as is_returned from transactions
     where ${scope.after("id", "$2")} order by merchant_id, id limit $3
   )
   select position, (select json_agg(sums) from (
     select merchant_id as "merchantId", currency, sum(captured) as payments, sum(fee) as fees,
       coalesce(sum(captured) filter (where is_returned), 0) as returns
     from portion where captured > 0 group by merchant_id, currency) sums) as sums,
   ${faultsOf(
     scope,
     `select merchant_id, id, currency, kind, moved.amount
      from portion cross join lateral (values ('payment', captured), ('fee', -fee),
        ('return', case when is_returned then -captured else 0 end)) moved (kind, amount)
      where moved.amount <> 0`,
   )}
   ${LAST_RECORD}`,
);

const WALK_REFUNDS = walkStatement(
  "reconcile_refunds",
  (scope) => `with portion as materialized (
     select merchant_id, id, currency, amount, status from refunds
     where ${scope.after("id", "$2")} order by merchant_id, id limit $3
   )
   select position, (select json_agg(sums) from (
     select merchant_id as "merchantId", currency, sum(amount) as refunds
     from portion where status = 'approved' group by merchant_id, currency) sums) as sums,
   ${faultsOf(
     scope,
     `select merchant_id, id, currency, 'refund' as kind, -amount as amount
      from portion where status = 'approved'`,
   )}
   ${LAST_RECORD}`,
);

const WALK_DISPUTES = walkStatement(
  "reconcile_disputes",
  (scope) => `with portion as materialized (
     select merchant_id, id, currency, amount, status from disputes
     where ${scope.after("id", "$2")} order by merchant_id, id limit $3
   )
   select position, (select json_agg(sums) from (
     select merchant_id as "merchantId", currency, sum(amount) as disputes
     from portion where status <> 'won' group by merchant_id, currency) sums) as sums,
   ${faultsOf(
     scope,
     `select merchant_id, id, currency, 'dispute' as kind, -amount as amount from portion
      union all select merchant_id, id, currency, 'dispute_won', amount from portion where status = 'won'`,
   )}
   ${LAST_RECORD}`,
);

/** A line is held until its payout is complete: those of a payout that is still being built are. */
const WALK_LINES = walkStatement(
  "reconcile_lines",
  (scope) => `with portion as materialized (
     select merchant_id, kind, subject_id, currency, amount, payout_id from payout_lines
     where ${scope.after("kind, subject_id", "$2, $3")} order by merchant_id, kind, subject_id limit $4
   )
   select position, (select json_agg(sums) from (
     select l.merchant_id as "merchantId", l.currency, sum(l.amount) as held from portion l
     where l.payout_id is null or exists (
       select from payout_builds b where b.merchant_id = ${scope.merchantOf("l")} and b.payout_id = l.payout_id)
     group by l.merchant_id, l.currency) sums) as sums,
   (select json_agg(fault) from (
     select l.merchant_id as "merchantId", l.subject_id as "subjectId", 'a line has no money in the records' as about
     from portion l where not coalesce(case when l.kind = 'refund'
       then (select status = 'approved' from refunds where merchant_id = ${scope.merchantOf("l")} and id = l.subject_id)
       when l.kind in ('dispute', 'dispute_won')
       then (select l.kind = 'dispute' or status = 'won' from disputes
         where merchant_id = ${scope.merchantOf("l")} and id = l.subject_id)
       else (select case l.kind when 'payment' then captured > 0 when 'fee' then fee > 0
           else ${RETURNED} and captured > 0 end
         from transactions where merchant_id = ${scope.merchantOf("l")} and id = l.subject_id) end, false)) fault) as faults
   from (select array[merchant_id, kind, subject_id] as position from portion
     order by merchant_id desc, kind desc, subject_id desc limit 1) last`,
);

/** The sums of a portion of all paid lines, by payout and currency. A payout's lines can span many portions. */
const WALK_PAID_LINES = walkStatement(
  "reconcile_paid_lines",
  (scope) => `with portion as materialized (
     select merchant_id, payout_id, at, subject_id, kind, currency, amount from payout_lines
     where payout_id is not null
       and ${scope.after("payout_id, at, subject_id, kind", "$2, $3::timestamptz, $4, $5")}
     order by merchant_id, payout_id, at, subject_id, kind limit $6
   )
   select position, (select json_agg(sums order by "merchantId", "payoutId") from (
     select merchant_id as "merchantId", payout_id as "payoutId", currency, count(*) as lines, sum(amount) as amount,
       coalesce(sum(amount) filter (where kind = 'payment'), 0) as payments,
       coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunds,
       coalesce(sum(amount) filter (where kind = 'return'), 0) as returns,
       coalesce(sum(amount) filter (where kind = 'fee'), 0) as fees,
       coalesce(sum(amount) filter (where kind in ('dispute', 'dispute_won')), 0) as disputes
     from portion group by merchant_id, payout_id, currency) sums) as sums
   from (select array[merchant_id, payout_id, at::text, subject_id, kind] as position from portion
     order by merchant_id desc, payout_id desc, at desc, subject_id desc, kind desc limit 1) last`,
);

const WALK_PAYOUTS = walkStatement(
  "reconcile_payouts",
  (
    scope,
  ) => `select merchant_id as "merchantId", id as "payoutId", currency, lines, amount, payments, refunds, returns, fees,
     disputes from payouts where ${scope.after("id", "$2")} order by merchant_id, id limit $3`,
);

const LIST_BUILT = sql(
  "reconcile_builds",
  `select payout_id as "payoutId" from payout_builds where payout_id is not null`,
  { fanOut: "an operator's command about the payouts of all merchants" },
);

const NEXT_MERCHANT = sql(
  "reconcile_next_merchant",
  "select id from merchants where id > $1 order by id limit 1",
);

type PortionRow = {
  readonly position: readonly string[];
  readonly sums: string | null;
  readonly faults: string | null;
};

const portionOf = ({ sums, faults }: PortionRow): Portion => ({
  sums: sums === null ? [] : (JSON.parse(sums) as readonly RecordSums[]),
  faults: faults === null ? [] : (JSON.parse(faults) as readonly Fault[]),
});

/** Transactions with their lines, in the order of ids, a portion at a time. */
export async function* walkTransactions(tx: Tx): AsyncGenerator<Portion> {
  for await (const row of walk<PortionRow>(tx, WALK_TRANSACTIONS, ["", ""])) yield portionOf(row);
}

export async function* walkRefunds(tx: Tx): AsyncGenerator<Portion> {
  for await (const row of walk<PortionRow>(tx, WALK_REFUNDS, ["", ""])) yield portionOf(row);
}

export async function* walkDisputes(tx: Tx): AsyncGenerator<Portion> {
  for await (const row of walk<PortionRow>(tx, WALK_DISPUTES, ["", ""])) yield portionOf(row);
}

/** Lines with the records that they are of. */
export async function* walkLines(tx: Tx): AsyncGenerator<Portion> {
  for await (const row of walk<PortionRow>(tx, WALK_LINES, ["", "", ""])) yield portionOf(row);
}

/** The sums of paid lines in the order of merchants and payouts; a payout comes several times if it has many lines. */
export async function* walkPaidLines(tx: Tx): AsyncGenerator<PayoutTotals> {
  for await (const { sums } of walk<PortionRow>(tx, WALK_PAID_LINES, ["", "", "-infinity", "", ""])) {
    yield* JSON.parse(sums ?? "[]") as readonly PayoutTotals[];
  }
}

/** Payouts as they are recorded, in the order of merchants and payouts. */
export async function* walkPayouts(tx: Tx): AsyncGenerator<PayoutTotals> {
  for await (const start of starts(tx, ["", ""])) {
    let after = start;
    for (;;) {
      const rows = await tx.rows<PayoutTotals>(WALK_PAYOUTS, [...after, PORTION]);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = [last.merchantId, last.payoutId];
    }
  }
}

/** Where a walk starts: once for all merchants, or in a distributed database once for each. */
async function* starts(tx: Tx, [first = "", ...rest]: readonly string[]): AsyncGenerator<readonly string[]> {
  if (!((await tx.isDistributed?.()) ?? false)) {
    yield [first, ...rest];
    return;
  }
  let merchant = first;
  for (;;) {
    const [next] = await tx.rows<{ id: string }>(NEXT_MERCHANT, [merchant]);
    if (next === undefined) return;
    merchant = next.id;
    yield [merchant, ...rest];
  }
}

/** The payouts that are being built: they are not recorded yet. */
export async function listPayoutsInProgress(tx: Tx): Promise<readonly string[]> {
  return (await tx.rows<{ payoutId: string }>(LIST_BUILT, [])).map(({ payoutId }) => payoutId);
}

async function* walk<Row extends { readonly position: readonly string[] }>(
  tx: Tx,
  statement: ReturnType<typeof sql>,
  start: readonly string[],
): AsyncGenerator<Row> {
  for await (const place of starts(tx, start)) {
    let after = place;
    for (;;) {
      const [row] = await tx.rows<Row>(statement, [...after, PORTION]);
      if (row === undefined) break;
      yield row;
      after = row.position;
    }
  }
}
