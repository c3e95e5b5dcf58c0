import type { ExportedLine } from "../../features/payouts/index.ts";
import type { Instant } from "../../kernel/time.ts";

/** One entry of a payout's statement: a line, or a payment together with its fee. */
export type StatementRow = {
  readonly kind: ExportedLine["kind"];
  readonly subjectId: string;
  readonly transactionId: string;
  /** Of the payment, also on the row of its refund. */
  readonly reference: string;
  readonly at: Instant;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  /** The sum of all rows up to this one. The last one's is the payout's amount. */
  readonly runningTotal: number;
};

/** Lines in their order become rows. A fee stands on the row of its payment. */
export function statementOf(lines: readonly ExportedLine[], carried = 0): readonly StatementRow[] {
  const rows: StatementRow[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    const isFee = line.kind === "fee";
    const amounts = isFee ? { gross: 0, fee: line.amount } : { gross: line.amount, fee: 0 };
    const before = last?.runningTotal ?? carried;
    if (last !== undefined && belongTogether(last, line)) {
      rows[rows.length - 1] = {
        ...last,
        kind: "payment",
        gross: last.gross + amounts.gross,
        fee: last.fee + amounts.fee,
        net: last.net + line.amount,
        runningTotal: before + line.amount,
      };
      continue;
    }
    const { kind, subjectId, transactionId, at } = line;
    const reference = line.orderReference === "" ? line.transactionId : line.orderReference;
    const runningTotal = before + line.amount;
    rows.push({ kind, subjectId, transactionId, reference, at, ...amounts, net: line.amount, runningTotal });
  }
  return rows;
}

/** The lines of a capture are written at one moment, so they are neighbours. */
function belongTogether(row: StatementRow, line: ExportedLine): boolean {
  return (
    row.subjectId === line.subjectId &&
    ((row.kind === "fee" && line.kind === "payment") || (row.kind === "payment" && line.kind === "fee"))
  );
}

/** The whole statement, a portion at a time; a payment whose fee is in the next portion waits for it. */
export async function* walkStatement(
  portions: AsyncIterable<readonly ExportedLine[]>,
): AsyncGenerator<readonly StatementRow[]> {
  let carried = 0;
  let held: readonly ExportedLine[] = [];
  for await (const portion of portions) {
    const lines = [...held, ...portion];
    const end = startOfLast(lines);
    const rows = statementOf(lines.slice(0, end), carried);
    held = lines.slice(end);
    carried = rows.at(-1)?.runningTotal ?? carried;
    yield rows;
  }
  yield statementOf(held, carried);
}

/** Where the lines about the last subject begin. */
function startOfLast(lines: readonly ExportedLine[]): number {
  const last = lines.at(-1)?.subjectId;
  let start = lines.length;
  while (start > 0 && lines[start - 1]?.subjectId === last) start -= 1;
  return start;
}
