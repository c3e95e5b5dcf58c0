import { type Merchant, zoneOf } from "../../../features/merchants/index.ts";
import { type CalendarDay, parseDate } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import { LISTINGS, type ListName, type RowOf } from "./listing.ts";
import { dayBounds, walkRows } from "./queries.ts";
import { cutWalk, type Walked, walkOf } from "./walk.ts";

export type ListInput = {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Days in the merchant's zone, both included. What is no day is no limit. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly filters: Readonly<Record<string, Parameter | undefined>>;
};

/** Nothing is as old as this, and ids know no moment before 1970. */
const LONG_AGO = "1971-01-01" as CalendarDay;

/** A page of a list of the merchant's own. */
export async function readList<Name extends ListName>(
  ctx: Pick<Context, "db">,
  merchant: Merchant,
  name: Name,
  input: ListInput,
): Promise<Walked<RowOf[Name]>> {
  const listing = LISTINGS[name];
  const bounds = async (text: string | undefined) => {
    const day = text === undefined ? undefined : parseDate(text);
    if (day === undefined) return undefined;
    return dayBounds(ctx.db, day < LONG_AGO ? LONG_AGO : day, zoneOf(merchant));
  };
  const [first, last] = await Promise.all([bounds(input.from), bounds(input.to)]);
  const where = { before: input.before, after: input.after, from: first?.from, to: last?.to };
  const walk = walkOf(listing.noun, where);
  const given = Object.entries(input.filters).filter(
    (one): one is [string, Parameter] => one[1] !== undefined,
  );
  const { rows, cutAt } = await walkRows(ctx.db, listing, merchant.id, walk, Object.fromEntries(given));
  return cutWalk(walk, where, rows as readonly RowOf[Name][], cutAt);
}
