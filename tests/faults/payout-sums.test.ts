import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { reconcile } from "../../src/features/payouts/index.ts";
import { advanceClock, callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { debit, runSettlements, storedAccount } from "../support/debits.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { inContext } from "../support/operator.ts";
import { payIdShop } from "../support/payid.ts";
import { readLedger } from "../support/sandbox-ledger.ts";
import { chargeOf, type Stored, storedCard } from "../support/stored-cards.ts";

/** `TIDEGATE_TEST_SEED` repeats or varies a run; a failure prints its seed and the shortest counterexample. */
const SEED = Number(process.env["TIDEGATE_TEST_SEED"] ?? 20_261_115);
const DELAY = 600;
const A_DAY = 24 * 60 * 60;

type Step = { readonly does: keyof typeof STEPS; readonly amount: number; readonly which: number };
type Run = { readonly shop: Shop; readonly card: Stored; readonly account: Stored; readonly made: Made };
type Made = { readonly taken: string[]; readonly accepted: string[]; readonly name: string };
type Fees = Readonly<Record<"card" | "direct_debit" | "payid", { percent: number; fixed: number }>>;

const one = <Item>(items: readonly Item[], which: number) => items[which % items.length];

async function charge({ shop, card, made }: Run, amount: number, captureType: "auto" | "manual") {
  const body = chargeOf(card, { amount, category: { captureType } });
  made.taken.push(ok(await callApi(shop, "POST", "/transactions", body)).id);
}

/** The gateway may accept or refuse it, but never fails. */
async function attempt({ shop, made }: Run, verb: "capture" | "refunds", { amount, which }: Step) {
  const path = `/transactions/${one(made.taken, which)}/${verb}`;
  const answer = await callApi(shop, "POST", path, amount === 0 ? {} : { payment: { amount } });
  assert.ok([200, 404, 409].includes(answer.status), `${path}: ${answer.status}`);
}

/** What merchants, payers and banks can do. */
const STEPS = {
  pay: (run: Run, { amount }: Step) => charge(run, amount, "auto"),
  authorise: (run: Run, { amount }: Step) => charge(run, amount, "manual"),
  capture: (run: Run, step: Step) => attempt(run, "capture", step),
  refund: (run: Run, step: Step) => attempt(run, "refunds", step),
  debit: async ({ shop, account, made }: Run, { amount }: Step) => {
    made.taken.push((await debit(shop, amount, account)).id);
  },
  payId: async ({ shop, made }: Run, { amount, which }: Step) => {
    const payIds = payIdShop(gateway, shop.key);
    const { id, payId } = await payIds.request({ amount, value: `${made.name}-${made.accepted.length}` });
    const sent = await Promise.all([amount, amount, amount + which].map((each) => payIds.pay(payId, each)));
    const paid = sent.filter(({ status }) => status === "accepted");
    assert.equal(paid.length, 1, "one of the exact transfers pays");
    made.accepted.push(paid[0].id);
    made.taken.push((await payIds.read(id)).transactionResult.id);
  },
  wait: ({ shop }: Run, { which }: Step) =>
    advanceClock(shop, [1, DELAY / 2, DELAY + 1, A_DAY][which % 4] ?? 1),
  settle: ({ shop }: Run) => runSettlements(shop),
};

const amounts = fc.oneof(
  { arbitrary: fc.constantFrom(11_000, 11_001, 11_005, 11_005, 11_400, 14_451, 14_410), weight: 2 },
  { arbitrary: fc.integer({ min: 1, max: 40_000 }), weight: 3 },
);
const step = (does: Step["does"]) =>
  fc.record({ does: fc.constant(does), amount: amounts, which: fc.nat(50) });
const partly = (does: Step["does"]) =>
  fc.record({
    does: fc.constant(does),
    amount: fc.oneof(fc.constantFrom(0, 0, 1, 11_400, 14_451), fc.integer({ min: 1, max: 15_000 })),
    which: fc.nat(50),
  });
const STEP = fc.oneof(
  ...(["pay", "debit", "debit", "payId", "authorise", "wait"] as const).map(step),
  ...(["capture", "refund", "refund", "refund"] as const).map(partly),
  step("settle"),
);
const RATE = fc.record({
  percent: fc.integer({ min: 0, max: 50_000 }).map((parts) => parts / 10_000),
  fixed: fc.nat(60),
});
const PLAN = fc.record({
  fees: fc.record({ card: RATE, direct_debit: RATE, payid: RATE }),
  steps: fc.array(STEP, { minLength: 6, maxLength: 18 }),
  /** At every n-th step a settlement runs concurrently. */
  beside: fc.integer({ min: 2, max: 6 }),
});

const plain = (does: Step["does"], amount = 2000, which = 0): Step => ({ does, amount, which });
/** A sequence in which every kind of money operation happens at least once. */
const EVERYTHING = {
  fees: {
    card: { percent: 1.4, fixed: 30 },
    direct_debit: { percent: 0, fixed: 50 },
    payid: { percent: 0.5, fixed: 0 },
  },
  // The first transaction is the one that stored the card.
  steps: [
    ...[plain("pay", 30_000), plain("pay", 14_451), plain("authorise", 5000), plain("capture", 4000, 3)],
    ...[plain("debit", 30_000), plain("debit", 11_001), plain("debit", 11_005), plain("payId", 20_000, 7)],
    ...[plain("settle"), plain("refund", 700, 1), plain("refund", 14_451, 1), plain("refund", 500, 4)],
    ...[plain("refund", 11_400, 4), plain("refund", 900, 7), plain("refund", 11_400, 7), plain("settle")],
    ...[plain("refund", 0, 3), plain("wait", 1, 2), plain("settle")],
  ],
  beside: 50,
};

let gateway: TestGateway;

describe("money in = money out + held", () => {
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(DELAY), TIDEGATE_RATE_LIMIT: "0" },
    });
  });
  after(async () => {
    try {
      await assertInvariants(gateway.database);
      const { balances, faults } = await inContext(gateway.database, reconcile);
      assert.deepEqual([faults, balances.filter(({ balanced }) => !balanced)], [[], []]);
    } finally {
      await gateway.stop();
    }
  });

  const seen = new Set<string>();

  /** Asserts that the banks' ledger, less fees, equals the merchant's payouts plus what is held. */
  async function assertSums(merchantId: string, { shop, made }: Run, fees: Fees): Promise<void> {
    const { moved, captured } = await readLedger(gateway.database, made);
    for (const kind of Object.keys(moved)) seen.add(kind);
    const net = Object.values(moved).reduce((sum, amount) => sum + amount, 0);
    const charged = captured.reduce((sum, { source, amount }) => sum + feeOf(fees[source], amount), 0);
    const { payouts }: { payouts: readonly { payment: { amount: number } }[] } = ok(
      await callApi(shop, "GET", "/payouts?limit=100"),
    );
    const out = payouts.reduce((sum, { payment }) => sum + payment.amount, 0);
    const [held] = await gateway.database.rows<{ sum: string }>(
      "select coalesce(sum(amount), 0) as sum from payout_lines where merchant_id = $1 and payout_id is null",
      [merchantId],
    );
    assert.equal(out + Number(held?.sum), net - charged, JSON.stringify(moved));
  }

  test("holds for any order of operations, with any fees", async () => {
    const sums = fc.asyncProperty(PLAN, async ({ fees, steps, beside }) => {
      const { id, key } = await gateway.newMerchant();
      await gateway.database.rows("update merchants set fees = $2 where id = $1", [id, JSON.stringify(fees)]);
      const shop = shopOf(gateway, key);
      const made: Made = { taken: [], accepted: [], name: id.replaceAll("_", "-").toLowerCase() };
      const run: Run = {
        shop,
        card: await storedCard(shop, { amount: 1 }),
        account: await storedAccount(shop),
        made,
      };
      const [first] = ok(await callApi(shop, "GET", "/transactions")).transactions;
      made.taken.push(first.id);
      for (const [index, next] of steps.entries()) {
        const settling = index % beside === beside - 1 ? runSettlements(shop) : undefined;
        await STEPS[next.does](run, next);
        await settling;
        if (next.does === "settle") await assertSums(id, run, fees);
      }
      await runSettlements(shop);
      await assertSums(id, run, fees);
    });
    // Bounded by time: a busy machine does fewer runs.
    const limits = { numRuns: 25, interruptAfterTimeLimit: 12_000, endOnFailure: true, seed: SEED };
    await fc.assert(sums, { ...limits, examples: [[EVERYTHING]] });
    for (const kind of [
      "card paid",
      "card captured",
      "card refunded",
      "debit paid",
      "debit returned",
      "debit refunded",
    ])
      assert.ok(seen.has(kind), `nothing was ${kind}`);
    for (const kind of ["payid paid", "payid refunded"]) assert.ok(seen.has(kind), `nothing was ${kind}`);
  });
});

/** Computed independently of the gateway's own function. */
function feeOf({ percent, fixed }: { percent: number; fixed: number }, amount: number): number {
  const parts = BigInt(Math.round(percent * 10_000)) * BigInt(amount);
  return Number((parts + 500_000n) / 1_000_000n) + fixed;
}
