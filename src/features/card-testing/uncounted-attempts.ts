import type { Instant } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { isBankDecline, type Outcome } from "./card-testing.ts";
import {
  type Approvals,
  addApprovals,
  addRisk,
  type Count,
  type UncountedValues,
  uncountedValues,
} from "./queries.ts";

/**
 * Far below every limit, an attempt is not counted in the database before it is made: this process keeps it, and the
 * statement that records it checks the counters. A decline is counted before the payer sees it; approvals are written
 * together. Closer to a limit, `admitAttempt` counts first.
 *
 * Attempts that other nodes keep at the same moment are not seen: one burst on all nodes can exceed a limit by
 * `UNCOUNTED_SHARE` of it per further node, once.
 */
export type UncountedAttempt = {
  /** For `isAnySuspected` in the statement that records the attempt. */
  readonly values: readonly UncountedValues[];
  readonly countedAt: Instant;
  /** After the attempt. */
  readonly settle: (outcome: Outcome) => Promise<void>;
  /** The attempt was not made. */
  readonly release: () => void;
};

/** What this process knows and the database does not, by merchant. */
type Known = {
  readonly uncounted: Map<string, number>;
  approvals: Approvals;
  writtenAt: number;
};

const WRITE_EVERY_MS = 1_000;

const processes = new WeakMap<object, Map<string, Known>>();

function knownOf({ db }: Pick<Context, "db">, { id }: Pick<Merchant, "id">): Known {
  const merchants = processes.get(db) ?? new Map<string, Known>();
  processes.set(db, merchants);
  const known = merchants.get(id) ?? {
    uncounted: new Map<string, number>(),
    approvals: new Map(),
    writtenAt: 0,
  };
  merchants.set(id, known);
  return known;
}

const placeOf = ({ kind, key }: Count) => `${kind} ${key}`;

/** What attempts of this process will add to a counter if they are declined. */
export function uncountedOf(ctx: Context, merchant: Merchant, count: Count): number {
  return knownOf(ctx, merchant).uncounted.get(placeOf(count)) ?? 0;
}

export function beginUncounted(ctx: Context, merchant: Merchant, counts: readonly Count[]): UncountedAttempt {
  const known = knownOf(ctx, merchant);
  const change = (sign: 1 | -1) => {
    for (const count of counts) {
      const weight = (known.uncounted.get(placeOf(count)) ?? 0) + sign * count.weight;
      // Sums of tenths never come back to zero exactly.
      if (weight < 0.05) known.uncounted.delete(placeOf(count));
      else known.uncounted.set(placeOf(count), weight);
    }
  };
  change(1);
  return {
    values: counts.map((count) =>
      uncountedValues({
        ...count,
        uncounted: uncountedOf(ctx, merchant, count),
        approved: known.approvals.get(placeOf(count))?.approved ?? 0,
      }),
    ),
    countedAt: ctx.now(),
    settle: async (outcome) => {
      try {
        if (outcome.status === "approved") approve(ctx, merchant, counts);
        // It stays here until it is counted: at no moment is it in neither place.
        else if (isBankDecline(outcome)) await addRisk(ctx.db, merchant.id, counts, ctx.now());
      } catch (error) {
        ctx.log.warn({ merchantId: merchant.id, error }, "declined attempt not counted against card testing");
      } finally {
        change(-1);
      }
    },
    release: () => change(-1),
  };
}

/** Of a card only the declines count. */
function approve(ctx: Context, merchant: Merchant, counts: readonly Count[]): void {
  const known = knownOf(ctx, merchant);
  for (const count of counts) {
    if (count.kind === "card") continue;
    const { approved = 0 } = known.approvals.get(placeOf(count)) ?? {};
    known.approvals.set(placeOf(count), { kind: count.kind, key: count.key, approved: approved + 1 });
  }
  if (known.writtenAt + WRITE_EVERY_MS <= ctx.now()) void writeApprovals(ctx, merchant);
}

/** Approvals are written now and then, by the payment that comes next: they only make limits less strict. */
export async function writeApprovals(ctx: Context, merchant: Merchant): Promise<void> {
  const known = knownOf(ctx, merchant);
  const { approvals } = known;
  if (approvals.size === 0) return;
  known.approvals = new Map();
  known.writtenAt = ctx.now();
  try {
    await addApprovals(ctx.db, merchant.id, approvals, ctx.now());
  } catch (error) {
    ctx.log.warn({ merchantId: merchant.id, error }, "approvals not counted for card testing");
  }
}
