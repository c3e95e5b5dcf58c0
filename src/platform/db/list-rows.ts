import { createHash } from "node:crypto";
import { type Parameter, type Statement, sql, type Tx } from "./database.ts";
import { rowsWithPair } from "./metadata-pairs.ts";

/**
 * A range of ids, newest first: at most `limit` ids from `from` (included) to `before` (not included). With `updated` a
 * range of changes within it, the latest change first.
 */
export type Page = {
  readonly before: string;
  readonly from: string;
  readonly limit: number;
  readonly updated?: UpdatedRange | undefined;
};

/** Changes at `from` or later that sort before `before` and, at the same moment, before the row `beforeId`. */
export type UpdatedRange = {
  readonly from: string;
  readonly before: string;
  readonly beforeId: string;
  /** Whether the range of ids is narrower than all ids. */
  readonly isCreatedRange: boolean;
};

/** What a list reads: rows of one merchant, newest first, cut by a page. */
export type Listing = {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  /** What always holds of the rows that are shown, as SQL. */
  readonly always?: string;
  /** All values of `status`, where the index of changes begins with it. */
  readonly statuses?: readonly string[];
};

/** Values by column; a column without a value is not filtered. */
type Filters = Readonly<Record<string, Parameter | undefined>>;

/** A filter that no column equals: SQL of the place of its value. */
export type Condition = { readonly sql: (place: string) => string; readonly value: Parameter };

type Selection = {
  readonly page: Page;
  readonly filters?: Filters;
  readonly condition?: Condition | undefined;
  /** A pair of metadata, as `pairText` writes it. */
  readonly pair?: string | undefined;
};

/** By their text. */
const statements = new Map<string, Statement>();

/**
 * A page of a merchant's rows, with equality filters by column, or with a pair of metadata. Each set of filters is a
 * statement of its own, so that each has its own plan on its own index.
 */
export async function listRows<Row>(
  tx: Tx,
  listing: Listing,
  merchantId: string,
  { page, filters = {}, condition, pair }: Selection,
): Promise<readonly Row[]> {
  const given = Object.entries(filters).filter((one): one is [string, Parameter] => one[1] !== undefined);
  const { before, from, limit, updated } = page;
  const values: Parameter[] = [merchantId, before, from, limit];
  if (updated !== undefined) values.push(updated.from, updated.before, updated.beforeId);
  const placed = (value: Parameter) => `$${values.push(value)}`;
  const parts: Parts = {
    equal: given.map(([column, value]) => [column, `${column} = ${placed(value)}`] as const),
    extra: condition?.sql(placed(condition.value)),
    pair: pair === undefined ? undefined : placed(pair),
  };
  const text =
    updated === undefined ? byId(listing, parts) : byUpdate(listing, parts, updated.isCreatedRange);
  return tx.rows<Row>(statementFor(listing, text), values);
}

/** The filters as SQL, with the places of their values. */
type Parts = {
  readonly equal: readonly (readonly [column: string, condition: string])[];
  readonly extra: string | undefined;
  /** The place of the pair. */
  readonly pair: string | undefined;
};

/** A page without a beginning begins with the first id of its noun: resources of all nouns share the pairs. */
const PAIR_RANGE = "resource_id < $2 and resource_id >= greatest($3, left($2, strpos($2, '_')))";

function statementFor(listing: Listing, text: string): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  // PostgreSQL cuts names at 63 bytes, and a cut name could mean two statements.
  const name = `${listing.name}_list_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
  const statement = sql(name, text);
  statements.set(text, statement);
  return statement;
}

const conditionsOf = (...conditions: readonly (string | undefined)[]) =>
  conditions
    .filter((one) => one !== undefined)
    .map((one) => ` and ${one}`)
    .join("");

const NEWEST_FIRST = "order by id desc";

/**
 * A filter other than the status names few rows, so its own index leads: with old statistics the planner would rather walk
 * all rows of a status (`offset 0` keeps it from that).
 */
function byId({ columns, table, always }: Listing, { equal, extra, pair }: Parts): string {
  if (pair !== undefined)
    return `select ${columns} from ${rowsWithPair({ table, pair, range: PAIR_RANGE })}
     where true${conditionsOf(always, ...equal.map(([, one]) => one), extra)} order by pair.resource_id desc limit $4`;
  const { leading, others } = leadingOf(equal);
  const walk = (...conditions: readonly (string | undefined)[]) =>
    `${table} where merchant_id = $1 and id < $2 and id >= $3${conditionsOf(...conditions)} ${NEWEST_FIRST}`;
  return leading === undefined || others.length === 0
    ? `select ${columns} from ${walk(always, ...equal.map(([, one]) => one), extra)} limit $4`
    : `select ${columns} from (select * from ${walk(leading, always)} offset 0) as ${table}
     where true${conditionsOf(...others, extra)} ${NEWEST_FIRST} limit $4`;
}

/** The filter whose index leads: any but the status, which many rows share. */
function leadingOf(equal: Parts["equal"]): {
  readonly leading: string | undefined;
  readonly others: readonly string[];
} {
  const leading = equal.find(([column]) => column !== "status");
  const others = equal.filter((one) => one !== leading).map(([, condition]) => condition);
  return { leading: leading?.[1], others };
}

/** Joined to a text an id is no longer what the primary key sorts, so the planner does not sort all ids of the range. */
const CREATED = "id || '' < $2 and id || '' >= $3";
const SINCE = "updated_at >= $5::timestamptz";
const BEFORE = "(updated_at, id) < ($6::timestamptz, $7)";
const LATEST_FIRST = "order by updated_at desc, id desc limit";

/**
 * By the time of the last change. Without a filter, or by status, that is a walk along the index of changes, one for each
 * status. Its rows before the range are cut off after the limit, and the planner does not learn the limit: so it expects
 * many rows, of which it needs a few, and walks whatever the statistics say. Any other filter names few rows: those are looked up by it (`offset 0` keeps the planner from anything else),
 * and sorted.
 */
function byUpdate(
  { columns, table, always, statuses }: Listing,
  { equal, extra, pair }: Parts,
  isCreatedRange: boolean,
): string {
  const ranges = `${CREATED} and ${SINCE} and ${BEFORE}`;
  if (pair !== undefined) {
    const filter = conditionsOf(always, ...equal.map(([, one]) => one), extra);
    return `select ${columns} from ${rowsWithPair({ table, pair, range: PAIR_RANGE })}
     where ${ranges}${filter} ${LATEST_FIRST} $4`;
  }
  const { leading, others } = leadingOf(equal);
  if (leading !== undefined) {
    return `select ${columns} from (
       select * from ${table} where merchant_id = $1 and ${leading}${conditionsOf(always)} offset 0) as ${table}
     where ${ranges}${conditionsOf(...others, extra)} ${LATEST_FIRST} $4`;
  }
  // Few rows of a long range may have been created in another one: then the walk has to end with the range.
  const created = isCreatedRange ? [CREATED, SINCE] : [];
  const walk = (status: string | undefined) =>
    `(select * from ${table} where merchant_id = $1 and ${BEFORE}${conditionsOf(status, always, extra, ...created)}
       ${LATEST_FIRST} (select $4::int)) as ${table}`;
  const rows =
    equal.length > 0 || statuses === undefined
      ? walk(equal[0]?.[1])
      : `unnest(array[${statuses.map((one) => `'${one}'`).join()}]) as every (one)
     cross join lateral ${walk("status = every.one")}`;
  // The created range has its parameters in every statement, used or not.
  const unused = isCreatedRange ? "" : " and $2::text is not null and $3::text is not null";
  return `select ${columns} from ${rows} where ${SINCE}${unused} ${LATEST_FIRST} $4`;
}
