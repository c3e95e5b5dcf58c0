import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { networkOf } from "../../platform/http/network-of.ts";
import { type CardTestingKind, limitsOf, type Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import { heldBy, writeApprovals } from "./calm-attempts.ts";
import { crossed, type Possible, type Step, saysNothing, stepOf, waitFor, weightOf } from "./card-testing.ts";
import { type Count, countAttempt, insertMark, isMarked, uncountAttempt } from "./queries.ts";
import { createSeenCodes } from "./seen-codes.ts";

/** Who pays with what. */
export type Payer = { readonly address: string; readonly card: CardDetails };

/** An attempt that was counted, and how to treat it. */
export type Admission = { readonly step: Step; readonly counts: Counts };

/** What an attempt was counted as, to take it back out. */
export type Counts = readonly Count[];

/** How long a payment waits while its payer is asked to slow down. */
const SLOW_DOWN_MS = 1_000;

const BIN_DIGITS = 6;

const isNewCode = createSeenCodes();

/**
 * Counts an attempt before anything is recorded, and refuses it with 429 where a counter has reached its limit. Close to a
 * limit the payment goes on more slowly, and then with 3D Secure where that is possible.
 */
export async function admitAttempt(
  ctx: Context,
  merchant: Merchant,
  counts: Counts,
  possible: Possible,
): Promise<Admission> {
  const now = ctx.now();
  const limits = limitsOf(merchant);
  await writeApprovals(ctx, merchant);
  // What this process holds uncounted takes its place below the limit.
  const held = new Map(counts.map((count) => [count.kind, heldBy(ctx, merchant, count)]));
  const lowered = counts.map((count) => ({ ...count, limit: count.limit - (held.get(count.kind) ?? 0) }));
  const { barred, counted } = await countAttempt(ctx.db, merchant.id, lowered, now);
  if (barred.length > 0) {
    refuseAttempt(ctx, Math.max(...barred.map((counter) => waitFor(counter, limits))));
  }
  if (counted.length < counts.length) {
    // Attempts at the same moment used the last places.
    const some = counts.filter(({ kind }) => counted.some((one) => one.kind === kind));
    takeBack(ctx, merchant, { counts: some, approvals: 0 });
    refuseAttempt(ctx, 1_000);
  }
  const counters = counted.map((one) => ({ ...one, risk: one.risk + (held.get(one.kind) ?? 0) }));
  const step = stepOf(counters, limits, possible);
  const admission = { step, counts };
  if (step !== "none") {
    ctx.metrics.cardTesting(step);
    await note(ctx, merchant, crossed(counters, counts, possible));
    await new Promise((resolve) => setTimeout(resolve, SLOW_DOWN_MS));
  }
  return admission;
}

/** One entry for each threshold, by the attempt that crosses it. */
async function note(ctx: Context, merchant: Merchant, thresholds: ReturnType<typeof crossed>): Promise<void> {
  for (const { kind, step: reached } of thresholds) {
    const entry = { act: "card_testing", merchantId: merchant.id, detail: `${kind} ${reached}` } as const;
    await record(ctx.db, entry, ctx.now());
    ctx.log.warn({ merchantId: merchant.id }, `card testing suspected by ${kind}: ${reached}`);
  }
}

function refuseAttempt(ctx: Context, wait: number): never {
  ctx.metrics.cardTesting("refuse");
  throw new Refusal([{ code: "checkout_attempts_too_many", wait }]);
}

/** The payer's browser sees a general decline of an attempt that was made under suspicion, whenever it looks. */
export async function markAttempt(
  ctx: Context,
  attempt: Pick<Transaction, "merchantId" | "id">,
): Promise<void> {
  await insertMark(ctx.db, attempt, ctx.now());
}

/** The attempt as its payer's browser may see it. The merchant's API has the exact code. */
export async function asPayerSees(ctx: Context, attempt: Transaction): Promise<Transaction> {
  if (attempt.status !== "declined" || !(await isMarked(ctx.db, attempt))) return attempt;
  return { ...attempt, code: "declined" };
}

/** After an attempt: a decline stays counted, anything else does not. The payer does not wait for it. */
export function settleAttempt(
  ctx: Context,
  merchant: Merchant,
  counts: readonly Count[],
  outcome: Pick<Transaction, "status" | "code">,
): void {
  if (counts.length === 0 || !saysNothing(outcome)) return;
  takeBack(ctx, merchant, { counts, approvals: outcome.status === "approved" ? 1 : 0 });
}

/** For an attempt that was refused after it had been counted. */
export function forgetAttempt(ctx: Context, merchant: Merchant, counts: readonly Count[]): void {
  takeBack(ctx, merchant, { counts, approvals: 0 });
}

/** Counts fade anyway, so one that can't be taken back is not worth more than a line in the log. */
function takeBack(
  ctx: Context,
  merchant: Merchant,
  change: { readonly counts: readonly Count[]; readonly approvals: 0 | 1 },
): void {
  uncountAttempt(ctx.db, merchant.id, change, ctx.now()).catch((error: unknown) =>
    ctx.log.warn({ merchantId: merchant.id, error }, "attempt not taken out of the card-testing counters"),
  );
}

/** The counters of an attempt. Called once for each attempt: it remembers the security code. */
export async function countsOf(ctx: Context, merchant: Merchant, { address, card }: Payer): Promise<Counts> {
  const limits = limitsOf(merchant);
  const hash = await ctx.vault.hashFor(ctx.db, `card testing|${merchant.id}`);
  const number = hash(`card|${card.number}`);
  const code = card.securityCode;
  const triesCode = code !== undefined && isNewCode(number, code, ctx.now());
  const keys: Readonly<Record<CardTestingKind, string>> = {
    address: hash(`address|${networkOf(address)}`),
    bin: hash(`bin|${card.number.slice(0, BIN_DIGITS)}`),
    card: number,
    merchant: "",
  };
  return (Object.keys(keys) as CardTestingKind[]).map((kind) => ({
    kind,
    key: keys[kind],
    weight: weightOf(kind, triesCode),
    limit: limits[kind],
  }));
}
