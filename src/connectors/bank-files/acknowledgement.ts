import type { AcknowledgedLine } from "../ports/debit-files.ts";
import { ABA_REASONS } from "./aba-returns.ts";
import { reasonOf } from "./nz-returns.ts";
import { centsOf, problemAt, readTable } from "./table.ts";

const ACCEPTED = /^(accepted|processed|valid|ok)$/i;
const REJECTED = /^(rejected|failed|invalid|error)$/i;

/**
 * What a bank says about a file before it debits any account. There is no common layout in either country: banks show it as
 * a report and export it. So it is fields between commas under a header that names them: `reference`, `amount` (in dollars
 * and cents), `status` and, for what was rejected, `reason`: words, or a return code of the Australian system.
 */
export function readAcknowledgement(text: string): readonly AcknowledgedLine[] {
  const { rows, place } = readTable(text);
  const [reference, amount] = [place("reference"), place("amount")];
  const [status, reason] = [place("status"), place("reason")];
  if (rows.length === 0) throw problemAt(1, "the acknowledgement has no records");
  return rows.map(({ cells, line }) => ({
    line,
    reference: cells[reference] ?? "",
    amount: centsOf(cells[amount] ?? "", line),
    outcome: outcomeOf(cells[status] ?? "", cells[reason] ?? "", line),
  }));
}

function outcomeOf(status: string, reason: string, line: number): AcknowledgedLine["outcome"] {
  if (ACCEPTED.test(status)) return "accepted";
  if (!REJECTED.test(status)) throw problemAt(line, "the status is neither accepted nor rejected");
  if (reason === "") return "refused";
  return ABA_REASONS[reason] ?? reasonOf(reason, line);
}
