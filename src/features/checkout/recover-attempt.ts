import { decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { type Instant, instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import {
  advance,
  answerOrUnknown,
  findTransaction,
  lockTransaction,
  reverseAtAcquirer,
  type Transaction,
  updateTransaction,
} from "../transactions/index.ts";
import { abandonAttempt } from "./abandon-attempt.ts";
import { CHALLENGE_LIFE } from "./attempt-deadlines.ts";
import { endUnauthenticated, finishAttempt } from "./finish-attempt.ts";

/** Finds out what became of an attempt that nobody finished, by asking, never by charging again. */
export async function recoverAttempt(
  ctx: Context,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<Instant | undefined> {
  const attempt = await findTransaction(ctx.db, merchantId, id);
  // The usual case: the process that began the attempt has finished it.
  if (attempt?.status !== "pending") return undefined;
  const merchant = await findMerchant(ctx.db, merchantId);
  if (merchant === undefined) return undefined;
  const settled = await LOOK_AFTER[attempt.phase](ctx, merchant, attempt);
  if (settled === true) return undefined;
  return settled === false ? later(ctx.now(), 2 * SECOND) : settled;
}

/** True: it is settled. False: look again soon. Or the moment to look again. */
type LookAfter = (ctx: Context, merchant: Merchant, attempt: Transaction) => Promise<boolean | Instant>;

const LOOK_AFTER: Readonly<Record<Transaction["phase"], LookAfter>> = {
  /** Whoever asked the payer's bank is gone, and with it the card: nobody can go on with this attempt. */
  authenticating: async (ctx, merchant, attempt) => {
    await endUnauthenticated(ctx, merchant, attempt, "failed");
    return true;
  },
  challenged: async (ctx, merchant, attempt) => {
    const deadline = later(attempt.createdAt, CHALLENGE_LIFE);
    if (clockOf(ctx, merchant) < deadline) return instant(deadline - merchant.clockOffset);
    await abandonAttempt(ctx, merchant, attempt);
    return true;
  },
  calling: async (ctx, merchant, attempt) => {
    const acquirer = ctx.connectors.getCardAcquirer(merchant);
    const seen = await answerOrUnknown(ctx, () => acquirer.inquire(attempt.id));
    if (seen.kind === "unknown") return false;
    if (seen.kind === "never_seen") return giveUp(ctx, merchant, attempt);
    return (await finishAttempt(ctx, merchant, attempt, seen, true)).status !== "pending";
  },
  reversing: giveUp,
  /** The rail that it waits for looks after it. */
  waiting: async () => true,
  settled: async () => true,
};

/**
 * What the acquirer has never seen is reversed before it is declined: a call that is still on its way can take nothing
 * any more. That we do so is written down first. An approval that comes in meanwhile finds it and goes back too.
 */
async function giveUp(ctx: Context, merchant: Merchant, attempt: Transaction): Promise<boolean> {
  const entered = await ctx.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    const reversing = held && advance(held, "reverse");
    if (reversing !== undefined) await updateTransaction(tx, reversing);
    return reversing !== undefined || held?.phase === "reversing";
  });
  if (!entered || !(await reverseAtAcquirer(ctx, merchant, attempt.id))) return false;
  await finishAttempt(ctx, merchant, attempt, decline("downstream_error"), true);
  return true;
}
