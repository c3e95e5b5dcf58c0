import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import { callsTo } from "./calls.ts";
import { callApi, getRequest, getTransaction, ok, type Shop } from "./checkout.ts";
import { payIdShop } from "./payid.ts";
import { accepted, onlyOne, post, type Race } from "./race.ts";

export function payIds({ baseUrl, key }: Shop) {
  return payIdShop(callsTo(baseUrl), key);
}

const AMOUNT = 3_000;
const PART = 1_000;

const requestOf = (value: string, reference: string) =>
  post("/paymentrequests", {
    reference,
    payment: { amount: AMOUNT, instrument: { payId: { type: "single", value } } },
  });

export const PAYID_RACES: readonly Race[] = [
  {
    name: "PayID request, PayID request for one value",
    outcomes: ["first", "second"],
    prepare: async ({ near, far, name }) => {
      const value = `pair-${process.pid}-${name}`;
      const [one, other] = [`${name}-one`, `${name}-other`];
      return {
        verbs: [requestOf(value, one), requestOf(value, other)],
        check: async ([first = [], second = []]) => {
          onlyOne(first, second);
          const answers = [...first, ...second];
          const [made] = accepted(answers);
          assert.ok(made);
          for (const answer of [
            ...answers.filter((answer) => answer !== made),
            await requestOf(value, one)(far),
          ])
            assertRefused(answer, 409, ["V11135", "/payment/instrument/payId/value"]);
          const payId = made.body.payment.instrument.payId.email as string;
          assert.equal((await payIds(far).pay(payId, AMOUNT)).status, "accepted");
          const { paymentRequestStatus, reference } = await getRequest(near, made.body.id);
          const isFirst = accepted(first).length === 1;
          assert.deepEqual([paymentRequestStatus, reference], ["completed", isFirst ? one : other]);
          for (const shop of [near, far]) {
            const counts = [one, other].map((text) =>
              callApi(shop, "GET", `/paymentrequests?reference=${text}`),
            );
            assert.deepEqual(
              (await Promise.all(counts)).map((answer): number => ok(answer).count),
              isFirst ? [1, 0] : [0, 1],
            );
          }
          return isFirst ? "first" : "second";
        },
      };
    },
  },
  {
    name: "refund of a PayID payment, refund",
    prepare: async ({ near, far }) => {
      const { id, payId } = await payIds(near).request({ amount: AMOUNT });
      await payIds(near).pay(payId, AMOUNT);
      const transactionId: string = (await getRequest(far, id)).transactionResult.id;
      const path = `/transactions/${transactionId}/refunds`;
      const refund = (amount: number) => post(path, { payment: { amount } });
      return {
        verbs: [refund(PART)],
        check: async ([refunded = []]) => {
          const made = accepted(refunded).length;
          assert.equal(made, Math.min(3, refunded.length), "3 of 1000 fit into 3000");
          assert.equal(
            (await refund(AMOUNT - made * PART + 1)(far)).status,
            409,
            "more is refunded than paid",
          );
          assert.equal(ok(await callApi(far, "GET", path)).count, made);
          assert.equal((await getTransaction(far, transactionId)).payment.capturedAmount, AMOUNT);
        },
      };
    },
  },
];
