import type { Id } from "../../../kernel/ids.ts";
import type { CalendarDay, Instant, TimeZone } from "../../../kernel/time.ts";
import { type Parameter, type Statement, sql, type Tx } from "../../../platform/db/database.ts";
import type { Listing, Row } from "./listing.ts";
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

const statements = new Map<string, Statement>();

/** Each set of filters is a statement of its own, with a plan of its own. */
function statement(name: string, text: () => string): Statement {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = sql(name, text());
  statements.set(name, made);
  return made;
}

/**
 * Rows of one merchant, in the order of the walk. What an index knows bounds the walk itself; what none knows is looked
 * for among the rows that the walk passes, and it passes no more than so many.
 */
export async function walkRows(
  tx: Tx,
  listing: Listing,
  merchantId: Id<"merchant">,
  walk: Walk,
  asked: Readonly<Record<string, Parameter>>,
): Promise<{ readonly rows: readonly Row[]; readonly cutAt: string | undefined }> {
  const names = Object.keys(asked).sort();
  const parameters = [merchantId, walk.low, walk.high, ...names.map((name) => asked[name] ?? null)];
  const condition = (name: string) =>
    (listing.filters[name]?.sql ?? "true").replace("?", `$${names.indexOf(name) + 4}`);
  const [indexed, loose] = [true, false].map((kind) =>
    names.filter((name) => listing.filters[name]?.indexed === kind).map(condition),
  );
  const order = walk.backwards ? "asc" : "desc";
  const inner = `from ${listing.table} where merchant_id = $1 and id >= $2 and id < $3
    ${(indexed ?? []).map((one) => `and ${one}`).join(" ")} order by id ${order} limit ${ROWS_LOOKED_AT}`;
  const name = `dashboard_${listing.name}_${order}_${names.map((one) => listing.filters[one]?.short).join("")}`;
  const filter = (loose ?? []).length === 0 ? "" : `where ${(loose ?? []).join(" and ")}`;
  const find = statement(
    name,
    () =>
      `select ${listing.columns} from (select * ${inner}) as passed ${filter} order by id ${order} limit ${ROWS_SHOWN + 1}`,
  );
  const rows = await tx.rows<Row>(find, parameters);
  if (filter === "" || rows.length > ROWS_SHOWN) return { rows, cutAt: undefined };
  const cut = statement(`${name}_cut`, () => {
    const used = names
      .filter((one) => listing.filters[one]?.indexed === false)
      .map((one) => `$${names.indexOf(one) + 4}`);
    // A parameter that a statement does not use has no type, so each is named once more.
    const unused = used.map((one) => `and ${one}::text is not null`).join(" ");
    return `select id from (select id ${inner}) as passed where true ${unused} order by id ${order} offset ${ROWS_LOOKED_AT - 1} limit 1`;
  });
  const [last] = await tx.rows<{ id: string }>(cut, parameters);
  return { rows, cutAt: last?.id };
}
