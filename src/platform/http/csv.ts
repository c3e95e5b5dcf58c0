import type { TimeZone } from "../../kernel/country.ts";
import { type Instant, toIso, toLocalIso } from "../../kernel/time.ts";
import { answer } from "./schema.ts";

/** Schema of an export. */
export const CSV_ANSWER = answer.text("A header, then one line for each row.");

export type CsvCell = string | number | null | undefined;

/** What every export begins with; each adds columns of its own. */
export type Exported = {
  readonly id: string;
  readonly transactionId?: string | null;
  readonly reference: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly amount?: number;
  readonly currency?: string;
  readonly status: string;
};

const COLUMNS = [
  "id",
  "transactionId",
  "reference",
  "createdDateTime",
  "updatedDateTime",
  "amount",
  "currencyCode",
  "status",
];

/** How rows become lines of a file. */
export type CsvSpec<Row> = {
  /** The names of its own columns. */
  readonly columns: readonly string[];
  readonly common: (row: Row) => Exported;
  readonly cells: (row: Row) => readonly CsvCell[];
  /** Ends with a line of sums for each currency: of `amount`, and of its own columns with these names. */
  readonly totals?: readonly string[];
  /** Its last column is the time of creation in this zone. */
  readonly zone?: TimeZone;
};

type Total = { readonly rows: number; readonly amount: number; readonly sums: readonly number[] };
const NOTHING: Total = { rows: 0, amount: 0, sums: [] };

/** A file that is made while it is sent, one portion of rows at a time. */
export async function* csvOf<Row>(
  portions: AsyncIterable<readonly Row[]>,
  { columns, common, cells, totals, zone }: CsvSpec<Row>,
): AsyncGenerator<string> {
  const places = (totals ?? []).map((name) => columns.indexOf(name));
  const byCurrency = new Map<string, Total>();
  yield csvLine([...COLUMNS, ...columns, ...(zone === undefined ? [] : ["createdLocalTime"])]);
  for await (const rows of portions) {
    let text = "";
    for (const row of rows) {
      const shared = common(row);
      const own = cells(row);
      const local = zone === undefined ? [] : [toLocalIso(shared.createdAt, zone)];
      text += csvLine([...commonCells(shared), ...own, ...local]);
      const { rows: counted, amount, sums } = byCurrency.get(shared.currency ?? "") ?? NOTHING;
      byCurrency.set(shared.currency ?? "", {
        rows: counted + 1,
        amount: amount + (shared.amount ?? 0),
        sums: places.map((place, at) => (sums[at] ?? 0) + Number(own[place] ?? 0)),
      });
    }
    yield text;
  }
  if (totals === undefined) return;
  for (const [currency, { amount, rows, sums }] of [...byCurrency].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const sum = currency === "" ? [null, null] : [amount, currency];
    const own = columns.slice(0, 1 + Math.max(-1, ...places)).map((name) => sums[totals.indexOf(name)]);
    yield csvLine([
      "total",
      null,
      null,
      null,
      null,
      ...sum,
      `${rows} ${rows === 1 ? "row" : "rows"}`,
      ...own,
    ]);
  }
}

const commonCells = (one: Exported): readonly CsvCell[] => [
  one.id,
  one.transactionId,
  one.reference,
  toIso(one.createdAt),
  toIso(one.updatedAt),
  one.amount,
  one.currency,
  one.status,
];

function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join()}\r\n`;
}

/** A text that a spreadsheet would take for a formula is guarded; a number is left as it is. */
function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
