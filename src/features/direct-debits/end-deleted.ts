import type { DebitState } from "../../connectors/ports/direct-debit-bank.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { DAY, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { MERCHANT_CLOCK, type Merchant } from "../merchants/index.ts";
import { applyState, type Change, changeState } from "./apply-state.ts";
import { type Batch, mayStillArrive } from "./direct-debit.ts";
import { FOLLOW_DEBIT_JOB, readDebit } from "./follow-debit.ts";
import { markSubmitted } from "./queries.ts";

export const READ_DECLINED_JOB = "debit_read_declined";

const ACCOUNT_DELETED = decline("target_account_invalid");

export type Deleted = {
  /** The batch before this hand-over. */
  readonly before: Batch;
  readonly ids: readonly Id<"transaction">[];
  /** What the bank knows of each; nothing if it does not answer. */
  readonly states: readonly DebitState[];
};

/**
 * Debits of a batch whose account is deleted. After a hand-over began the bank may have them: those that it knows are
 * followed, without being sent again. Those that it has never seen are declined once no call can bring them any more. The
 * others wait for the next hand-over. The caller holds the batch, and counts the changes once they are committed.
 */
export async function endDeleted(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { before, ids, states }: Deleted,
): Promise<readonly Change[]> {
  const now = ctx.now();
  const isFirst = before.attempts === 0;
  const unseen = ids.filter(
    (_, index) => isFirst || (states[index]?.kind === "never_seen" && !mayStillArrive(before, now)),
  );
  const seen = ids.filter((_, index) => states[index] !== undefined && states[index].kind !== "never_seen");
  const job = { kind: FOLLOW_DEBIT_JOB, due: now };
  await markSubmitted(tx, merchant.id, seen, { now: clockOf(ctx, merchant), job });
  const changes: Change[] = [];
  for (const id of unseen) {
    const change = await changeState(ctx, tx, merchant, { id, outcome: ACCOUNT_DELETED });
    if (change !== undefined) changes.push(change);
    const again = {
      kind: READ_DECLINED_JOB,
      merchantId: merchant.id,
      subjectId: id,
      realTime: true,
    } as const;
    if (!isFirst) await insertJob(tx, again, later(now, DAY));
  }
  return changes;
}

/** Reads a debit once more that was declined because the bank had never seen it. One that was paid after all is logged. */
export async function readDeclined(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<NextRun> {
  const bank = ctx.connectors.findDebitBank(merchant);
  const asOf = clockOf(ctx, merchant);
  const state = bank && (await readDebit(ctx, bank, id, asOf));
  if (state === undefined)
    return { retry: "a declined debit is not looked up again: the bank does not answer" };
  if (state.kind === "processing") return { onMerchantsClock: state.until, clock: MERCHANT_CLOCK };
  if (state.kind !== "never_seen") await applyState(ctx, merchant, id, { ...state, asOf });
  return undefined;
}
