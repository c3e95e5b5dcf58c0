import { BankFileProblem, type ReturnedLine, type ReturnReason } from "../ports/debit-files.ts";

/** How New Zealand banks word the reason of a dishonour. The first match counts. */
const REASONS: readonly (readonly [RegExp, ReturnReason])[] = [
  [/closed|transferred/i, "account_closed"],
  [/no such account|invalid|incorrect|unknown account/i, "account_invalid"],
  [/stop|authority|cancelled|deceased|blocked|not authorised/i, "account_blocked"],
  [/insufficient|refer|dishonour|refused/i, "refused"],
];

/**
 * Dishonours of a New Zealand bank. Each bank exports them in columns of its own order, so the file is fields between
 * commas under a header that names them: `reference`, `amount` (in dollars and cents) and `reason`, among any others.
 */
export function readNzReturns(text: string): readonly ReturnedLine[] {
  const rows = text.split(/\r\n|\n|\r/).map((row, index) => ({ cells: cellsOf(row), line: index + 1 }));
  const [head, ...rest] = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const names = head?.cells.map((name) => name.toLowerCase()) ?? [];
  const place = (name: string) => {
    const index = names.indexOf(name);
    if (index === -1 || names.lastIndexOf(name) !== index) {
      throw new BankFileProblem(`line ${head?.line ?? 1}: the header needs one column "${name}"`);
    }
    return index;
  };
  const [reference, amount, reason] = [place("reference"), place("amount"), place("reason")];
  return rest.map(({ cells, line }) => {
    if (cells.length !== names.length) throw problemAt(line, "not as many fields as the header names");
    return {
      line,
      reference: cells[reference] ?? "",
      amount: centsOf(cells[amount] ?? "", line),
      reason: reasonOf(cells[reason] ?? "", line),
    };
  });
}

/** Fields of a line; one in double quotes may hold commas, and a double quote twice. */
function cellsOf(row: string): readonly string[] {
  // Every cell starts with a comma here: an empty match would swallow the comma after it.
  const cells = [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)];
  return cells.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").trim());
}

function centsOf(text: string, line: number): number {
  const [, dollars, cents] = /^-?\$?(\d{1,3}(?:,\d{3}){0,2}|\d{1,9})\.(\d{2})$/.exec(text) ?? [];
  if (dollars === undefined) throw problemAt(line, "the amount is not dollars and cents, such as 12.50");
  return Number(dollars.replaceAll(",", "") + cents);
}

function reasonOf(text: string, line: number): ReturnReason {
  const found = REASONS.find(([words]) => words.test(text));
  if (found === undefined) throw problemAt(line, "the reason is not known");
  return found[1];
}

function problemAt(line: number, problem: string): BankFileProblem {
  return new BankFileProblem(`line ${line}: ${problem}`);
}
