import assert from "node:assert/strict";
import { test } from "node:test";
import { instant } from "../../kernel/time.ts";
import { type CsvCell, csvOf } from "./csv.ts";

const HEAD = "id,transactionId,reference,createdDateTime,updatedDateTime,amount,currencyCode,status,more\r\n";
const TIME = "1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z";

type Row = { readonly amount: number; readonly currency: string; readonly more: CsvCell };

async function textOf(portions: readonly (readonly Row[])[], totals?: readonly string[]): Promise<string> {
  const rows = (async function* () {
    yield* portions;
  })();
  const spec = {
    columns: ["more"],
    common: ({ amount, currency }: Row) => ({
      id: "x_1",
      reference: "r",
      createdAt: instant(0),
      updatedAt: instant(0),
      amount,
      currency,
      status: "approved",
    }),
    cells: ({ more }: Row) => [more],
    ...(totals === undefined ? {} : { totals }),
  };
  let text = "";
  for await (const portion of csvOf(rows, spec)) text += portion;
  return text;
}

test("a text that could be a formula is guarded, a number is not", async () => {
  for (const [more, cell] of [
    ["=1+1", "'=1+1"],
    ["+61", "'+61"],
    ["-5", "'-5"],
    ["@now", "'@now"],
    ["a=b", "a=b"],
    [-5, "-5"],
    ['say "hi", all', '"say ""hi"", all"'],
    ['=a,"b"', '"\'=a,""b"""'],
    ["two\nlines", '"two\nlines"'],
    [null, ""],
  ] as const) {
    const row = `x_1,,r,${TIME},-40,AUD,approved,${cell}\r\n`;
    assert.equal(await textOf([[{ amount: -40, currency: "AUD", more }]]), HEAD + row);
  }
});

test("totals are the sums of each currency over all portions", async () => {
  const row = (amount: number, currency: string) => ({ amount, currency, more: 1 });
  const text = await textOf([[row(5, "NZD"), row(7, "AUD")], [row(-2, "AUD")]], []);
  assert.deepEqual(text.split("\r\n").slice(-3), ["total,,,,,5,AUD,2 rows", "total,,,,,5,NZD,1 row", ""]);
  assert.equal(await textOf([], []), HEAD);
});

test("the line of totals adds up own columns that are named, each under its head", async () => {
  const row = (currency: string, more: CsvCell) => ({ amount: 5, currency, more });
  const text = await textOf(
    [
      [row("NZD", 7), row("AUD", 1)],
      [row("AUD", null), row("AUD", 2)],
    ],
    ["more"],
  );
  assert.deepEqual(text.split("\r\n").slice(-3), [
    "total,,,,,15,AUD,3 rows,3",
    "total,,,,,5,NZD,1 row,7",
    "",
  ]);
});
