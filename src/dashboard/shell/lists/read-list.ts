import { type Merchant, zoneOf } from "../../../features/merchants/index.ts";
import { parseId } from "../../../kernel/ids.ts";
import { type CalendarDay, type Instant, parseDate } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import type { Listing, Row } from "./listing.ts";
import { dayBounds, type Reading, sortRows, type Total, totalRows, walkAll, walkRows } from "./queries.ts";
import type { Searched } from "./search.ts";
import { cutWalk, type Walked, type WalkInput, walkOf } from "./walk.ts";

export type ListInput = {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Days in the merchant's zone, both included. A text that is no day sets no limit. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly filters: Readonly<Record<string, Parameter | undefined>>;
  readonly search?: readonly Searched[] | undefined;
  /** The merchant's time. */
  readonly now?: Instant | undefined;
  /** A name of the listing's sorts or `created`; with a minus sign the largest come first. Default `-created`. */
  readonly sort?: string | undefined;
};

type ReadContext = Pick<Context, "reads">;

/** Older than any record; ids know no moment before 1970. */
const LONG_AGO = "1971-01-01" as CalendarDay;

/** A page of a list; `sortedTo` is the id of the oldest row that was sorted, where there are more. */
export type ReadPage<Shown> = Walked<Shown> & { readonly sortedTo: string | undefined };

/** Reads one page of a merchant's list. */
export async function readList<Shown extends Row>(
  ctx: ReadContext,
  merchant: Merchant,
  listing: Listing<Shown>,
  input: ListInput,
): Promise<ReadPage<Shown>> {
  const column = input.sort?.replace(/^-/, "") ?? "created";
  const where = await rangeOf(ctx, merchant, input);
  // The name is from the URL: it may be one that every object has.
  if (Object.hasOwn(listing.sorts ?? {}, column))
    return readSorted(ctx, merchant, listing, { input, where, column });
  const walk = walkOf(listing.noun, where, input.sort === "created");
  const { rows, cutAt } = await walkRows(ctx.reads, merchant.id, listing, readingOf(walk, input));
  return { ...cutWalk(walk, where, rows, cutAt), sortedTo: undefined };
}

async function readSorted<Shown extends Row>(
  { reads }: ReadContext,
  merchant: Merchant,
  listing: Listing<Shown>,
  { input, where, column }: { readonly input: ListInput; readonly where: WalkInput; readonly column: string },
): Promise<ReadPage<Shown>> {
  const after = input.after === undefined ? undefined : parseId(listing.noun, input.after);
  const before = input.before === undefined ? undefined : parseId(listing.noun, input.before);
  const isBackwards = after !== undefined;
  const descending = input.sort?.startsWith("-") === true;
  const walk = walkOf(listing.noun, { from: where.from, to: where.to });
  const reading = isFiltered(input) ? readingOf(walk, input) : undefined;
  const { rows, cutAt } = await sortRows(reads, merchant.id, listing, {
    reading,
    sorting: { name: column, order: descending === isBackwards ? "asc" : "desc", cursor: after ?? before },
  });
  return { ...cutWalk({ isBackwards }, { after, before }, rows, undefined), sortedTo: cutAt };
}

/** The totals of all rows that fit, on whatever page they are. */
export async function readTotals<Shown extends Row>(
  ctx: ReadContext,
  merchant: Merchant,
  listing: Listing<Shown>,
  input: ListInput,
): Promise<readonly Total[]> {
  const { from, to } = await rangeOf(ctx, merchant, input);
  return totalRows(ctx.reads, merchant.id, listing, readingOf(walkOf(listing.noun, { from, to }), input));
}

/** All rows of a merchant's list, in portions. */
export async function* readWholeList<Shown extends Row>(
  ctx: ReadContext,
  merchant: Merchant,
  listing: Listing<Shown>,
  input: Omit<ListInput, "before" | "after">,
): AsyncGenerator<readonly Shown[]> {
  const walk = walkOf(listing.noun, await rangeOf(ctx, merchant, input));
  yield* walkAll(ctx.reads, merchant.id, listing, readingOf(walk, input));
}

function readingOf(walk: Reading["walk"], { filters, search, now }: ListInput): Reading {
  return { walk, filters: givenOf(filters), search, now };
}

function isFiltered({ filters, search, from, to }: ListInput): boolean {
  const isDay = (text: string | undefined) => text !== undefined && parseDate(text) !== undefined;
  return Object.keys(givenOf(filters)).length > 0 || search !== undefined || isDay(from) || isDay(to);
}

/** The days as moments in the merchant's zone. */
export async function rangeOf(
  { reads }: ReadContext,
  merchant: Merchant,
  input: Pick<ListInput, "before" | "after" | "from" | "to">,
): Promise<WalkInput> {
  const bounds = async (text: string | undefined) => {
    const day = text === undefined ? undefined : parseDate(text);
    if (day === undefined) return undefined;
    return dayBounds(reads, day < LONG_AGO ? LONG_AGO : day, zoneOf(merchant));
  };
  const [first, last] = await Promise.all([bounds(input.from), bounds(input.to)]);
  return { before: input.before, after: input.after, from: first?.from, to: last?.to };
}

function givenOf(filters: ListInput["filters"]): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(
    Object.entries(filters).filter((one): one is [string, Parameter] => one[1] !== undefined),
  );
}
