import assert from "node:assert/strict";
import {
  callApi,
  createRequest,
  type Frame,
  getRequest,
  getTransaction,
  initialise,
  openFrame,
  problemsOf,
  type Shop,
} from "./checkout.ts";
import { accepted, LAG_MS, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";
import { openFrameFor, paySaved } from "./saved-cards.ts";
import { chargeOf, storedCard } from "./stored-cards.ts";

const PRICE = 3_000;
/** With the surcharge that one side of a race introduces. */
const NEW_PRICE = 3_045;
const SURCHARGING = { surcharging: { enabled: true, rates: { visa: { percent: 1.5 } } } };

const tokenFor = (paymentRequestId: string) => post("/tokens", { scope: "payui", paymentRequestId });
const pricesOf = async (shop: Shop, id: string) => {
  const { payment } = await getTransaction(shop, id);
  return [payment.totalAmount, payment.capturedAmount];
};

/** Tokens and prices that change, and cards that go, while the payer is in the checkout. */
export const CHECKOUT_RACES: readonly Race[] = [
  {
    name: "create a token, cancel",
    outcomes: ["token first", "cancelled first"],
    prepare: async ({ near, far }) => {
      const { id } = await createRequest(near);
      return {
        verbs: [tokenFor(id), post(`/paymentrequests/${id}/cancel`)],
        check: async ([made = [], cancelled = []]) => {
          onlyOne(cancelled);
          for (const { status } of made) assert.ok(status === 200 || status === 409, String(status));
          for (const shop of [near, far]) assert.equal((await tokenFor(id)(shop)).status, 409);
          for (const { body } of accepted(made))
            assert.notEqual(
              (await initialise(far, body.token)).status,
              200,
              "a token opens what is cancelled",
            );
          assert.equal((await getRequest(far, id)).paymentRequestStatus, "cancelled");
          return accepted(made).length > 0 ? "token first" : "cancelled first";
        },
      };
    },
  },
  {
    name: "create a token, pay with an earlier one",
    outcomes: ["token first", "paid first"],
    prepare: async ({ database, near, far }) => {
      const earlier = await openFrame(near);
      const id = earlier.requestId;
      return {
        verbs: [tokenFor(id), (shop) => earlier.at(shop).pay()],
        check: async ([made = [], paid = []]) => {
          onlyOne(paid);
          for (const { status } of made) assert.ok(status === 200 || status === 409, String(status));
          for (const { body } of accepted(made)) {
            const opened = await initialise(far, body.token);
            if (opened.status !== 200) continue;
            const again = await earlier.at(far).with(opened.body.session).pay();
            assert.notEqual(again.status, 200, "a request is paid twice, with two tokens");
          }
          const { transactionResult, transactionAttempts } = await getRequest(far, id);
          assert.equal(transactionResult.id, accepted(paid)[0]?.body.transactionId);
          assert.equal(transactionAttempts, undefined);
          assert.deepEqual(await acquirerEntries(database, transactionResult.id), ["authorisation"]);
          return accepted(made).length > 0 ? "token first" : "paid first";
        },
      };
    },
  },
  {
    name: "pay, change the surcharge",
    outcomes: [`paid ${PRICE}`, `paid ${NEW_PRICE}`],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const frame = await openFrame(near);
      const payTotal = (total: number) => of((shop) => frame.at(shop).pay({ total }));
      return {
        verbs: [
          payTotal(PRICE),
          // As a frame does once the payer has confirmed the new price.
          payTotal(NEW_PRICE),
          of((shop) => callApi(shop, "PUT", "/management/account", SURCHARGING)),
        ],
        check: async ([old = [], fresh = [], changed = []]) => {
          assert.equal(accepted(changed).length, changed.length);
          let paid = accepted([...old, ...fresh]);
          if (paid.length === 0) {
            // The old price came too late and the new one too early.
            assert.deepEqual(problemsOf(await payTotal(PRICE)(far)), ["V11613 /total"]);
            paid = accepted([await payTotal(NEW_PRICE)(near)]);
          }
          assert.equal(paid.length, 1, "exactly one payment");
          const total = accepted(old).length === 1 ? PRICE : NEW_PRICE;
          const id: string = paid[0]?.body.transactionId;
          assert.deepEqual(await pricesOf(far, id), [total, total]);
          const charged = await field.database.rows(
            "select amount::int from sandbox_ledger where ledger = 'acquirer' and reference = $1",
            [id],
          );
          assert.deepEqual(charged, [{ amount: total }], "the acquirer charged another price");
          return `paid ${total}`;
        },
      };
    },
  },
  {
    name: "pay with a saved card, delete the card",
    lagMs: LAG_MS,
    outcomes: ["paid first", "deleted first"],
    prepare: async ({ database, near, far }) => {
      const stored = await storedCard(near);
      const { id, paymentInstrumentId } = stored;
      const frame = await openFrameFor(near, id);
      const pay = (one: Frame) => (shop: Shop) => paySaved(one.at(shop), paymentInstrumentId);
      return {
        verbs: [
          pay(frame),
          (shop) => callApi(shop, "DELETE", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`),
        ],
        check: async ([paid = [], deleted = []]) => {
          onlyOne(deleted);
          assert.ok(accepted(paid).length <= 1, "one token paid twice");
          const request = await getRequest(far, frame.requestId);
          const [first] = accepted(paid);
          if (first === undefined) {
            assert.deepEqual(
              [request.paymentRequestStatus, request.transactionAttempts],
              ["created", undefined],
            );
            for (const answer of paid) assert.deepEqual(problemsOf(answer), ["V11643 /savedCard/id"]);
          } else {
            assert.equal(first.body.state, "approved");
            assert.equal(request.transactionResult.id, first.body.transactionId);
            assert.deepEqual(await acquirerEntries(database, first.body.transactionId), ["authorisation"]);
          }
          const again = await pay(await openFrameFor(far, id))(near);
          assert.deepEqual(problemsOf(again), ["V11643 /savedCard/id"]);
          assert.notEqual((await callApi(far, "POST", "/transactions", chargeOf(stored))).status, 200);
          return first === undefined ? "deleted first" : "paid first";
        },
      };
    },
  },
];
