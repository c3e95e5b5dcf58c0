import type { TimeZone } from "../../../kernel/country.ts";
import type { Id, IdNoun } from "../../../kernel/ids.ts";
import type { CalendarDay, Instant } from "../../../kernel/time.ts";
import { type Parameter, type Statement, sql, type Tx } from "../../../platform/db/database.ts";
import { rowsWithPair } from "../../../platform/db/metadata-pairs.ts";
import { ROWS_LOOKED_AT, ROWS_SHOWN, type Walk } from "./walk.ts";

type Filter = {
  /** With `?` for the value. */
  readonly sql: string;
  /** An index has it; otherwise the rows that the walk passes are searched. */
  readonly indexed: boolean;
  /** One letter, for the name of the statement. */
  readonly short: string;
  /** The value is a pair of metadata, whose own index leads the walk. */
  readonly isPair?: true;
};

/** The filter of every list that has metadata. */
export const METADATA: Filter = { sql: "", indexed: true, short: "m", isPair: true };

export type Row = { readonly id: string; readonly createdAt: Instant };
/** Of a list that can be exported. */
export type ChangingRow = Row & { readonly updatedAt: Instant };

/** A table of a merchant's records, and what its list can be filtered by. */
export type Listing<Shown extends Row> = {
  readonly name: string;
  readonly noun: IdNoun;
  readonly table: string;
  readonly columns: string;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Never set: it carries the type of the rows. */
  readonly row?: Shown;
};

export function equal(column: string, short: string, indexed: boolean): Filter {
  return { sql: `${column} = ?`, indexed, short };
}

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

/** As `PAIR_RANGE` of the API's lists: the first id of the noun is the lowest. */
const PAIR_RANGE = "resource_id < $3 and resource_id >= greatest($2, left($3, strpos($3, '_')))";

const statements = new Map<string, Statement>();

/** Each set of filters is a statement with a plan of its own. */
function statement(name: string, text: () => string): Statement {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = sql(name, text());
  statements.set(name, made);
  return made;
}

type Walking = { readonly walk: Walk; readonly filters: Readonly<Record<string, Parameter>> };

/** The filters as SQL: those that an index has, and those that the passed rows are searched for. */
function conditionsOf(merchantId: Id<"merchant">, listing: Listing<Row>, { walk, filters }: Walking) {
  const names = Object.keys(filters).sort();
  const parameters = [merchantId, walk.low, walk.high, ...names.map((name) => filters[name] ?? null)];
  const place = (name: string) => `$${names.indexOf(name) + 4}`;
  const pair = names.find((name) => listing.filters[name]?.isPair);
  const of = (isIndexed: boolean) =>
    names
      .filter((name) => name !== pair && listing.filters[name]?.indexed === isIndexed)
      .map((name) => (listing.filters[name]?.sql ?? "true").replace("?", place(name)));
  const source =
    pair === undefined
      ? `${listing.table} where merchant_id = $1 and id >= $2 and id < $3`
      : `${rowsWithPair({ table: listing.table, pair: place(pair), range: PAIR_RANGE })} where true`;
  const along = pair === undefined ? "id" : "pair.resource_id";
  return { names, parameters, source, along, indexed: of(true), loose: of(false) };
}

const EXPORTED_AT_ONCE = 1_000;

/** All rows that fit, newest first, in portions. Each statement passes a bounded number of rows, fitting or not. */
export async function* walkAll<Shown extends Row>(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Shown>,
  { walk, filters }: Walking,
): AsyncGenerator<readonly Shown[]> {
  for (let high = walk.high; ; ) {
    const step = { walk: { ...walk, high }, filters };
    const { names, parameters, source, along, indexed, loose } = conditionsOf(merchantId, listing, step);
    const name = `dashboard_${listing.name}_all_${names.map((one) => listing.filters[one]?.short).join("")}`;
    const read = statement(
      name,
      () => `select ${listing.columns}, (${["true", ...loose].join(" and ")}) as fits from (
        select ${listing.table}.* from ${source} ${indexed.map((one) => `and ${one}`).join(" ")}
        order by ${along} desc limit ${EXPORTED_AT_ONCE}) as passed
        order by id desc`,
    );
    const rows = await tx.rows<Shown & { readonly fits: boolean | null }>(read, parameters);
    yield rows.filter(({ fits }) => fits === true);
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORTED_AT_ONCE) return;
    high = last.id;
  }
}

/**
 * Rows of one merchant, in the order of the walk. Indexed filters bound the walk; the others are applied to the rows that it
 * passes, at most `ROWS_LOOKED_AT` of them.
 */
export async function walkRows<Shown extends Row>(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Shown>,
  { walk, filters }: Walking,
): Promise<{ readonly rows: readonly Shown[]; readonly cutAt: string | undefined }> {
  const { names, parameters, source, along, indexed, loose } = conditionsOf(merchantId, listing, {
    walk,
    filters,
  });
  const order = walk.backwards ? "asc" : "desc";
  const inner = `from ${source} ${indexed.map((one) => `and ${one}`).join(" ")}
    order by ${along} ${order} limit ${ROWS_LOOKED_AT}`;
  const name = `dashboard_${listing.name}_${order}_${names.map((one) => listing.filters[one]?.short).join("")}`;
  const filter = loose.length === 0 ? "" : `where ${loose.join(" and ")}`;
  const find = statement(
    name,
    () =>
      `select ${listing.columns} from (select ${listing.table}.*, ${along} as place ${inner}) as passed ${filter}
       order by place ${order} limit ${ROWS_SHOWN + 1}`,
  );
  const rows = await tx.rows<Shown>(find, parameters);
  if (filter === "" || rows.length > ROWS_SHOWN) return { rows, cutAt: undefined };
  const cut = statement(`${name}_cut`, () => {
    const used = names
      .filter((one) => listing.filters[one]?.indexed === false)
      .map((one) => `$${names.indexOf(one) + 4}`);
    // A parameter that a statement does not use has no type, so each is named once more.
    const unused = used.map((one) => `and ${one}::text is not null`).join(" ");
    return `select id from (select id, ${along} as place ${inner}) as passed where true ${unused}
      order by place ${order} offset ${ROWS_LOOKED_AT - 1} limit 1`;
  });
  const [last] = await tx.rows<{ id: string }>(cut, parameters);
  return { rows, cutAt: last?.id };
}
