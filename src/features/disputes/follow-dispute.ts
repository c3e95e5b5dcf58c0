import type { NotifiedDispute } from "../../connectors/ports/card-acquirer.ts";
import { defined } from "../../kernel/defined.ts";
import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { DAY, HOUR, type Instant } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  findTransaction,
  isCaptured,
  isOpenAuthorisation,
  refundable,
  type Transaction,
} from "../transactions/index.ts";
import { decideDispute } from "./decide-dispute.ts";
import type { Dispute } from "./dispute.ts";
import { moveDeadline } from "./move-deadline.ts";
import { openDispute } from "./open-dispute.ts";
import { findDispute, findDisputeOf, nameCase } from "./queries.ts";

export type DisputeNotice = Omit<NotifiedDispute, "about" | "reference">;

/**
 * Records what an acquirer reports about a dispute. A notice that overtook the opening opens the dispute first, so that a
 * late or repeated opening changes nothing but the deadline. False: the payment is not captured on record yet, so the notice must come again.
 */
export async function followDispute(
  ctx: Context,
  merchant: Merchant,
  transaction: Transaction,
  notice: DisputeNotice,
): Promise<boolean> {
  const say = speaker(ctx, merchant, transaction.id);
  if (notice.step === "information_requested") {
    say(
      "the payer's bank requests information about a payment: answer at the acquirer, or it may be disputed",
    );
    return true;
  }
  const dispute = await findOrOpen(ctx, merchant, transaction, notice);
  if (dispute === undefined) {
    if (await isUnsettled(ctx, merchant, transaction.id)) return false;
    say("a payment is disputed of which nothing is left to hold: settle it with the merchant by hand");
    return true;
  }
  const trigger = TRIGGERS[notice.step];
  if (trigger === undefined) {
    const respondBy = deadlineOf(notice, ctx.now());
    if (respondBy !== undefined) await moveDeadline(ctx, merchant, dispute.id, respondBy);
    return true;
  }
  const decided = await decideDispute(ctx, merchant, dispute.id, trigger);
  const { status } = decided ?? (await findDispute(ctx.db, merchant.id, dispute.id)) ?? dispute;
  if (CONTRADICTED[notice.step].includes(status))
    say(
      `the acquirer says that a dispute is ${notice.step}, and it has ended: settle it with the merchant by hand`,
    );
  return true;
}

const TRIGGERS = { opened: undefined, defended: "defend", won: "win", lost: "lose" } as const;

/** The ends on record that do not fit. */
const CONTRADICTED: Readonly<Record<keyof typeof TRIGGERS, readonly Dispute["status"][]>> = {
  opened: [],
  defended: [],
  won: ["lost", "accepted"],
  lost: ["won"],
};

function speaker({ log }: Context, { id: merchantId }: Merchant, subjectId: string): (text: string) => void {
  return (text) => log.error({ merchantId, subjectId }, text);
}

async function findOrOpen(
  ctx: Context,
  merchant: Merchant,
  { id: transactionId, currency }: Transaction,
  notice: DisputeNotice,
): Promise<Dispute | undefined> {
  const { reason, caseReference } = notice;
  const find = () => findNamed(ctx, merchant, transactionId, caseReference);
  const found = await find();
  if (found !== undefined) return found;
  const isExact = notice.currency === currency && Number.isSafeInteger(notice.amount) && notice.amount > 0;
  const opened = await openDispute(
    ctx,
    merchant,
    defined({
      transactionId,
      reason,
      caseReference,
      amount: isExact ? cents(notice.amount) : undefined,
      respondBy: deadlineOf(notice, ctx.now()),
    }),
  );
  if (opened !== undefined && isExact && opened.amount < notice.amount)
    speaker(
      ctx,
      merchant,
      opened.id,
    )("a dispute is about more than is left of its payment: settle the rest by hand");
  // A notice at the same moment may have opened it.
  return opened ?? (await find());
}

/** The first case that is named takes over a dispute without a name. */
async function findNamed(
  ctx: Context,
  merchant: Merchant,
  transactionId: Id<"transaction">,
  caseReference: string | undefined,
): Promise<Dispute | undefined> {
  for (;;) {
    const found = await findDisputeOf(ctx.db, merchant.id, transactionId, caseReference);
    if (found === undefined || caseReference === undefined || found.caseReference !== null) return found;
    if (await nameCase(ctx.db, found, caseReference)) return found;
  }
}

/** Deadlines of banks are days away; another one is a mistake. */
function deadlineOf({ respondBy }: DisputeNotice, now: Instant): Instant | undefined {
  if (respondBy === undefined) return undefined;
  return respondBy > now + HOUR && respondBy < now + 180 * DAY ? respondBy : undefined;
}

/** The acquirer knows of a capture of which the gateway does not yet. */
async function isUnsettled(ctx: Context, merchant: Merchant, id: Id<"transaction">): Promise<boolean> {
  const now = await findTransaction(ctx.db, merchant.id, id);
  if (now === undefined) return false;
  return now.status === "pending" || isOpenAuthorisation(now) || (isCaptured(now) && refundable(now) > 0);
}
