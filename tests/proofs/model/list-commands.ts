import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { readPages } from "../../support/pages.ts";
import { at, type Command, command } from "./command.ts";
import { LISTS, type List, type Row } from "./lists.ts";
import { count, type Model } from "./model.ts";
import type { Real } from "./real.ts";

const perhaps = fc.option(at, { nil: undefined });

const choice = fc.record({
  list: fc.nat({ max: LISTS.length - 1 }),
  at,
  limit: fc.constantFrom(1, 3, 7, 25, 100),
  /** The row whose values filter; undefined: no filter. */
  by: perhaps,
  /** Which of its values. */
  fields: at,
  /** The rows whose creation begins and ends a range. */
  from: perhaps,
  to: perhaps,
  /** The rows whose last change begins and ends a range of changes. */
  updatedFrom: perhaps,
  updatedTo: perhaps,
});

type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Reads a list page by page and compares it with the model: the same rows, newest first, whatever the page size. First with
 * its filters alone, then with a range of creation, too, and then with a range of changes. An export has the same rows.
 */
export const listCommand: fc.Arbitrary<Command> = choice.map((input) =>
  command(`list ${JSON.stringify(input)}`, async (model, real) => {
    const list = LISTS[input.list]?.(model, input.at);
    if (list === undefined) return;
    const read = async (query: Query, expected?: readonly string[]) => {
      const found = await readRows<Shown>(model, real, { ...list, limit: input.limit, query });
      const ids = idsOf(found);
      if (expected !== undefined) assert.deepEqual(ids, expected, `${list.path} ${JSON.stringify(query)}`);
      if (list.hasCsv === true) assert.deepEqual(await readExport(real, list, query), ids);
      return found;
    };
    const filter = filterOf(list, input);
    const filtered = list.rows.filter(filter.fits);
    await read(filter.query, newestFirst(filtered));
    const range = createdRange(list.rows, input);
    const query = { ...filter.query, ...range.query };
    const found = await read(query, newestFirst(filtered.filter(range.fits)));
    const updated = updatedRange(found, input);
    const changed = found.filter(updated.fits).toSorted(byLastChange);
    if (Object.keys(updated.query).length > 0) await read({ ...query, ...updated.query }, idsOf(changed));
  }),
);

type Shown = { readonly id: string; readonly updatedDateTime: string };
type Query = Readonly<Record<string, string>>;
/** A part of a list: its query, and the rows that it has. */
type Part<Value> = { readonly query: Query; readonly fits: (value: Value) => boolean };

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const newestFirst = (rows: readonly Row[]) => idsOf(rows).sort().reverse();

function byLastChange(one: Shown, other: Shown): number {
  const placeOf = ({ updatedDateTime, id }: Shown) => `${updatedDateTime} ${id}`;
  return placeOf(one) < placeOf(other) ? 1 : -1;
}

function valueAt<Value>(values: readonly Value[], place: number | undefined): Value | undefined {
  return place === undefined ? undefined : values[place % Math.max(1, values.length)];
}

/** Filters by at least one value of a row, if it has any. */
function filterOf({ rows, others = [] }: List, { by, fields }: Choice): Part<Row> {
  const asked = valueAt([...rows.map((row) => row.fields), ...others], by) ?? {};
  const values = Object.entries(asked).filter((field): field is [string, string] => field[1] !== undefined);
  const chosen = 1 + (fields % (2 ** values.length - 1));
  const wanted = values.filter((_, place) => (chosen & (1 << place)) !== 0);
  return {
    query: Object.fromEntries(wanted),
    fits: ({ fields: own }) => wanted.every(([name, value]) => own[name] === value),
  };
}

function createdRange(rows: readonly Row[], { from, to }: Choice): Part<Row> {
  const range = inOrder(valueAt(rows, from)?.created, valueAt(rows, to)?.created);
  return {
    query: queryOf({ createdFrom: range.from, createdTo: range.to }),
    fits: ({ created }) => isWithin(range, created),
  };
}

function updatedRange(found: readonly Shown[], { updatedFrom, updatedTo }: Choice): Part<Shown> {
  const range = inOrder(
    valueAt(found, updatedFrom)?.updatedDateTime,
    valueAt(found, updatedTo)?.updatedDateTime,
  );
  return {
    query: queryOf({ updatedFrom: range.from, updatedTo: range.to }),
    fits: ({ updatedDateTime }) => isWithin(range, updatedDateTime),
  };
}

type Range = { readonly from: string | undefined; readonly to: string | undefined };

/** A range that ends before it begins is refused. */
function inOrder(from: string | undefined, to: string | undefined): Range {
  return from !== undefined && to !== undefined && to < from ? { from: to, to: from } : { from, to };
}

/** The beginning is included, the end is not. */
function isWithin({ from, to }: Range, moment: string): boolean {
  return (from === undefined || moment >= from) && (to === undefined || moment < to);
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): Query {
  return Object.fromEntries(
    Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined),
  );
}

/** The ids of an export, in its order. */
async function readExport(real: Real, { path }: List, query: Query): Promise<readonly string[]> {
  const file = `${path}.csv?${new URLSearchParams(query).toString()}`;
  const text: string = ok(await callApi(real.shop(), "GET", file));
  const [, ...lines] = text.trimEnd().split(/\r?\n/);
  return lines.map((line) => line.split(",")[0] ?? "");
}

/** All rows of a list, page by page. */
export async function readRows<Shown>(
  model: Model,
  real: Real,
  {
    path,
    name,
    limit,
    query,
  }: Pick<List, "path" | "name"> & { readonly limit: number; readonly query: Query },
): Promise<readonly Shown[]> {
  const sent = new URLSearchParams({ ...query, limit: String(limit) });
  const pages = await readPages(async (cursor) => {
    const page = ok(await callApi(real.shop(), "GET", `${path}?${sent.toString()}${cursor}`));
    count(model, "lists");
    const shown: readonly Shown[] = page[name];
    assert.equal(page.count, shown.length);
    assert.ok(shown.length <= limit);
    return { shown, nextCursor: page.nextCursor };
  });
  return pages.flatMap(({ shown }) => shown);
}
