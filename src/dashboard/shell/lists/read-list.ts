import { type Merchant, zoneOf } from "../../../features/merchants/index.ts";
import { type CalendarDay, parseDate } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import { dayBounds, type Listing, type Row, walkAll, walkRows } from "./queries.ts";
import { cutWalk, type Walked, type WalkInput, walkOf } from "./walk.ts";

export type ListInput = {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Days in the merchant's zone, both included. A text that is no day sets no limit. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly filters: Readonly<Record<string, Parameter | undefined>>;
};

/** Older than any record; ids know no moment before 1970. */
const LONG_AGO = "1971-01-01" as CalendarDay;

/** Reads one page of a merchant's list. */
export async function readList<Shown extends Row>(
  ctx: Pick<Context, "db">,
  merchant: Merchant,
  listing: Listing<Shown>,
  input: ListInput,
): Promise<Walked<Shown>> {
  const where = await rangeOf(ctx, merchant, input);
  const walk = walkOf(listing.noun, where);
  const filters = givenOf(input.filters);
  const { rows, cutAt } = await walkRows(ctx.db, merchant.id, listing, { walk, filters });
  return cutWalk(walk, where, rows, cutAt);
}

/** All rows of a merchant's list, in portions. */
export async function* readWholeList<Shown extends Row>(
  ctx: Pick<Context, "db">,
  merchant: Merchant,
  listing: Listing<Shown>,
  input: Omit<ListInput, "before" | "after">,
): AsyncGenerator<readonly Shown[]> {
  const walk = walkOf(listing.noun, await rangeOf(ctx, merchant, input));
  yield* walkAll(ctx.db, merchant.id, listing, { walk, filters: givenOf(input.filters) });
}

async function rangeOf(
  { db }: Pick<Context, "db">,
  merchant: Merchant,
  input: ListInput,
): Promise<WalkInput> {
  const bounds = async (text: string | undefined) => {
    const day = text === undefined ? undefined : parseDate(text);
    if (day === undefined) return undefined;
    return dayBounds(db, day < LONG_AGO ? LONG_AGO : day, zoneOf(merchant));
  };
  const [first, last] = await Promise.all([bounds(input.from), bounds(input.to)]);
  return { before: input.before, after: input.after, from: first?.from, to: last?.to };
}

function givenOf(filters: ListInput["filters"]): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(
    Object.entries(filters).filter((one): one is [string, Parameter] => one[1] !== undefined),
  );
}
