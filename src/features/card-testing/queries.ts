import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { orOnOneServer } from "../../platform/db/by-merchant.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { CardTestingKind } from "../merchants/index.ts";
import {
  APPROVALS_FADE_IN,
  CEILING_KINDS,
  type Counter,
  ceilingOf,
  FADES_IN,
  LEAST_SHARE_AT_CEILING,
  ROUNDING,
  SUSPICIOUS_SHARE,
  UNCOUNTED_SHARE,
  UNCOUNTED_SHARE_BELOW_CEILING,
} from "./card-testing.ts";

/** What an attempt adds to one counter, and the limit from which on it is refused while few attempts are approved. */
export type Count = {
  readonly kind: CardTestingKind;
  readonly key: string;
  readonly weight: number;
  readonly limit: number;
};

/** A count with what this process has not written to the database yet: attempts under way, and the latest approvals. */
type UncountedCount = Count & { readonly uncounted: number; readonly approved: number };

/** A counter's value at a moment. What is next to nothing is nothing, so that no product gets too small for its type. */
const faded = (column: "risk" | "approved", fadesIn: number, moment: string) => `(
  case when c.${column} < 0.001 then 0 else c.${column} *
    exp(-least(greatest(extract(epoch from ${moment} - c.counted_at), 0) * 1000 / ${fadesIn}, 20))
  end)::float8`;
const riskAt = (moment: string) => faded("risk", FADES_IN, moment);
const approvedAt = (moment: string) => faded("approved", APPROVALS_FADE_IN, moment);
const RISK = riskAt("$2::timestamptz");
const APPROVED = approvedAt("$2::timestamptz");

const isBarred = (limit: string, ceiling: string) =>
  `(${RISK} > ${ceiling} - ${ROUNDING} and ${RISK} >= ${LEAST_SHARE_AT_CEILING} * (${RISK} + ${APPROVED})
    or ${RISK} > ${limit} - ${ROUNDING} and (c.kind = 'card' or ${RISK} >= ${SUSPICIOUS_SHARE} * (${RISK} + ${APPROVED})))`;
/** A column of the input, for the row in conflict. */
const ofKind = (parameter: string) => `(${parameter}::float8[])[array_position($3::text[], c.kind)]`;

/**
 * The commit does not wait for the disk: a crash of the database loses the counts of its last moment, and a merchant's
 * payments do not wait for each other's flush.
 */
const NO_FLUSH = "set_config('synchronous_commit', 'off', true)";

/**
 * The counter of one row `i`, by its key. As a plain join, a plan that was made while the table was small reads all counters of
 * the merchant, until the table is analysed.
 */
const ONE_COUNTER = `select kind, risk, approved, counted_at from card_testing_counters
     where merchant_id = $1 and kind = i.kind and key = i.key limit 1`;

const ATTEMPT = `unnest($3::text[], $4::text[], $5::float8[], $6::float8[], $7::float8[])
       as i (kind, key, weight, most, ceiling)`;

const countingOf = (input: string) =>
  `insert into card_testing_counters as c (merchant_id, kind, key, risk, approved, counted_at, hour)
     select $1, kind, key, weight, 0, $2::timestamptz, date_trunc('hour', $2::timestamptz)
     from ${input} order by kind, key
     on conflict (merchant_id, kind, key) do update
     set risk = ${RISK} + excluded.risk, approved = ${APPROVED},
       counted_at = greatest(c.counted_at, excluded.counted_at), hour = greatest(c.hour, excluded.hour)
     where not ${isBarred(ofKind("$6"), ofKind("$7"))}
     returning c.kind, c.risk, c.approved`;

const barredOf = (input: string) =>
  `select c.kind, ${RISK} as risk, ${APPROVED} as approved
     from ${input} cross join lateral (${ONE_COUNTER}) c
     where ${isBarred("i.most", "i.ceiling")}`;

/**
 * Counts an attempt in all of its counters, or in none where one has reached its limit. Rows are always taken in the same
 * order, so two attempts can't deadlock. Of attempts at the same moment the last few may be counted in some of the counters
 * only; then fewer rows come back than went in.
 */
const COUNT = sql(
  "card_testing_count",
  `with input as materialized (
     select i.* from ${ATTEMPT} where ${NO_FLUSH} = 'off'
   ), barred as materialized (
     ${barredOf("input i")}
   ), counted as (
     ${countingOf("input where not exists (select from barred)")}
   )
   select true as "isBarred", kind, risk, approved from barred
   union all select false, kind, risk, approved from counted`,
);

/** The same in two statements, for `orOnOneServer`. */
const LIST_BARRED = sql("card_testing_list_barred", barredOf(ATTEMPT));
const COUNT_ALONE = sql(
  "card_testing_count_alone",
  `with counted as (${countingOf(`${ATTEMPT} where ${NO_FLUSH} = 'off'`)}) select kind, risk, approved from counted`,
);

const HAS_CEILING = `i.kind in (${CEILING_KINDS.map((kind) => `'${kind}'`).join(", ")})`;

/** A condition on one row `i` of `json_to_recordset`, with what this process has not counted yet: it is not far below its limit. */
const isSuspected = (moment: string) => {
  const risk = `(coalesce(${riskAt(moment)}, 0) + i.uncounted)`;
  const isShare = (share: number) =>
    `${risk} >= ${share} * (${risk} + coalesce(${approvedAt(moment)}, 0) + i.approved)`;
  return `${risk} > i.most and (i.kind = 'card'
    or ${HAS_CEILING} and ${risk} > ${UNCOUNTED_SHARE_BELOW_CEILING / UNCOUNTED_SHARE} * i.most
      and ${isShare(LEAST_SHARE_AT_CEILING)}
    or ${isShare(SUSPICIOUS_SHARE)})`;
};

/**
 * A condition in the statement that records attempts of the merchant `$1`: one of the counters in `counts`, which has the JSON of
 * `UncountedValues`, is not far below its limit at that moment.
 */
export const isAnySuspected = (counts: string, moment: string): string => `exists (
  select from json_to_recordset(${counts}) as i (kind text, key text, uncounted float8, approved float8, most float8)
    left join lateral (${ONE_COUNTER}) c on true
  where ${isSuspected(moment)})`;

/** What `isAnySuspected` reads of a count. */
export type UncountedValues = {
  readonly kind: CardTestingKind;
  readonly key: string;
  readonly uncounted: number;
  readonly approved: number;
  readonly most: number;
};

export function uncountedValues({ kind, key, uncounted, approved, limit }: UncountedCount): UncountedValues {
  return { kind, key, uncounted, approved, most: UNCOUNTED_SHARE * limit };
}

/** Adds to counters, whatever their limits. */
const ADDING = `insert into card_testing_counters as c (merchant_id, kind, key, risk, approved, counted_at, hour)
   select $1, i.kind, i.key, i.risk, i.approved, $2::timestamptz, date_trunc('hour', $2::timestamptz)
   from unnest($3::text[], $4::text[], $5::float8[], $6::float8[]) as i (kind, key, risk, approved)
   where ${NO_FLUSH} = 'off' order by i.kind, i.key
   on conflict (merchant_id, kind, key) do update
   set risk = ${RISK} + excluded.risk, approved = ${APPROVED} + excluded.approved,
     counted_at = greatest(c.counted_at, excluded.counted_at), hour = greatest(c.hour, excluded.hour)`;
// Citus loses the types of parameters in a conflict's update, except in a part of a statement.
const asPart = (statement: string) => `with counted as (${statement} returning 1) select 1 from counted`;
const ADD = sql("card_testing_add", ADDING, { distributed: asPart(ADDING) });

/** Takes an attempt back out of its counters; `$6` is 1 for an approval. */
const UNCOUNTING = `insert into card_testing_counters as c (merchant_id, kind, key, risk, approved, counted_at, hour)
   select $1, i.kind, i.key, 0, $6::float8, $2::timestamptz, date_trunc('hour', $2::timestamptz)
   from unnest($3::text[], $4::text[]) as i (kind, key)
   where ${NO_FLUSH} = 'off' order by i.kind, i.key
   on conflict (merchant_id, kind, key) do update
   set risk = greatest(0, ${RISK} - ($5::float8[])[array_position($3::text[], c.kind)]),
     approved = ${APPROVED} + $6::float8,
     counted_at = greatest(c.counted_at, excluded.counted_at)`;
const UNCOUNT = sql("card_testing_uncount", UNCOUNTING, { distributed: asPart(UNCOUNTING) });

const MARK = sql(
  "card_testing_mark",
  "insert into card_testing_attempts (merchant_id, transaction_id, created_at) values ($1, $2, $3) on conflict do nothing",
);
const FIND_MARK = sql(
  "card_testing_find_mark",
  "select true as marked from card_testing_attempts where merchant_id = $1 and transaction_id = $2",
);

const DELETE_COUNTERS = sql(
  "card_testing_delete_counters",
  `delete from card_testing_counters where ctid = any (array(
     select ctid from card_testing_counters where hour < $1 order by hour limit $2))
   returning 1`,
  {
    fanOut: "deletes the oldest rows of all merchants",
    distributed: `with old as materialized (
        select merchant_id, kind, key from card_testing_counters where hour < $1 order by hour limit $2)
      delete from card_testing_counters c using old
      where c.merchant_id = old.merchant_id and c.kind = old.kind and c.key = old.key returning 1`,
  },
);
const DELETE_MARKS = sql(
  "card_testing_delete_marks",
  `delete from card_testing_attempts where ctid = any (array(
     select ctid from card_testing_attempts where created_at < $1 order by created_at limit $2))
   returning 1`,
  {
    fanOut: "deletes the oldest rows of all merchants",
    distributed: `with old as materialized (
        select merchant_id, transaction_id from card_testing_attempts
        where created_at < $1 order by created_at limit $2)
      delete from card_testing_attempts a using old
      where a.merchant_id = old.merchant_id and a.transaction_id = old.transaction_id returning 1`,
  },
);

export type Counted = { readonly barred: readonly Counter[]; readonly counted: readonly Counter[] };

/** Counts the attempt. What this process has not counted yet takes its place below a limit. With `barred` counters nothing was counted. */
export async function countAttempt(
  tx: Tx,
  merchantId: Id<"merchant">,
  counts: readonly (Count & Partial<Pick<UncountedCount, "uncounted">>)[],
  now: Instant,
): Promise<Counted> {
  const values = [
    merchantId,
    at(now),
    counts.map(({ kind }) => kind),
    counts.map(({ key }) => key),
    counts.map(({ weight }) => weight),
    counts.map(({ limit, uncounted = 0 }) => limit - uncounted),
    counts.map(({ kind, limit, uncounted = 0 }) => ceilingOf(kind, limit) - uncounted),
  ];
  return orOnOneServer(
    async () => {
      const rows = await tx.rows<Counter & { readonly isBarred: boolean }>(COUNT, values);
      return { barred: rows.filter((row) => row.isBarred), counted: rows.filter((row) => !row.isBarred) };
    },
    async () => {
      const barred = await tx.rows<Counter>(LIST_BARRED, values);
      return { barred, counted: barred.length > 0 ? [] : await tx.rows<Counter>(COUNT_ALONE, values) };
    },
  );
}

/** Counts an attempt that was declined. */
export async function addRisk(
  tx: Tx,
  merchantId: Id<"merchant">,
  counts: readonly Count[],
  now: Instant,
): Promise<void> {
  await tx.rows(ADD, [
    merchantId,
    at(now),
    counts.map(({ kind }) => kind),
    counts.map(({ key }) => key),
    counts.map(({ weight }) => weight),
    counts.map(() => 0),
  ]);
}

/** Approvals by counter. */
export type Approvals = Map<string, Pick<Count, "kind" | "key"> & { readonly approved: number }>;

export async function addApprovals(
  tx: Tx,
  merchantId: Id<"merchant">,
  approvals: Approvals,
  now: Instant,
): Promise<void> {
  const all = [...approvals.values()];
  await tx.rows(ADD, [
    merchantId,
    at(now),
    all.map(({ kind }) => kind),
    all.map(({ key }) => key),
    all.map(() => 0),
    all.map(({ approved }) => approved),
  ]);
}

export async function uncountAttempt(
  tx: Tx,
  merchantId: Id<"merchant">,
  { counts, approvals }: { readonly counts: readonly Count[]; readonly approvals: 0 | 1 },
  now: Instant,
): Promise<void> {
  await tx.rows(UNCOUNT, [
    merchantId,
    at(now),
    counts.map(({ kind }) => kind),
    counts.map(({ key }) => key),
    counts.map(({ weight }) => weight),
    approvals,
  ]);
}

type Attempt = { readonly merchantId: Id<"merchant">; readonly id: Id<"transaction"> };

export async function insertMark(tx: Tx, { merchantId, id }: Attempt, now: Instant): Promise<void> {
  await tx.rows(MARK, [merchantId, id, at(now)]);
}

export async function isMarked(tx: Tx, { merchantId, id }: Attempt): Promise<boolean> {
  return (await tx.rows(FIND_MARK, [merchantId, id])).length > 0;
}

/** Deletes what was last counted before that time; returns how many rows. */
export async function deleteOldCounters(tx: Tx, before: Instant, limit: number): Promise<number> {
  return (await tx.rows(DELETE_COUNTERS, [at(before), limit])).length;
}

export async function deleteOldMarks(tx: Tx, before: Instant, limit: number): Promise<number> {
  return (await tx.rows(DELETE_MARKS, [at(before), limit])).length;
}
