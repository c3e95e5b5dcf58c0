import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { Refusal } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { networkOf } from "../../platform/http/network-of.ts";
import { type CardTestingKind, limitsOf, type Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import {
  crossed,
  isBankDecline,
  isSuspicious,
  leftOf,
  type Possible,
  type Step,
  stepOf,
  waitFor,
  weightOf,
} from "./card-testing.ts";
import { type Count, type Counted, countAttempt, insertMark, isMarked, uncountAttempt } from "./queries.ts";
import { createSeenCodes } from "./seen-codes.ts";
import { uncountedOf, writeApprovals } from "./uncounted-attempts.ts";

/** Who pays with what. */
export type Payer = { readonly address: string; readonly card: CardDetails };

/** What an attempt was counted as, and when, to take it back out. */
export type Counts = readonly (Count & { readonly countedAt: Instant })[];

/** How long a payment waits while its payer is asked to slow down. */
const SLOW_DOWN_MS = 1_000;

/** How often, and how long in between, an attempt looks for a place below a ceiling. */
const PLACE_TRIES = 8;
const PLACE_WAIT_MS = 250;

const BIN_DIGITS = 6;

const seenCodes = createSeenCodes();

/**
 * Counts an attempt before anything is recorded, and refuses it with 429 where a counter has reached its limit. Close to a
 * limit the payment goes on more slowly, and then with 3D Secure where that is possible.
 */
export async function admitAttempt(
  ctx: Context,
  merchant: Merchant,
  counts: Counts,
  possible: Possible,
): Promise<Step> {
  const limits = limitsOf(merchant);
  await writeApprovals(ctx, merchant);
  const { barred, counted, uncounted } = await countInTurn(ctx, merchant, counts);
  if (barred.length > 0) {
    refuseAttempt(ctx, Math.max(...barred.map((counter) => waitFor(counter, limits))));
  }
  if (counted.length < counts.length) {
    // Attempts at the same moment used the last places.
    const some = counts.filter(({ kind }) => counted.some((one) => one.kind === kind));
    takeBack(ctx, merchant, { counts: some, approvals: 0 });
    refuseAttempt(ctx, 1_000);
  }
  const counters = counted.map((one) => ({ ...one, risk: one.risk + (uncounted.get(one.kind) ?? 0) }));
  const step = stepOf(counters, limits, possible);
  if (step !== "none") {
    ctx.metrics.cardTesting(step);
    await note(ctx, merchant, crossed(counters, counts, possible));
    await new Promise((resolve) => setTimeout(resolve, SLOW_DOWN_MS));
  }
  return step;
}

/**
 * Attempts under way count as declines until their answers are there. Below a ceiling most of them are approved, so places
 * become free soon: payers at a busy merchant wait for one and are not refused.
 */
async function countInTurn(
  ctx: Context,
  merchant: Merchant,
  counts: Counts,
): Promise<Counted & { readonly uncounted: ReadonlyMap<CardTestingKind, number> }> {
  for (let tries = 1; ; tries += 1) {
    // What this process has not counted yet takes its place below the limit.
    const all = counts.map((count) => ({ ...count, uncounted: uncountedOf(ctx, merchant, count) }));
    const result = await countAttempt(ctx.db, merchant.id, all, ctx.now());
    const { barred } = result;
    if (barred.length === 0 || barred.some(isSuspicious) || tries === PLACE_TRIES)
      return { ...result, uncounted: new Map(all.map(({ kind, uncounted }) => [kind, uncounted])) };
    await new Promise((resolve) => setTimeout(resolve, PLACE_WAIT_MS));
  }
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

/**
 * The attempt as its payer's browser may see it. The merchant's API has the exact code, and so has the browser in the sandbox,
 * whose codes follow from amounts, and after a failure that says nothing about the card.
 */
export async function asPayerSees(
  ctx: Context,
  { mode }: Pick<Merchant, "mode">,
  attempt: Transaction,
): Promise<Transaction> {
  if (mode === "sandbox" || !isBankDecline(attempt) || !(await isMarked(ctx.db, attempt))) return attempt;
  return { ...attempt, code: "declined" };
}

/**
 * After an attempt: a decline stays counted, anything else does not. What has faded since, during a long challenge, is not
 * taken back: it would come out of the counts of other attempts. The payer does not wait for it.
 */
export function settleAttempt(
  ctx: Context,
  merchant: Merchant,
  counts: Counts,
  outcome: Pick<Transaction, "status" | "code">,
): void {
  if (counts.length === 0 || isBankDecline(outcome)) return;
  const now = ctx.now();
  const faded = counts.map((count) => ({ ...count, weight: count.weight * leftOf(now - count.countedAt) }));
  takeBack(ctx, merchant, { counts: faded, approvals: outcome.status === "approved" ? 1 : 0 });
}

/**
 * A code is known once the card's bank has judged it. An attempt that was refused, failed or went nowhere must not make a
 * code known: the next attempt with it would hardly count.
 */
export function rememberCode(
  ctx: Context,
  counts: Counts,
  { securityCode }: CardDetails,
  outcome: Pick<Transaction, "status" | "code">,
): void {
  const card = counts.find(({ kind }) => kind === "card");
  if (card === undefined || securityCode === undefined) return;
  if (outcome.status === "approved" || isBankDecline(outcome))
    seenCodes.remember(card.key, securityCode, ctx.now());
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

/** The counters of an attempt. */
export async function countsOf(ctx: Context, merchant: Merchant, { address, card }: Payer): Promise<Counts> {
  const limits = limitsOf(merchant);
  const hash = await ctx.vault.hashFor(ctx.db, `card testing|${merchant.id}`);
  const number = hash(`card|${card.number}`);
  const code = card.securityCode;
  const triesCode = code !== undefined && seenCodes.isNew(number, code, ctx.now());
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
    countedAt: ctx.now(),
  }));
}
