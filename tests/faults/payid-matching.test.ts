import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import { DAY_SECONDS, payIdShop } from "../support/payid.ts";

const VALUES = ["a", "b"] as const;

/** What merchants, payers and time do to two PayIDs. Every amount is equal to, just below or just above the request's. */
const STEP = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("create"),
      at: fc.constantFrom(...VALUES),
      amount: fc.integer({ min: 2, max: 5 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("pay"),
      at: fc.constantFrom(...VALUES),
      off: fc.integer({ min: -1, max: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel"), at: fc.constantFrom(...VALUES) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("wait"), days: fc.constantFrom(0.4, 1.1) }) },
);

/** A sequence in which transfers get every possible outcome. */
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;
const EVERY_OUTCOME: Step[] = [
  { does: "create", at: "a", amount: 3 },
  ...[-1, 1, 0, 0].map((off): Step => ({ does: "pay", at: "a", off })),
  { does: "create", at: "b", amount: 3 },
  { does: "cancel", at: "b" },
  { does: "pay", at: "b", off: 0 },
  { does: "create", at: "b", amount: 3 },
  { does: "wait", days: 1.1 },
  { does: "pay", at: "b", off: 0 },
];

/** A minimal model of the gateway: the last request of each PayID, and when it expires. */
type Model = Record<string, { id: string; amount: number; status: string; ends: number } | undefined>;

describe("PROOF I22: all money received is accepted or returned", () => {
  let gateway: TestGateway;
  let names = 0;
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" } });
  });
  after(() => gateway.stop());

  test("in any order of events, every transfer gets the outcome that the rules define", async () => {
    const reasons = new Map<string, number>();
    const matching = fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 16 }), async (steps) => {
      const { id: merchantId, key } = await gateway.newMerchant();
      const shop = payIdShop(gateway, key);
      const prefix = `run-${names++}-`;
      const model: Model = {};
      let now = 0;
      let [received, accepted, returned] = [0, 0, 0];

      for (const step of steps) {
        for (const open of Object.values(model))
          if (open?.status === "created" && open.ends <= now) open.status = "expired";
        if (step.does === "wait" && "days" in step) {
          await shop.advance(Math.round(step.days * DAY_SECONDS));
          now += step.days;
          continue;
        }
        if (!("at" in step)) continue;
        const held = model[step.at];
        if (step.does === "create" && "amount" in step) {
          if (held?.status === "created") continue;
          const { id } = await shop.request({ value: prefix + step.at, amount: step.amount });
          model[step.at] = { id, amount: step.amount, status: "created", ends: now + 1 };
        } else if (step.does === "cancel" && held !== undefined) {
          const { status } = await shop.cancel(held.id);
          assert.equal(status, held.status === "created" ? 200 : 409);
          if (status === 200) held.status = "cancelled";
        } else if ("off" in step && held !== undefined) {
          const amount = held.amount + step.off;
          const outcome = outcomeOf(held, step.off);
          const answer = await shop.pay(`${prefix}${step.at}@payid.tidegate.test`, amount);
          assert.equal(answer.reason ?? "paid", outcome);
          reasons.set(outcome, (reasons.get(outcome) ?? 0) + 1);
          received += amount;
          if (outcome === "paid") {
            accepted += amount;
            held.status = "completed";
          } else returned += amount;
        }
      }

      assert.equal(received, accepted + returned);
      const [sums] = await gateway.database.rows<Record<"accepted" | "returned", string>>(
        `select coalesce(sum(amount) filter (where status = 'accepted'), 0) as accepted,
           coalesce(sum(amount) filter (where status <> 'accepted'), 0) as returned
         from incoming_transfers where merchant_id = $1`,
        [merchantId],
      );
      assert.deepEqual([Number(sums?.accepted), Number(sums?.returned)], [accepted, returned]);
      const { transactions } = (await gateway.get("/transactions?limit=100", { key })).body;
      const captured = transactions.map(
        (one: { payment: { capturedAmount: number } }) => one.payment.capturedAmount,
      );
      assert.equal(
        captured.reduce((sum: number, one: number) => sum + one, 0),
        accepted,
      );
      assert.deepEqual(await findViolations(gateway.database), []);
    });
    await fc.assert(matching, { numRuns: 25, endOnFailure: true, examples: [[EVERY_OUTCOME]] });
    for (const outcome of ["paid", "short", "over", "late", "duplicate", "closed"])
      assert.ok(reasons.has(outcome), `no transfer was ${outcome}: ${JSON.stringify([...reasons])}`);
    await eventually("all money is accepted or returned", async () => {
      return (await findUnsettled(gateway.database)).length === 0;
    });
  });
});

function outcomeOf({ status }: { readonly status: string }, off: number): string {
  if (status === "completed") return "duplicate";
  if (status === "cancelled") return "closed";
  if (status === "expired") return "late";
  return off === 0 ? "paid" : off < 0 ? "short" : "over";
}
