import { defined } from "../../kernel/defined.ts";
import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { ok } from "../merchants/index.ts";
import type { Line, Payout } from "./payout.ts";
import type { PayoutAnswer, PayoutSummary } from "./wire.ts";

/** The answer shows at most this many lines; the CSV has all. */
export const LINES_SHOWN = 1_000;

export function presentSummary(payout: Payout, mode: Mode): Static<typeof PayoutSummary> {
  return {
    id: payout.id,
    reference: payout.id,
    createdDateTime: toIso(payout.createdAt),
    updatedDateTime: toIso(payout.createdAt),
    payoutDate: payout.day,
    status: "cleared",
    payment: { amount: payout.amount, currencyCode: payout.currency },
    totals: {
      payments: payout.payments,
      refunds: payout.refunds,
      returns: payout.returns,
      fees: payout.fees,
      disputes: payout.disputes,
    },
    lineCount: payout.lines,
    result: ok(mode),
  };
}

export function presentPayout(
  payout: Payout,
  lines: readonly Line[],
  mode: Mode,
): Static<typeof PayoutAnswer> {
  const { result, ...summary } = presentSummary(payout, mode);
  return { ...summary, lines: lines.map(presentLine), result };
}

export function presentLine({ kind, subjectId, transactionId, amount, at }: Line) {
  const refundId = kind === "refund" ? subjectId : undefined;
  const disputeId = kind === "dispute" || kind === "dispute_won" ? subjectId : undefined;
  return { type: kind, transactionId, ...defined({ refundId, disputeId }), amount, dateTime: toIso(at) };
}
