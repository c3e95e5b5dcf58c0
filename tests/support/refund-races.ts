import assert from "node:assert/strict";
import { callApi, getTransaction, ok, payOnce, type Shop } from "./checkout.ts";
import { runSettlements } from "./debits.ts";
import { dispute } from "./disputes.ts";
import { eventually } from "./eventually.ts";
import { aMinutePasses } from "./gateway-process.ts";
import { accepted, type Field, LAG_MS, ownMerchant, post, type Race, type Verb } from "./race.ts";
import type { RaceOptions } from "./run-races.ts";

const CAPTURED = 20_000;
/** More than what may be deducted: less than nothing is not paid out. */
const NEXT = 30_000;
/** Fifty of them can be returned. */
const PART = 100;
/** The acquirer declines a refund of this amount; its first answer to each node is lost. */
const LOST_DECLINE = 14_405;
const REST = 14_000;

export const LOSING_ANSWERS: RaceOptions = {
  environment: { LOSE_REFUND_ANSWERS_OF: String(LOST_DECLINE) },
};

/** Settling and paying out takes longer than what it races. */
const PAYOUT_LAG_MS = 1_000;
/** The first runs find all that there is to pay out. */
const RUNS = 3;

type Payout = { readonly id: string; readonly payment: { readonly amount: number } };
type Line = { readonly type: string; readonly transactionId: string; readonly amount: number };
type Deduction = {
  readonly name: string;
  readonly verb: (transactionId: string, field: Field) => Verb;
  /** Of so many calls of the verb, what is deducted. */
  readonly amounts: (calls: number) => readonly number[];
};

/** What is deducted from a payment comes off the payout that is being built, or off a later one; never off none or two. */
function duringPayout({ name, verb, amounts }: Deduction): Race {
  return {
    name: `payout, ${name}`,
    lagMs: PAYOUT_LAG_MS,
    outcomes: ["in the same payout", "in a later payout"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const { transactionId } = await payOnce(near, { amount: CAPTURED });
      let runs = 0;
      let calls = 0;
      const deduct = of(verb(transactionId, field));
      return {
        verbs: [
          of(async (shop) => {
            runs += 1;
            if (runs <= RUNS) await runSettlements(shop);
          }),
          (shop) => {
            calls += 1;
            return deduct(shop);
          },
        ],
        check: async ([, deducted = []]) => {
          assert.equal(accepted(deducted).length, deducted.length);
          await payOnce(near, { amount: NEXT });
          await runSettlements(far);
          const payouts = await payoutsOf(far);
          const lines = payouts.flatMap(({ lines }) => lines).map(({ amount }) => amount);
          const expected = [CAPTURED, NEXT, ...amounts(calls)];
          assert.deepEqual(lines.toSorted(byValue), expected.toSorted(byValue));
          for (const { amount, lines } of payouts)
            assert.equal(amount, sum(lines.map((line) => line.amount)));
          const first = payouts.find(({ lines }) =>
            lines.some((line) => line.transactionId === transactionId && line.type === "payment"),
          );
          const isDeducted = first?.lines.some(({ amount }) => amount < 0);
          return isDeducted ? "in the same payout" : "in a later payout";
        },
      };
    },
  };
}

const byValue = (one: number, other: number) => one - other;
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Oldest first. */
async function payoutsOf(shop: Shop) {
  const { payouts }: { payouts: readonly Payout[] } = ok(await callApi(shop, "GET", "/payouts"));
  const read = payouts.toReversed().map(async ({ id, payment }) => {
    const { lines }: { lines: readonly Line[] } = ok(await callApi(shop, "GET", `/payouts/${id}`));
    return { amount: payment.amount, lines };
  });
  return Promise.all(read);
}

export const REFUND_RACES: readonly Race[] = [
  {
    name: "refund, recovery of a refund with an unknown outcome",
    lagMs: LAG_MS,
    outcomes: ["refused", "refunded"],
    prepare: async (field) => {
      const { id, near, far, of } = await ownMerchant(field);
      const { transactionId } = await payOnce(near, { amount: CAPTURED });
      const path = `/transactions/${transactionId}/refunds`;
      const refund = (amount: number) => post(path, { payment: { amount } });
      const lost = ok(await refund(LOST_DECLINE)(near)).id;
      await eventually("the first answer to the refund is lost", async () => {
        const [job] = await field.database.rows(
          "select from jobs where merchant_id = $1 and subject_id = $2 and problem is not null",
          [id, lost],
        );
        return job !== undefined;
      });
      return {
        verbs: [of(refund(REST)), () => aMinutePasses(field.database, id)],
        check: async ([refunded = []]) => {
          const made = accepted(refunded).length;
          assert.ok(made <= 1, "a refund of what another one may have returned");
          const { result } = ok(await callApi(far, "GET", `${path}/${lost}`));
          // What it holds is free only once it is known that nothing was returned.
          if (made === 1) assert.equal(result.status, "declined");
          await eventually(`${lost} is declined`, async () => {
            await aMinutePasses(field.database, id);
            return ok(await callApi(far, "GET", `${path}/${lost}`)).result.status === "declined";
          });
          assert.equal((await refund(REST)(far)).status, made === 1 ? 409 : 200);
          await eventually("the other refund is made", async () => {
            const { payment } = await getTransaction(near, transactionId);
            return payment.refundedAmount === REST;
          });
          return made === 1 ? "refunded" : "refused";
        },
      };
    },
  },
  duringPayout({
    name: "refund of a card payment",
    verb: (transactionId) => post(`/transactions/${transactionId}/refunds`, { payment: { amount: PART } }),
    amounts: (calls) => Array.from({ length: calls }, () => -PART),
  }),
  duringPayout({
    name: "dispute of a card payment",
    verb:
      (transactionId, { database }) =>
      () =>
        dispute(database, transactionId),
    amounts: () => [-CAPTURED],
  }),
];
