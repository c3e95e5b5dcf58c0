import type { TimeZone } from "../../kernel/country.ts";
import { defined } from "../../kernel/defined.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type CsvSpec, csvOf } from "../../platform/http/csv.ts";
import type { ExportedLine, Payout } from "./payout.ts";
import { presentLine } from "./present.ts";
import { walkPayoutLines } from "./queries.ts";

/**
 * All lines of a payout, a portion at a time, on the dashboard with their times in a zone. No transaction is open between two
 * portions: the lines of a payout never change.
 */
export function payoutCsv(tx: Tx, payout: Payout, zone?: TimeZone): AsyncGenerator<string> {
  return csvOf(walkPayoutLines(tx, payout), { ...specOf(payout), ...defined({ zone }) });
}

const specOf = ({ id, currency }: Payout): CsvSpec<ExportedLine> => ({
  columns: ["type", "refundId", "disputeId", "payoutId"],
  common: ({ subjectId, transactionId, reference, at, amount }) => ({
    id: subjectId,
    transactionId,
    reference,
    createdAt: at,
    updatedAt: at,
    amount,
    currency,
    status: "cleared",
  }),
  cells: (line) => {
    const { type, refundId, disputeId } = presentLine(line);
    return [type, refundId, disputeId, id];
  },
});
