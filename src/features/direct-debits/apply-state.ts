import type { DebitState } from "../../connectors/ports/direct-debit-bank.ts";
import { approve } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  lockTransaction,
  markReturned,
  settle,
  type Transaction,
  transactionChange,
  updateTransaction,
} from "../transactions/index.ts";
import { closeDebit } from "./queries.ts";

/** `asOf`: as of when the bank was asked. A return between then and now is still to be read. */
type Outcome =
  | (Extract<DebitState, { kind: "declined" | "returned" }> & { readonly asOf?: Instant })
  | (Extract<DebitState, { kind: "settled" }> & { readonly asOf: Instant });

type Decision = Outcome | ((before: Transaction) => Outcome);

/** What became of a debit. */
export type Change = {
  readonly before: Transaction;
  readonly state: Outcome;
  readonly steps: readonly Transaction[];
};

/**
 * Records the bank's outcome of a debit, each step with its event. A known outcome changes nothing, so a bank may report it
 * any number of times. A function decides the outcome from the transaction under its lock. Returns the outcome if it
 * changed something.
 */
export async function applyState(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
  outcome: Decision,
): Promise<Outcome | undefined> {
  const changed = await ctx.db.transaction((tx) => changeState(ctx, tx, merchant, { id, outcome }));
  if (changed !== undefined) countChange(ctx, merchant, changed);
  return changed?.state;
}

/** As `applyState`, in the caller's transaction. The caller counts the change once it is committed. */
export async function changeState(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { id, outcome }: { readonly id: Id<"transaction">; readonly outcome: Decision },
): Promise<Change | undefined> {
  const before = await lockTransaction(tx, merchant.id, id);
  if (before === undefined) return undefined;
  const state = typeof outcome === "function" ? outcome(before) : outcome;
  const now = clockOf(ctx, merchant);
  const steps = stepsOf(merchant, before, state, now);
  for (const after of steps) {
    await updateTransaction(tx, after, transactionChange(merchant.mode, after, ctx.settings));
  }
  const { status } = steps.at(-1) ?? before;
  if ((status === "declined") !== (state.kind !== "settled")) {
    ctx.log.error(
      { merchantId: merchant.id, subjectId: id },
      "direct debit unchanged: the bank reports an outcome that contradicts its earlier one",
    );
  }
  if (isFinalOutcome(state)) await closeDebit(tx, merchant.id, id, now);
  return steps.length > 0 ? { before, state, steps } : undefined;
}

/** Counts what became of a debit. */
export function countChange(ctx: Context, { mode }: Merchant, { before, steps }: Change): void {
  let last = before.status;
  for (const { status } of steps) {
    const end = last === "approved" ? "returned" : status === "approved" ? "approved" : "declined";
    ctx.metrics.ended({ mode, source: "direct_debit" }, end);
    last = status;
  }
}

/** A return can arrive before the settlement was read: the debit is then approved first, and returned after. */
function stepsOf(
  merchant: Merchant,
  before: Transaction,
  state: Outcome,
  now: Instant,
): readonly Transaction[] {
  const steps: Transaction[] = [];
  let last = before;
  if (last.status === "pending") {
    const approved = approve("approved");
    last = settle(last, state.kind === "declined" ? state : approved, now, merchant);
    steps.push(last);
  }
  if (state.kind === "returned" && last.status === "approved") steps.push(markReturned(last, now));
  return steps;
}

function isFinalOutcome(state: Outcome): boolean {
  return state.kind !== "settled" || state.returnableUntil <= state.asOf;
}
