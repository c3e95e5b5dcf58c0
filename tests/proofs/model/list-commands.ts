import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { count, type Model } from "./model.ts";
import type { Real } from "./real.ts";

type Row = {
  readonly id: string;
  readonly created: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
};

type List = { readonly path: string; readonly name: string; readonly rows: (model: Model) => readonly Row[] };

/** The lists, with the fields that their filters compare. `any` is a value that changes by itself. */
const LISTS: readonly List[] = [
  {
    path: "/customers",
    name: "customers",
    rows: ({ customers }) =>
      [...customers].map(([id, { reference, metadata, created }]) => ({
        id,
        created,
        fields: { reference, "metadata[tag]": metadata },
      })),
  },
  {
    path: "/paymentrequests",
    name: "paymentRequests",
    rows: ({ requests }) =>
      [...requests].map(([id, { reference, metadata, status, created }]) => ({
        id,
        created,
        fields: { reference, status, "metadata[tag]": metadata },
      })),
  },
  {
    path: "/transactions",
    name: "transactions",
    rows: ({ transactions }) =>
      [...transactions].map(([id, { reference, metadata, status, created, requestId, customerId }]) => ({
        id,
        created,
        fields: {
          reference,
          status,
          paymentrequestid: requestId,
          customerid: customerId,
          "metadata[tag]": metadata,
        },
      })),
  },
  {
    path: "/refunds",
    name: "refunds",
    rows: ({ refunds }) =>
      [...refunds].map(([id, { reference, transactionId, created }]) => ({
        id,
        created,
        fields: { reference, transactionid: transactionId },
      })),
  },
];

const choice = fc.record({
  list: fc.constantFrom(...LISTS),
  limit: fc.constantFrom(1, 3, 7, 25, 100),
  /** Which of the fields filter, by a row that has the values; undefined filters by none. */
  by: fc.option(fc.nat({ max: 1_000 }), { nil: undefined }),
  fields: fc.nat({ max: 31 }),
  from: fc.option(fc.nat({ max: 1_000 }), { nil: undefined }),
  to: fc.option(fc.nat({ max: 1_000 }), { nil: undefined }),
});

/** Reads a list page by page and compares it with the model: the same rows, newest first, whatever the page size. */
export const listCommand: fc.Arbitrary<fc.AsyncCommand<Model, Real>> = choice.map(
  ({ list, limit, by, fields, from, to }) => ({
    check: () => true,
    toString: () => `list ${list.path} ${JSON.stringify({ limit, by, fields, from, to })}`,
    run: async (model, real) => {
      const rows = list.rows(model);
      const rowAt = (index: number | undefined) =>
        index === undefined ? undefined : rows[index % Math.max(1, rows.length)];
      const wanted = Object.entries(rowAt(by)?.fields ?? {}).filter(
        ([, value], place) => value !== undefined && value !== "any" && (fields & (1 << place)) !== 0,
      ) as [string, string][];
      const [createdFrom, createdTo] = [rowAt(from)?.created, rowAt(to)?.created];
      const isEmptyRange = createdFrom !== undefined && createdTo !== undefined && createdTo < createdFrom;
      const range = isEmptyRange ? {} : { createdFrom, createdTo };
      const expected = rows
        .filter(({ fields: own }) => wanted.every(([name, value]) => own[name] === value))
        .filter(({ created }) => range.createdFrom === undefined || created >= range.createdFrom)
        .filter(({ created }) => range.createdTo === undefined || created < range.createdTo)
        .map(({ id }) => id)
        .sort()
        .reverse();
      // A debit's status is not known to the model, so a filter by status may find more.
      const mayHaveMore = wanted.some(([name]) => name === "status");
      const unknown = new Set(rows.filter(({ fields: own }) => own["status"] === "any").map(({ id }) => id));
      const query = new URLSearchParams([
        ...wanted,
        ...Object.entries(range).filter((one): one is [string, string] => one[1] !== undefined),
        ["limit", String(limit)],
      ]);
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        if (cursor !== null) query.set("cursor", cursor);
        const page = ok(await callApi(real.shop(), "GET", `${list.path}?${query.toString()}`));
        count(model, "lists");
        const shown: readonly { readonly id: string }[] = page[list.name];
        assert.equal(page.count, shown.length);
        assert.ok(shown.length <= limit);
        found.push(...shown.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(mayHaveMore ? found.filter((id) => !unknown.has(id)) : found, expected, String(query));
    },
  }),
);
