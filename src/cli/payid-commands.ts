import { listUnmatchedTransfers } from "../features/incoming-transfers/index.ts";
import { toIso } from "../kernel/time.ts";
import type { Command } from "./command.ts";
import { firstRows } from "./first-rows.ts";

const AT_MOST = 1_000;

export const PAYID_COMMANDS: readonly Command[] = [
  {
    name: "payid unmatched",
    reads: true,
    about:
      "List transfers to PayIDs of no payment request, and returns that the rail refused; the newest 1000.",
    options: {},
    examples: ["payid unmatched", "payid unmatched --json"],
    run: async (ctx) => {
      const found = firstRows(await listUnmatchedTransfers(ctx.db, AT_MOST + 1), AT_MOST);
      const transfers = found.rows.map((one) => ({
        transferId: one.id,
        mode: one.mode,
        message: one.message,
        payId: one.payId,
        amount: one.amount,
        payerName: one.payerName,
        paymentRequestId: one.paymentRequestId,
        status: one.status,
        reason: one.reason,
        receivedDateTime: toIso(one.receivedAt),
      }));
      const lines = transfers.map(
        (one) =>
          `${one.transferId}  ${one.receivedDateTime}  ${one.status.padEnd(14)}  ${one.amount}  ${one.payId}`,
      );
      return { json: { transfers, complete: found.isComplete }, lines, warnings: found.warnings };
    },
  },
];
