import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "./calls.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  getRequest,
  getTransaction,
  initialise,
  ok,
  openFrame,
  openFrameOn,
  payOnce,
  type RequestOverrides,
  type Shop,
} from "./checkout.ts";
import { debit, runSettlements, storedAccount } from "./debits.ts";
import { assertReceived } from "./delivery-invariants.ts";
import { DISPUTED, type DisputeRecord, dispute, whenDisputed, whenDisputeIs } from "./disputes.ts";
import { eventually } from "./eventually.ts";
import { aMinutePasses } from "./gateway-process.ts";
import { endKey, makeKey, makeMerchant } from "./operator.ts";
import { payIds } from "./payid-races.ts";
import { accepted, LAG_MS, MANUAL, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";
import { chargeOf, storedCard } from "./stored-cards.ts";

/** The amount of a payment that is approved, and whose approval does not arrive. */
const UNKNOWN_AT_FIRST = 14_481;

type DuringRecovery = {
  readonly name: string;
  readonly done: string;
  readonly request: RequestOverrides;
  readonly path: "capture" | "cancel" | "refunds";
  readonly body?: object;
  /** So many calls can succeed at most. */
  readonly most: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly after: (transaction: any) => void;
};

/** Before the recovery there is nothing to capture, void or refund. */
function duringRecovery({ name, done, request, path, body, most, after }: DuringRecovery): Race {
  return {
    name: `${name}, recovery of an unknown outcome`,
    lagMs: LAG_MS,
    outcomes: ["refused", done],
    prepare: async (field) => {
      const { id, near, far, of } = await ownMerchant(field);
      const { transactionId } = await payOnce(near, { ...request, amount: UNKNOWN_AT_FIRST });
      return {
        verbs: [
          of(post(`/transactions/${transactionId}/${path}`, body)),
          () => aMinutePasses(field.database, id),
        ],
        check: async ([made = []]) => {
          assert.ok(accepted(made).length <= most, `more than ${most} succeeded`);
          if (accepted(made).length === 0) return "refused";
          after(await getTransaction(far, transactionId));
          return done;
        },
      };
    },
  };
}

/** Until a payment is captured or voided. */
export const PAYMENT_RACES: readonly Race[] = [
  {
    name: "pay, pay",
    prepare: async ({ near }) => {
      const frame = await openFrame(near);
      return {
        verbs: [(shop) => frame.at(shop).pay()],
        check: async ([paid = []]) => {
          onlyOne(paid);
          assert.equal((await getRequest(near, frame.requestId)).paymentRequestStatus, "completed");
        },
      };
    },
  },
  {
    name: "pay with one token, pay with another",
    outcomes: ["first", "second"],
    prepare: async ({ near, far }) => {
      const one = await openFrame(near);
      const other = await openFrameOn(far, one.requestId);
      return {
        verbs: [(shop) => one.at(shop).pay(), (shop) => other.at(shop).pay()],
        check: ([first = [], second = []]) => {
          onlyOne(first, second);
          return accepted(first).length === 1 ? "first" : "second";
        },
      };
    },
  },
  {
    name: "pay, cancel",
    outcomes: ["completed", "cancelled"],
    prepare: async ({ near }) => {
      const frame = await openFrame(near);
      return {
        verbs: [(shop) => frame.at(shop).pay(), post(`/paymentrequests/${frame.requestId}/cancel`)],
        check: async ([paid = [], cancelled = []]) => {
          onlyOne(paid, cancelled);
          const { paymentRequestStatus } = await getRequest(near, frame.requestId);
          assert.equal(paymentRequestStatus, accepted(paid).length === 1 ? "completed" : "cancelled");
          return paymentRequestStatus;
        },
      };
    },
  },
  {
    name: "pay, expire",
    outcomes: ["completed", "expired"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const expiryDateTime = new Date(Date.now() + 70_000).toISOString();
      const frame = await openFrame(near, { expiryDateTime });
      return {
        verbs: [of((shop) => frame.at(shop).pay()), of((shop) => advanceClock(shop, 80))],
        check: async ([paid = []]) => {
          assert.ok(accepted(paid).length <= 1);
          const { paymentRequestStatus } = await getRequest(far, frame.requestId);
          if (accepted(paid).length === 1) assert.equal(paymentRequestStatus, "completed");
          else assert.ok(["created", "expired"].includes(paymentRequestStatus), paymentRequestStatus);
          return accepted(paid).length === 1 ? "completed" : "expired";
        },
      };
    },
  },
  {
    name: "cancel, cancel",
    prepare: async ({ near }) => {
      const { id } = await createRequest(near);
      return {
        verbs: [post(`/paymentrequests/${id}/cancel`)],
        check: ([cancelled = []]) => onlyOne(cancelled),
      };
    },
  },
  {
    name: "create, create with one idempotency key",
    prepare: async ({ near, name }) => {
      const headers = { "x-idempotency-key": name };
      return {
        verbs: [
          (shop) =>
            callApi({ ...shop, headers }, "POST", "/paymentrequests", { ...CHECKOUT, reference: name }),
        ],
        check: async ([made = []]) => {
          onlyOne(made);
          assert.equal(ok(await callApi(near, "GET", `/paymentrequests?reference=${name}`)).count, 1);
        },
      };
    },
  },
  {
    name: "initialise a token again, pay",
    outcomes: ["initialised first", "paid first"],
    prepare: async ({ near }) => {
      const frame = await openFrame(near);
      return {
        verbs: [(shop) => frame.at(shop).pay(), (shop) => initialise(shop, frame.token)],
        check: ([paid = []]) => {
          assert.ok(accepted(paid).length <= 1, "one token paid twice");
          return accepted(paid).length === 0 ? "initialised first" : "paid first";
        },
      };
    },
  },
  {
    name: "capture, capture",
    prepare: async ({ near }) => {
      const { transactionId } = await payOnce(near, MANUAL);
      return {
        verbs: [post(`/transactions/${transactionId}/capture`)],
        check: async ([captured = []]) => {
          onlyOne(captured);
          assert.equal((await getTransaction(near, transactionId)).payment.capturedAmount, 3_000);
        },
      };
    },
  },
  {
    name: "capture, void",
    outcomes: ["captured", "voided"],
    prepare: async ({ near }) => {
      const { transactionId } = await payOnce(near, MANUAL);
      const path = `/transactions/${transactionId}`;
      return {
        verbs: [post(`${path}/capture`), post(`${path}/cancel`)],
        check: async ([captured = [], voided = []]) => {
          onlyOne(captured, voided);
          const { captureStatus } = await getTransaction(near, transactionId);
          assert.equal(captureStatus, accepted(captured).length === 1 ? "captured" : "voided");
          return captureStatus;
        },
      };
    },
  },
  duringRecovery({
    name: "void",
    done: "voided",
    request: MANUAL,
    path: "cancel",
    most: 1,
    after: ({ captureStatus }) => assert.equal(captureStatus, "voided"),
  }),
  duringRecovery({
    name: "capture",
    done: "captured",
    request: MANUAL,
    path: "capture",
    most: 1,
    after: ({ captureStatus, payment }) =>
      assert.deepEqual([captureStatus, payment.capturedAmount], ["captured", UNKNOWN_AT_FIRST]),
  }),
];

/** What follows a payment, and what surrounds it. */
export const LATER_RACES: readonly Race[] = [
  duringRecovery({
    name: "refund",
    done: "refunded",
    request: {},
    path: "refunds",
    body: { payment: { amount: 5_000 } },
    most: 2,
    after: ({ payment }) => assert.equal(payment.capturedAmount, UNKNOWN_AT_FIRST),
  }),
  {
    name: "refund, refund",
    prepare: async ({ near }) => {
      const { transactionId } = await payOnce(near);
      return {
        verbs: [post(`/transactions/${transactionId}/refunds`, { payment: { amount: 1_000 } })],
        check: ([refunded = []]) =>
          assert.equal(accepted(refunded).length, Math.min(3, refunded.length), "3 of 1000 fit into 3000"),
      };
    },
  },
  {
    name: "refund, dispute",
    lagMs: LAG_MS,
    outcomes: ["0 refunds first", "1 refunds first"],
    prepare: async ({ database, near, far }) => {
      const { transactionId } = await payOnce(near);
      return {
        verbs: [
          post(`/transactions/${transactionId}/refunds`, { payment: { amount: 1_000 } }),
          () => dispute(database, transactionId),
        ],
        check: async ([refunded = []]) => {
          const left = 3_000 - 1_000 * accepted(refunded).length;
          const { disputes } = ok(await callApi(far, "GET", `/disputes?transactionid=${transactionId}`));
          const held = disputes.map(({ payment }: DisputeRecord) => payment.amount);
          assert.deepEqual(held, left === 0 ? [] : [left], "the dispute holds what the refunds left");
          return `${accepted(refunded).length} refunds first`;
        },
      };
    },
  },
  {
    name: "accept a dispute, send evidence",
    outcomes: ["accepted", "lost"],
    prepare: async ({ near }) => {
      const { transactionId } = await payOnce(near, { amount: DISPUTED });
      const { id } = await whenDisputed(near, transactionId);
      return {
        verbs: [post(`/disputes/${id}/accept`), post(`/disputes/${id}/evidence`, { text: "lose" })],
        check: async ([taken = [], sent = []]) => {
          onlyOne(taken, sent);
          const end = accepted(taken).length === 1 ? "accepted" : "lost";
          await whenDisputeIs(near, id, end);
          return end;
        },
      };
    },
  },
  {
    name: "delete an instrument, charge it",
    outcomes: ["deleted first", "charged first"],
    prepare: async ({ near }) => {
      const stored = await storedCard(near);
      const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
      return {
        verbs: [(shop) => callApi(shop, "DELETE", path), post("/transactions", chargeOf(stored))],
        check: async ([deleted = [], charged = []]) => {
          assert.ok(accepted(deleted).length >= 1);
          const again = await callApi(near, "POST", "/transactions", chargeOf(stored));
          assert.notEqual(again.status, 200, "a deleted instrument was charged");
          return accepted(charged).length === 0 ? "deleted first" : "charged first";
        },
      };
    },
  },
  {
    name: "change a customer, charge",
    prepare: async ({ near }) => {
      const stored = await storedCard(near);
      return {
        verbs: [
          (shop) => callApi(shop, "PUT", `/customers/${stored.id}`, { name: "Jamie Lee" }),
          post("/transactions", chargeOf(stored)),
        ],
        check: ([, charged = []]) => assert.equal(accepted(charged).length, charged.length),
      };
    },
  },
  {
    name: "payout, refund of a debit",
    lagMs: LAG_MS,
    outcomes: ["0 refunds", "1 refunds"],
    prepare: async (field) => {
      // Another trial's settlements would settle this debit, too.
      const { near, of } = await ownMerchant(field);
      const { id } = await debit(near, 700, await storedAccount(near));
      return {
        verbs: [
          of((shop) => runSettlements(shop)),
          of(post(`/transactions/${id}/refunds`, { payment: { amount: 500 } })),
        ],
        check: ([, refunded = []]) => {
          assert.ok(accepted(refunded).length <= 1, "two of 500 exceed 700");
          return `${accepted(refunded).length} refunds`;
        },
      };
    },
  },
  {
    name: "transfer, transfer",
    prepare: async ({ near }) => {
      const { id, payId } = await payIds(near).request();
      return {
        verbs: [(shop) => payIds(shop).send(payId, 3_000)],
        check: async ([sent = []]) => {
          const paid = accepted(sent).filter(({ body }) => body.status === "accepted");
          assert.equal(paid.length, 1, "exactly one transfer pays");
          assert.equal((await payIds(near).read(id)).paymentRequestStatus, "completed");
        },
      };
    },
  },
  {
    name: "transfer, cancel",
    lagMs: LAG_MS,
    outcomes: ["paid", "cancelled"],
    prepare: async ({ near }) => {
      const { id, payId } = await payIds(near).request();
      return {
        verbs: [(shop) => payIds(shop).send(payId, 3_000), post(`/paymentrequests/${id}/cancel`)],
        check: async ([sent = [], cancelled = []]) => {
          const paid = accepted(sent).filter(({ body }) => body.status === "accepted");
          assert.equal(paid.length + accepted(cancelled).length, 1, "exactly one of both wins");
          return paid.length === 1 ? "paid" : "cancelled";
        },
      };
    },
  },
  {
    name: "revoke a key, call with it",
    lagMs: LAG_MS,
    outcomes: ["called first", "revoked first"],
    prepare: async ({ database, near, far }) => {
      const [merchant] = await database.rows<{ id: string }>("select id from merchants order by id limit 1");
      const { id, key } = await makeKey(database, merchant?.id ?? "", ["read", "write"]);
      let isRevoked = false;
      let revokedAt = 0;
      return {
        verbs: [
          async (shop) => {
            const answer = await callApi({ ...shop, key }, "POST", "/paymentrequests", CHECKOUT);
            return isUnknownKey(answer.status) ? { ...answer, status: 401 } : answer;
          },
          async () => {
            if (isRevoked) return;
            isRevoked = true;
            await endKey(database, id);
            revokedAt = Date.now();
          },
        ],
        check: async ([called = []]) => {
          for (const { status } of called) assert.ok(status === 200 || status === 401, String(status));
          for (const shop of [near, far]) await untilRefused({ ...shop, key }, revokedAt);
          for (const { status } of await Promise.all([near, far].map((shop) => list({ ...shop, key }))))
            assert.ok(isUnknownKey(status), `a revoked key is answered with ${status}`);
          assert.equal((await list(near)).status, 200);
          return accepted(called).length === called.length ? "called first" : "revoked first";
        },
      };
    },
  },
  {
    name: "rotate the signing key, change what it signs",
    prepare: async ({ database, near, far, name }) => {
      const { key } = await makeMerchant(database, "sandbox", "AU");
      const mine = { ...near, key };
      const receiver = await startReceiver();
      // A path of its own: a late delivery of an earlier trial, whose receiver had the same port, is another merchant's.
      ok(await callApi(mine, "POST", "/webhooks", { event: "*", url: `${receiver.url}/${name}` }));
      const before = await signingKeyOf(mine);
      const { id } = await createRequest(mine);
      const of = (verb: (shop: Shop) => Promise<Answer>) => (shop: Shop) => verb({ ...shop, key });
      return {
        verbs: [of(post("/webhooks/signingkey/rotate")), of(post(`/paymentrequests/${id}/cancel`))],
        check: async ([rotated = [], cancelled = []]) => {
          onlyOne(cancelled);
          const keys = [before, ...rotated.map((answer): string => ok(answer).signingKey)];
          const current = await signingKeyOf(mine);
          assert.equal(await signingKeyOf({ ...far, key }), current);
          assert.ok(keys.slice(1).includes(current), "the key is none that a rotation answered");
          const afterwards = await createRequest(mine);
          const received = await eventually("three events are delivered", async () => {
            const own = receiver.received.filter(({ path }) => path.endsWith(`/${name}`));
            return own.length >= 3 && own;
          });
          assertReceived(received, keys);
          const last = received.filter(({ body }) => JSON.parse(body).payload.id === afterwards.id);
          assert.equal(last.length, 1);
          assertReceived(last, current);
          await receiver.close();
        },
      };
    },
  },
];

/** What each node keeps of a key is older than this at no time: tests/spec/accounts/keys.test.ts. */
const REFUSED_WITHIN_MS = 5_000;

const list = (shop: Shop) => callApi(shop, "GET", "/paymentrequests?limit=1");

/** Many calls with revoked keys from one address are too many calls with wrong keys. */
const isUnknownKey = (status: number) => status === 401 || status === 429;

/** No call that is sent later than the bound works; a busy machine may answer later. */
async function untilRefused(shop: Shop, revokedAt: number): Promise<void> {
  for (;;) {
    const sentAt = Date.now();
    const { status } = await list(shop);
    if (isUnknownKey(status)) return;
    assert.ok(sentAt - revokedAt < REFUSED_WITHIN_MS, `a revoked key works after ${sentAt - revokedAt} ms`);
    await pause(20);
  }
}

async function signingKeyOf(shop: Shop): Promise<string> {
  return ok(await callApi(shop, "GET", "/webhooks/signingkey")).signingKey;
}
