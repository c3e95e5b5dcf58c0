import type { TimeZone } from "../../../kernel/country.ts";
import type { Id } from "../../../kernel/ids.ts";
import type { CalendarDay, Instant } from "../../../kernel/time.ts";
import { at, type Parameter, sql, type Tx } from "../../../platform/db/database.ts";
import { hasPair, rowsWithPair } from "../../../platform/db/metadata-pairs.ts";
import {
  alongIndex,
  atMost,
  isCommon,
  searchCondition,
  searchRows,
  statement,
} from "./index-walks/queries.ts";
import type { Listing, Row } from "./listing.ts";
import type { Searched } from "./search.ts";
import { ROWS_LOOKED_AT, ROWS_SHOWN, type Walk } from "./walk.ts";

const START_OF_DAY = sql(
  "dashboard_start_of_day",
  `select $1::date::timestamp at time zone $2 as "from", ($1::date + 1)::timestamp at time zone $2 as "to"`,
);

/** When a day begins and ends in that zone. */
export async function dayBounds(
  tx: Tx,
  day: CalendarDay,
  zone: TimeZone,
): Promise<{ readonly from: Instant; readonly to: Instant } | undefined> {
  const [bounds] = await tx.rows<{ from: Instant; to: Instant }>(START_OF_DAY, [day, zone]);
  return bounds;
}

/** The rows that are meant, in the order of the walk. */
export type Reading = {
  readonly walk: Walk;
  readonly filters: Readonly<Record<string, Parameter>>;
  /** What the searched text can mean; a row that fits one of them fits. */
  readonly search?: readonly Searched[] | undefined;
  /** The merchant's time, for words that depend on it. */
  readonly now?: Instant | undefined;
};

/** A reading whose walk is chosen. */
type Led = Reading & {
  /** So many rows fit the search that all are walked and searched for it. */
  readonly isCommon: boolean;
};

async function led(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Row>,
  reading: Reading,
): Promise<Led> {
  const { search } = reading;
  return {
    ...reading,
    isCommon: search !== undefined && (await isCommon(tx, merchantId, listing, search)),
  };
}

type Parts = {
  /** Distinguishes the statement from those of other filters. */
  readonly code: string;
  readonly parameters: Parameter[];
  readonly put: (value: Parameter) => string;
  /** The rows that the walk passes, at most that many. */
  readonly passed: (limit: number) => string;
  /** The order of those rows, with which they are read no further than needed. */
  readonly ordered: string;
  /** What the passed rows are searched for; SQL of a boolean. */
  readonly fits: string | undefined;
};

/** Without `loose`, for statements that ask only how far the walk goes. */
function partsOf(merchantId: Id<"merchant">, listing: Listing<Row>, reading: Led, loose = true): Parts {
  const { table } = listing;
  const { walk, filters } = reading;
  const search = reading.isCommon ? undefined : reading.search;
  const { order } = walk;
  const parameters: Parameter[] = [merchantId];
  const put = (value: Parameter) => `$${parameters.push(value)}`;
  const [low, high] = [put(walk.low), put(walk.high)];
  const pairRange = `resource_id < ${high} and resource_id >= greatest(${low}, left(${high}, strpos(${high}, '_')))`;
  const bound: Bound[] = [];
  const searched: string[] = [];
  let code = order === "asc" ? "a" : "d";
  let pair: string | undefined;
  for (const name of Object.keys(filters).sort()) {
    const filter = listing.filters[name];
    const value = filters[name] ?? null;
    if (filter === undefined) continue;
    if ("words" in filter) {
      const known = Object.keys(filter.words).indexOf(String(value));
      const word = Object.values(filter.words)[known] ?? { loose: "false" };
      code += `${filter.short}${known < 0 ? "x" : known}`;
      if (word.indexed !== undefined) bound.push({ sql: word.indexed, isShared: true });
      if (word.loose !== undefined && loose)
        searched.push(
          word.loose.includes("?") ? word.loose.replaceAll("?", put(timeOf(reading))) : word.loose,
        );
      continue;
    }
    code += filter.short;
    if (filter.isPair && search === undefined) pair = put(value);
    else if (filter.isPair && loose) searched.push(hasPair("passed.id", put(value)));
    else if (filter.isPair) continue;
    else if (filter.isIndexed) bound.push({ sql: filter.sql, value, isShared: filter.isShared ?? false });
    else if (loose) searched.push(filter.sql.replace("?", put(value)));
  }
  const conditionOf = ({ sql: text, value }: Bound) =>
    value === undefined ? text : text.replace("?", put(value));
  // One index leads. With a second condition in the walk a planner with old statistics could choose the other index, and no
  // limit would bound the rows that are passed.
  const leading =
    search === undefined && pair === undefined
      ? (bound.find(({ isShared }) => !isShared) ?? bound[0])
      : undefined;
  if (loose) searched.push(...bound.filter((one) => one !== leading).map(conditionOf));
  if (reading.search !== undefined && reading.isCommon) {
    if (loose) searched.push(searchCondition(listing, reading.search, put));
    code += `_c${lettersOf(reading.search)}`;
  }
  let rows = (_rowsOfEach: number) => `${table} where merchant_id = $1 and id >= ${low} and id < ${high}`;
  let along = "id";
  // What the rows of an index have in common, beside their ids.
  let lead: string | undefined;
  if (leading !== undefined) {
    const value = alongIndex(conditionOf(leading), { low, high, order });
    rows = () => `${table} where merchant_id = $1 and ${value.range}`;
    lead = value.expression;
  } else if (search !== undefined) {
    // Their own indexes lead, so the filters search what they find.
    const found = searchRows(listing, search, { put, low, high, order, pairRange });
    rows = (rowsOfEach) => `(${found(rowsOfEach)}) as ${table} where true`;
    code += `_${lettersOf(search)}`;
  } else if (pair !== undefined) {
    const found = `${rowsWithPair({ table, pair, range: pairRange })} where true`;
    rows = () => found;
    along = "pair.resource_id";
  }
  const columns = `${table}.*, ${along} as place${lead === undefined ? "" : `, ${lead} as lead`}`;
  const ordered = lead === undefined ? `place ${order}` : `lead ${order}, place ${order}`;
  return {
    code,
    parameters,
    put,
    passed: (limit) =>
      `(select ${columns} from ${rows(limit)} order by ${ordered} ${atMost(limit)}) as passed`,
    ordered,
    fits: searched.length === 0 ? undefined : searched.map((one) => `(${one})`).join(" and "),
  };
}

/** A condition that an index has. */
type Bound = { readonly sql: string; readonly value?: Parameter; readonly isShared: boolean };

function lettersOf(search: readonly Searched[]): string {
  return search.map(({ kind }) => kind.charAt(0)).join("");
}

function timeOf({ now }: Reading): string {
  if (now === undefined) throw new Error("a word of this list depends on the time");
  return at(now);
}

const EXPORTED_AT_ONCE = 1_000;

/** All rows that fit, in portions. Each statement passes a bounded number of rows, fitting or not. */
export async function* walkAll<Shown extends Row>(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Shown>,
  reading: Reading,
): AsyncGenerator<readonly Shown[]> {
  const chosen = await led(tx, merchantId, listing, reading);
  for (let high = reading.walk.high; ; ) {
    const step = { ...chosen, walk: { ...reading.walk, high, order: "desc" as const } };
    const { code, parameters, passed, fits = "true" } = partsOf(merchantId, listing, step);
    const read = statement(
      `dashboard_${listing.name}_all_${code}`,
      `select ${listing.columns}, fits from (select passed.*, (${fits}) as fits from ${passed(EXPORTED_AT_ONCE)}) as shown
       ${listing.beside ?? ""} order by shown.id desc`,
    );
    const rows = await tx.rows<Shown & { readonly fits: boolean | null }>(read, parameters);
    yield rows.filter((row) => row.fits === true);
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORTED_AT_ONCE) return;
    high = last.id;
  }
}

/** The id of the last row that a walk may pass, if there are that many. */
async function findCut(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Row>,
  reading: Led,
): Promise<string | undefined> {
  const { code, parameters, passed, ordered } = partsOf(merchantId, listing, reading, false);
  const cut = statement(
    `dashboard_${listing.name}_cut_${code}`,
    `select id from ${passed(ROWS_LOOKED_AT)} order by ${ordered} offset ${ROWS_LOOKED_AT - 1} limit 1`,
  );
  const [last] = await tx.rows<{ id: string }>(cut, parameters);
  return last?.id;
}

/**
 * Rows of one merchant, in the order of the walk. Indexed filters bound the walk; the others are applied to the rows that it
 * passes, at most `ROWS_LOOKED_AT` of them.
 */
export async function walkRows<Shown extends Row>(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Shown>,
  reading: Reading,
): Promise<{ readonly rows: readonly Shown[]; readonly cutAt: string | undefined }> {
  const chosen = await led(tx, merchantId, listing, reading);
  const { code, parameters, passed, ordered, fits } = partsOf(merchantId, listing, chosen);
  const { order } = reading.walk;
  const atOnce = fits === undefined ? ROWS_SHOWN + 1 : ROWS_LOOKED_AT;
  const filter = fits === undefined ? "" : `where ${fits}`;
  const find = statement(
    `dashboard_${listing.name}_${code}`,
    `select ${listing.columns} from (
       select * from ${passed(atOnce)} ${filter} order by ${ordered} limit ${ROWS_SHOWN + 1}) as shown
     ${listing.beside ?? ""} order by shown.place ${order}`,
  );
  const rows = await tx.rows<Shown>(find, parameters);
  if (fits === undefined || rows.length > ROWS_SHOWN) return { rows, cutAt: undefined };
  return { rows, cutAt: await findCut(tx, merchantId, listing, chosen) };
}

export type Sorting = {
  /** A name of the listing's sorts. */
  readonly name: string;
  readonly order: "asc" | "desc";
  /** The id of the row next to the page, in the direction of reading. */
  readonly cursor: string | undefined;
};

/**
 * Rows in the order of a column. All rows of the merchant are walked along the column's index; rows that a filter chose are
 * sorted, the newest `ROWS_LOOKED_AT` of them at most.
 */
export async function sortRows<Shown extends Row>(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Shown>,
  { reading, sorting }: { readonly reading: Reading | undefined; readonly sorting: Sorting },
): Promise<{ readonly rows: readonly Shown[]; readonly cutAt: string | undefined }> {
  const { name, order, cursor } = sorting;
  const { table, sorts = {} } = listing;
  const by = (Object.hasOwn(sorts, name) ? sorts[name] : undefined) ?? "id";
  const chosen = reading === undefined ? undefined : await led(tx, merchantId, listing, reading);
  const parts = chosen === undefined ? undefined : partsOf(merchantId, listing, chosen);
  const parameters: Parameter[] = parts?.parameters ?? [merchantId];
  const place = cursor === undefined ? undefined : `$${parameters.push(cursor)}`;
  const beyond =
    place === undefined
      ? ""
      : ` and (${by}, id) ${order === "asc" ? ">" : "<"} ((select ${by} from ${table} where merchant_id = $1 and id = ${place}), ${place})`;
  const from =
    parts === undefined
      ? `${table} where merchant_id = $1`
      : `${parts.passed(ROWS_LOOKED_AT)} where ${parts.fits ?? "true"}`;
  const code = `${order}_${cursor === undefined ? "" : "on"}${parts === undefined ? "" : `_${parts.code}`}`;
  const find = statement(
    `dashboard_${listing.name}_by_${name}_${code}`,
    `select ${listing.columns} from (
       select *, ${by} as sorted from ${from}${beyond} order by ${by} ${order}, id ${order} ${atMost(ROWS_SHOWN + 1)}) as shown
     ${listing.beside ?? ""} order by shown.sorted ${order}, shown.id ${order}`,
  );
  const rows = await tx.rows<Shown>(find, parameters);
  const cutAt = chosen === undefined ? undefined : await findCut(tx, merchantId, listing, chosen);
  return { rows, cutAt };
}

/** Rows are added up to this number. */
export const TOTALLED_AT_MOST = 10_000;

/** Of one currency; where the rows have none, of all. */
export type Total = {
  readonly currency: string;
  readonly looked: number;
  readonly count: number;
  readonly sums: readonly number[];
};

/** Adds up the rows that fit, passing a bounded number of rows. */
export async function totalRows(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Row>,
  reading: Reading,
): Promise<readonly Total[]> {
  const chosen = await led(tx, merchantId, listing, reading);
  const { code, parameters, passed, fits = "true" } = partsOf(merchantId, listing, chosen);
  const sums = Object.values(listing.sums ?? {});
  const columns = sums.map((one) => `coalesce(sum(${one}) filter (where ${fits}), 0)::bigint`);
  const total = statement(
    `dashboard_${listing.name}_total_${code}`,
    `select ${sums.length === 0 ? "''" : "currency"} as currency, count(*) as looked, count(*) filter (where ${fits}) as count,
       array[${columns.join(", ")}]::bigint[] as sums
     from ${passed(TOTALLED_AT_MOST + 1)} group by 1 order by 1`,
  );
  const rows = await tx.rows<Omit<Total, "sums"> & { readonly sums: readonly (number | string)[] }>(
    total,
    parameters,
  );
  return rows.map((row) => ({ ...row, sums: row.sums.map(Number) }));
}
