import { BankFileProblem } from "../ports/debit-files.ts";

export type Table = {
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[];
  /** Where a column is. The header has it once, in any case. */
  readonly place: (name: string) => number;
};

/** Fields between commas under a header that names them, among any others: banks export columns in an order of their own. */
export function readTable(text: string): Table {
  const all = text.split(/\r\n|\n|\r/).map((row, index) => ({ cells: cellsOf(row), line: index + 1 }));
  const [head, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const names = head?.cells.map((name) => name.toLowerCase()) ?? [];
  for (const { cells, line } of rows) {
    if (cells.length !== names.length) throw problemAt(line, "not as many fields as the header names");
  }
  return {
    rows,
    place: (name) => {
      const index = names.indexOf(name);
      if (index === -1 || names.lastIndexOf(name) !== index)
        throw problemAt(head?.line ?? 1, `the header needs one column "${name}"`);
      return index;
    },
  };
}

/** Fields of a line; one in double quotes may hold commas, and a double quote twice. */
function cellsOf(row: string): readonly string[] {
  // Every cell starts with a comma here: an empty match would swallow the comma after it.
  const cells = [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)];
  return cells.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").trim());
}

export function centsOf(text: string, line: number): number {
  const [, dollars, cents] = /^-?\$?(\d{1,3}(?:,\d{3}){0,2}|\d{1,9})\.(\d{2})$/.exec(text) ?? [];
  if (dollars === undefined) throw problemAt(line, "the amount is not dollars and cents, such as 12.50");
  return Number(dollars.replaceAll(",", "") + cents);
}

export function problemAt(line: number, problem: string): BankFileProblem {
  return new BankFileProblem(`line ${line}: ${problem}`);
}
