import type { ReturnedLine, ReturnReason } from "../ports/debit-files.ts";
import { centsOf, problemAt, readTable } from "./table.ts";

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
  const { rows, place } = readTable(text);
  const [reference, amount, reason] = [place("reference"), place("amount"), place("reason")];
  return rows.map(({ cells, line }) => ({
    line,
    reference: cells[reference] ?? "",
    amount: centsOf(cells[amount] ?? "", line),
    reason: reasonOf(cells[reason] ?? "", line),
  }));
}

export function reasonOf(text: string, line: number): ReturnReason {
  const found = REASONS.find(([words]) => words.test(text));
  if (found === undefined) throw problemAt(line, "the reason is not known");
  return found[1];
}
