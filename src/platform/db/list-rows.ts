import { createHash } from "node:crypto";
import { type Parameter, type Statement, sql, type Tx } from "./database.ts";
import { hasPair, rowsWithPair } from "./metadata-pairs.ts";

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
    equal: given.map(([column, value]) => ({ column, place: placed(value) })),
    extra: condition?.sql(placed(condition.value)),
    pair: pair === undefined ? undefined : placed(pair),
  };
  const lead = await leadOf(tx, listing, merchantId, { page, filters: Object.fromEntries(given), pair });
  const text =
    updated === undefined
      ? byId(listing, parts, lead)
      : byUpdate(listing, parts, lead, updated.isCreatedRange);
  return tx.rows<Row>(statementFor(listing, text), values);
}

/** The filters as SQL, with the places of their values. */
type Parts = {
  readonly equal: readonly { readonly column: string; readonly place: string }[];
  readonly extra: string | undefined;
  /** The place of the pair. */
  readonly pair: string | undefined;
};

/** The filter whose index leads to the rows. */
type Lead = { readonly pair: true } | { readonly column: string; readonly isCommon?: true };

/**
 * How many rows a filter has is counted up to here. The first filter below the first number leads, then below the second;
 * more rows are not read for one page.
 */
const FEW = [200, 20_000];

/**
 * The first filter that few rows have: the pair, a column, then the status. A filter that is alone leads to the newest
 * rows at once, and nothing is counted. Where many rows have each of them, the first leads to a page by id, and none to a
 * page by change.
 */
async function leadOf(
  tx: Tx,
  listing: Listing,
  merchantId: string,
  { page, filters = {}, pair }: Selection,
): Promise<Lead | undefined> {
  const isByUpdate = page.updated !== undefined;
  const columns = Object.keys(filters).filter((column) => IS_COLUMN.test(column) && column !== "status");
  const leads: readonly Lead[] = [
    ...(pair === undefined ? [] : [{ pair: true } as const]),
    ...columns.map((column) => ({ column })),
    ...(filters["status"] === undefined || isByUpdate ? [] : [{ column: "status" }]),
  ];
  if (leads.length < 2 && !isByUpdate) return leads[0];
  for (const few of FEW) {
    for (const lead of leads) {
      const [entries, ...values] =
        "pair" in lead ? [PAIRS, pair, page.before] : [entriesOf(listing, lead.column), filters[lead.column]];
      const count = `select count(*) as rows from (${entries} limit (select ${few + 1})) as entry`;
      const [counted] = await tx.rows<{ rows: number }>(statementFor(listing, count), [
        merchantId,
        ...values.map((value) => value ?? null),
      ]);
      if ((counted?.rows ?? 0) <= few) return lead;
    }
  }
  const [first] = leads;
  if (isByUpdate || first === undefined) return undefined;
  return "pair" in first ? first : { ...first, isCommon: true };
}

/** Other filters are expressions, which no index has. */
const IS_COLUMN = /^\w+$/;

/** Written as a range, which only the index (merchant, column, id) has in this order. */
const entriesOf = ({ table, always }: Listing, column: string) =>
  `select from ${table} where merchant_id = $1 and ${column} >= $2 and ${column} <= $2${conditionsOf(always)}
     order by ${column}, id`;

/** Of all nouns' pairs those whose ids begin as the page's do. */
const PAIRS = `select from metadata_pairs where merchant_id = $1 and digest = sha256(convert_to($2, 'UTF8'))
  and resource_id < $3 and resource_id >= left($3, strpos($3, '_')) order by resource_id`;

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
 * `offset 0` keeps the planner on the index of a filter that few rows have: with old statistics it would rather walk all
 * rows of a status. Where many rows have every filter, a walk along any index finds some of them soon.
 */
function byId({ columns, table, always }: Listing, parts: Parts, lead: Lead | undefined): string {
  if (lead !== undefined && "pair" in lead)
    return `select ${columns} from ${rowsWithPair({ table, pair: parts.pair ?? "", range: PAIR_RANGE })}
     where true${conditionsOf(always, ...othersOf(table, parts, lead, isEqual))} order by pair.resource_id desc limit $4`;
  const walk = (...conditions: readonly (string | undefined)[]) =>
    `${table} where merchant_id = $1 and id < $2 and id >= $3${conditionsOf(...conditions)} ${NEWEST_FIRST}`;
  const leading = leadingOf(parts, lead);
  const isAlone = parts.pair === undefined && parts.equal.length < 2;
  return leading === undefined || lead?.isCommon || isAlone
    ? `select ${columns} from ${walk(leading, always, ...othersOf(table, parts, lead, isEqualInWalk))} limit $4`
    : `select ${columns} from (select * from ${walk(leading, always)} offset 0) as ${table}
     where true${conditionsOf(...othersOf(table, parts, lead, isEqual))} ${NEWEST_FIRST} limit $4`;
}

type Equation = (one: Parts["equal"][number]) => string;
const isEqual: Equation = ({ column, place }) => `${column} = ${place}`;
/** No index has the column in this form, so the planner keeps to the walk. */
const isEqualInWalk: Equation = (one) =>
  one.column === "status" ? isEqual(one) : `${one.column} || '' = ${one.place}`;

function leadingOf({ equal }: Parts, lead: Lead | undefined): string | undefined {
  const leading = equal.find(
    ({ column }) => lead !== undefined && "column" in lead && lead.column === column,
  );
  return leading && isEqual(leading);
}

/** What the rows of the lead have to fit. */
function othersOf(
  table: string,
  { equal, extra, pair }: Parts,
  lead: Lead | undefined,
  equation: Equation,
): readonly string[] {
  const isPairLeading = lead !== undefined && "pair" in lead;
  const columns = equal.filter(({ column }) => lead === undefined || isPairLeading || lead.column !== column);
  return [
    ...columns.map(equation),
    ...(extra === undefined ? [] : [extra]),
    ...(pair === undefined || isPairLeading ? [] : [hasPair(`${table}.id`, pair)]),
  ];
}

/** Joined to a text an id is no longer what the primary key sorts, so the planner does not sort all ids of the range. */
const CREATED = "id || '' < $2 and id || '' >= $3";
const SINCE = "updated_at >= $5::timestamptz";
const BEFORE = "(updated_at, id) < ($6::timestamptz, $7)";
const LATEST_FIRST = "order by updated_at desc, id desc limit";

/**
 * By the time of the last change. A filter that few rows have leads to them (`offset 0` keeps the planner from anything
 * else), and they are sorted. Otherwise it is a walk along the index of changes, one for each status. Without a filter
 * its rows before the range are cut off after the limit, and the planner does not learn the limit: so it expects many
 * rows, of which it needs a few, and walks whatever the statistics say.
 */
function byUpdate(
  { columns, table, always, statuses }: Listing,
  parts: Parts,
  lead: Lead | undefined,
  isCreatedRange: boolean,
): string {
  const ranges = `${CREATED} and ${SINCE} and ${BEFORE}`;
  if (lead !== undefined) {
    const others = conditionsOf(...othersOf(table, parts, lead, isEqual));
    const rows =
      "pair" in lead
        ? rowsWithPair({ table, pair: parts.pair ?? "", range: PAIR_RANGE })
        : `(select * from ${table} where merchant_id = $1 and ${leadingOf(parts, lead)} offset 0) as ${table}`;
    return `select ${columns} from ${rows} where ${ranges}${conditionsOf(always)}${others} ${LATEST_FIRST} $4`;
  }
  const hasStatus = parts.equal.some(({ column }) => column === "status");
  const fits = othersOf(table, parts, undefined, isEqualInWalk);
  // Few rows of a long range may fit: then the walk has to end with the range.
  const isSearched = isCreatedRange || parts.pair !== undefined || parts.equal.length > (hasStatus ? 1 : 0);
  const within = isSearched ? [CREATED, SINCE] : [];
  const walk = (status: string | undefined) =>
    `(select * from ${table} where merchant_id = $1 and ${BEFORE}${conditionsOf(status, always, ...fits, ...within)}
       ${LATEST_FIRST} (select $4::int)) as ${table}`;
  const rows =
    hasStatus || statuses === undefined
      ? walk(undefined)
      : `unnest(array[${statuses.map((one) => `'${one}'`).join()}]) as every (one)
     cross join lateral ${walk("status = every.one")}`;
  // The created range has its parameters in every statement, used or not.
  const unused = isSearched ? "" : " and $2::text is not null and $3::text is not null";
  return `select ${columns} from ${rows} where ${SINCE}${unused} ${LATEST_FIRST} $4`;
}
