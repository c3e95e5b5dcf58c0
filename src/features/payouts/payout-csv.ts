import { toIso } from "../../kernel/time.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Line, Payout } from "./payout.ts";
import { walkPayoutLines } from "./queries.ts";

const HEAD = "payoutId,type,transactionId,refundId,amountInCents,currencyCode,dateTime\r\n";

/**
 * All lines of a payout, a portion at a time. No transaction is open between two portions: the lines of a payout never
 * change.
 */
export async function* csvOf(tx: Tx, payout: Payout): AsyncGenerator<string> {
  yield HEAD;
  for await (const lines of walkPayoutLines(tx, payout)) {
    yield lines.map((line) => rowOf(payout, line)).join("");
  }
}

/** Every field is one of our ids, numbers or times, so none can act as a formula or break a line. */
function rowOf({ id, currency }: Payout, { kind, subjectId, transactionId, amount, at }: Line): string {
  const refundId = kind === "refund" ? subjectId : "";
  return `${[id, kind, transactionId, refundId, amount, currency, toIso(at)].join(",")}\r\n`;
}
