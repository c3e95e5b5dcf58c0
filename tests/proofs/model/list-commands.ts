import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { readPages } from "../../support/pages.ts";
import { at, type Command, command, pick } from "./command.ts";
import { count, type Model, where } from "./model.ts";
import type { Real } from "./real.ts";

type Row = {
  readonly id: string;
  readonly created: string;
  /** What the list's filters compare. */
  readonly fields: Readonly<Record<string, string | undefined>>;
};

type List = {
  readonly path: string;
  readonly name: string;
  readonly hasCsv?: true;
  readonly rows: readonly Row[];
};

function rowsOf<Value extends { readonly created: string }>(
  entries: ReadonlyMap<string, Value>,
  fields: (value: Value) => Row["fields"],
): readonly Row[] {
  return [...entries].map(([id, value]) => ({ id, created: value.created, fields: fields(value) }));
}

const LISTS: readonly ((model: Model, place: number) => List | undefined)[] = [
  ({ customers }) => ({
    path: "/customers",
    name: "customers",
    rows: rowsOf(customers, ({ reference, metadata }) => ({ reference, "metadata[tag]": metadata })),
  }),
  ({ customers, instruments }, place) => {
    if (customers.size === 0) return undefined;
    const [customerId] = pick(customers, place);
    const own = where(instruments, (one) => one.customerId === customerId && !one.isDeleted);
    return {
      path: `/customers/${customerId}/paymentinstruments`,
      name: "paymentInstruments",
      rows: rowsOf(own, ({ metadata }) => ({ "metadata[tag]": metadata })),
    };
  },
  ({ requests }) => ({
    path: "/paymentrequests",
    name: "paymentRequests",
    rows: rowsOf(requests, ({ reference, metadata, status }) => ({
      reference,
      status,
      "metadata[tag]": metadata,
    })),
  }),
  ({ transactions }) => ({
    path: "/transactions",
    name: "transactions",
    hasCsv: true,
    rows: rowsOf(transactions, ({ reference, metadata, status, requestId, customerId }) => ({
      reference,
      status,
      paymentrequestid: requestId,
      customerid: customerId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ refunds }) => ({
    path: "/refunds",
    name: "refunds",
    hasCsv: true,
    rows: rowsOf(refunds, ({ reference, metadata, status, transactionId }) => ({
      reference,
      status,
      transactionid: transactionId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ transactions, refunds }, place) => {
    if (transactions.size === 0) return undefined;
    const [id] = pick(transactions, place);
    const rows = rowsOf(
      where(refunds, ({ transactionId }) => transactionId === id),
      () => ({}),
    );
    return { path: `/transactions/${id}/refunds`, name: "refunds", rows };
  },
  ({ disputes }) => ({
    path: "/disputes",
    name: "disputes",
    rows: rowsOf(disputes, ({ metadata, status, transactionId }) => ({
      status,
      transactionid: transactionId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ payouts }) => ({
    path: "/payouts",
    name: "payouts",
    rows: rowsOf(payouts, () => ({ currencyCode: "AUD" })),
  }),
  ({ webhooks }) => ({ path: "/webhooks", name: "webhooks", rows: rowsOf(webhooks, () => ({})) }),
];

const perhaps = fc.option(at, { nil: undefined });

const choice = fc.record({
  list: fc.nat({ max: LISTS.length - 1 }),
  at,
  limit: fc.constantFrom(1, 3, 7, 25, 100),
  /** Which of the fields filter, by a row that has the values; undefined filters by none. */
  by: perhaps,
  fields: fc.nat({ max: 31 }),
  from: perhaps,
  to: perhaps,
  /** The row whose last change begins a range of changes. */
  updated: perhaps,
});

type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

/** Reads a list page by page and compares it with the model: the same rows, newest first, whatever the page size. */
export const listCommand: fc.Arbitrary<Command> = choice.map((input) =>
  command(`list ${JSON.stringify(input)}`, async (model, real) => {
    const list = LISTS[input.list]?.(model, input.at);
    if (list === undefined) return;
    const { query, expected } = filtered(list.rows, input);
    const { limit } = input;
    const found = await readRows<Shown>(model, real, { ...list, limit, query });
    assert.deepEqual(idsOf(found), expected, `${list.path} ${JSON.stringify(query)}`);
    if (list.hasCsv === true) {
      const path = `${list.path}.csv?${new URLSearchParams(query).toString()}`;
      const { body } = await callApi(real.shop(), "GET", path);
      const [, ...lines] = (body as string).trimEnd().split(/\r?\n/);
      assert.deepEqual(
        lines.map((line) => line.split(",")[0]),
        expected,
      );
    }
    const since = input.updated === undefined ? undefined : found[input.updated % found.length];
    if (since !== undefined) {
      const updatedFrom = since.updatedDateTime;
      const changed = found.filter(({ updatedDateTime }) => updatedDateTime >= updatedFrom);
      const shown = await readRows<Shown>(model, real, { ...list, limit, query: { ...query, updatedFrom } });
      assert.deepEqual(idsOf(shown).sort(), idsOf(changed).sort(), `${list.path} since ${updatedFrom}`);
      const times = shown.map(({ updatedDateTime }) => updatedDateTime);
      assert.deepEqual(times, times.toSorted().reverse());
    }
  }),
);

type Shown = { readonly id: string; readonly updatedDateTime: string };
type Query = Readonly<Record<string, string>>;

const idsOf = (rows: readonly Shown[]) => rows.map(({ id }) => id);

/** A query, and the ids that the model expects, newest first. */
function filtered(
  rows: readonly Row[],
  { by, fields, from, to }: Choice,
): { query: Query; expected: string[] } {
  const rowAt = (index: number | undefined) =>
    index === undefined ? undefined : rows[index % Math.max(1, rows.length)];
  const wanted = Object.entries(rowAt(by)?.fields ?? {}).filter(
    (field, place): field is [string, string] => field[1] !== undefined && (fields & (1 << place)) !== 0,
  );
  const [createdFrom, createdTo] = [rowAt(from)?.created, rowAt(to)?.created];
  const isBackwards = createdFrom !== undefined && createdTo !== undefined && createdTo < createdFrom;
  const range = Object.entries(isBackwards ? {} : { createdFrom, createdTo }).filter(
    (bound): bound is ["createdFrom" | "createdTo", string] => bound[1] !== undefined,
  );
  const isWithin = ({ created }: Row) =>
    range.every(([name, bound]) => (name === "createdFrom" ? created >= bound : created < bound));
  const expected = rows
    .filter(({ fields: own }) => wanted.every(([name, value]) => own[name] === value))
    .filter(isWithin)
    .map(({ id }) => id)
    .sort()
    .reverse();
  return { query: Object.fromEntries([...wanted, ...range]), expected };
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
