import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BROWSER, SECURE } from "../support/challenges.ts";
import {
  answerChallenge,
  callApi,
  type Frame,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { aMinutePasses, type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { declareProof } from "../support/proof.ts";
import { chargeOf } from "../support/stored-cards.ts";
import type { Point } from "../support/watched-context.ts";

const proof = declareProof("kill -9 at named points of a payment, a capture, a void and a refund", [
  "I1",
  "I2",
  "I4",
  "I5",
  "I6",
  "I7",
  "I9",
  "I13",
  "I14",
  "I21",
]);

const CHALLENGED = { amount: 14_418, category: SECURE };

/** Runs a scenario on a gateway that is killed, then checks it on another gateway with the same database. */
async function crash(
  crashAt: Point | undefined,
  scenario: (child: GatewayProcess, database: TestDatabase) => Promise<(survivor: Shop) => Promise<void>>,
): Promise<void> {
  const database = await cloneDatabase();
  let child: GatewayProcess | undefined;
  let survivor: TestGateway | undefined;
  try {
    child = await startGatewayProcess(database, crashAt);
    const check = await scenario(child, database);
    await child.untilGone();
    const environment = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" };
    survivor = await startTestGateway({ database, environment });
    await aMinutePasses(database);
    await untilSettled(database);
    await check(shopOf(survivor));
    await untilSettled(database);
    await assertInvariants(database);
    proof.count({ kills: 1 });
  } finally {
    await child?.kill();
    await survivor?.stop();
    await database.drop();
  }
}

async function untilSettled(database: TestDatabase): Promise<void> {
  await eventually("nothing is unsettled", async () => (await findUnsettled(database)).length === 0, 10_000);
}

/** Asserts that a call gets no answer because the gateway is killed meanwhile. */
async function assertUnanswered(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, TypeError);
}

/** The only attempt on a request, if any. */
async function attemptOn(shop: Shop, frame: Frame) {
  const answer = await callApi(shop, "GET", `/transactions?paymentrequestid=${frame.requestId}`);
  const { count, transactions } = ok(answer);
  assert.ok(count <= 1);
  return transactions[0];
}

type Ends = "unpaid" | "approved" | "declined" | "approved or declined";

const PAYING: readonly (readonly [when: string, crashAt: Point, ends: Ends, options?: object])[] = [
  ["before the attempt is written", "attempt_begin_of_token:before", "unpaid"],
  ["after the attempt is committed", "attempt_begin_of_token:committed", "declined"],
  [
    "before an attempt with 3D Secure is written",
    "transaction_insert_with_job:before",
    "unpaid",
    { category: SECURE },
  ],
  [
    "before an attempt with 3D Secure is committed",
    "transaction_insert_with_job:uncommitted",
    "unpaid",
    { category: SECURE },
  ],
  [
    "after an attempt with 3D Secure is committed",
    "transaction_insert_with_job:committed",
    "declined",
    { category: SECURE },
  ],
  ["while the acquirer is called", "authorise:made", "approved or declined"],
  ["after the acquirer's answer", "authorise:after", "approved"],
  ["before the outcome is written", "attempt_finish:before", "approved"],
  ["after the outcome is committed", "attempt_finish:committed", "approved"],
  [
    "before the outcome of a payment with 3D Secure is committed",
    "payment_request_update:uncommitted",
    "approved",
    { category: SECURE },
  ],
  [
    "after the outcome of a payment with 3D Secure is committed",
    "payment_request_update:committed",
    "approved",
    { category: SECURE },
  ],
  ["after a decline", "authorise:after", "declined", { amount: 14_451 }],
  ["while the payer's bank authenticates", "begin:after", "declined", { category: SECURE }],
  [
    "between authentication and authorisation",
    "transaction_change:committed",
    "declined",
    { category: SECURE },
  ],
  ["just before the challenge begins", "begin:after", "declined", CHALLENGED],
];

const STORING: readonly (readonly [
  when: string,
  crashAt: Point,
  ends: "approved" | "declined",
  options?: object,
])[] = [
  ["after the acquirer's answer", "authorise:after", "approved"],
  ["before the outcome is committed", "payment_request_update:uncommitted", "approved"],
  ["after a decline", "authorise:after", "declined", { amount: 14_451 }],
];

describe("CONTRACT 3: a crash never loses an outcome and never charges twice", { concurrency: 2 }, () => {
  for (const [when, crashAt, ends, options] of PAYING) {
    test(`a payment is ${ends} if the gateway is killed ${when}`, () =>
      crash(crashAt, async (child) => {
        const frame = await openFrame(child.shop, options);
        await assertUnanswered(frame.pay());
        return async (shop) => {
          const attempt = await attemptOn(shop, frame);
          const { state } = ok(await frame.at(shop).outcome());
          if (ends === "unpaid") {
            assert.equal(attempt, undefined);
            assert.equal(state, "none");
            assert.equal(ok(await frame.at(shop).pay()).state, "approved");
            return;
          }
          assert.equal(state, attempt.result.status);
          if (ends !== "approved or declined") assert.equal(attempt.result.status, ends);
          const request = await getRequest(shop, frame.requestId);
          assert.equal(request.paymentRequestStatus, "completed");
          assert.equal(request.transactionResult?.id, state === "approved" ? attempt.id : undefined);
          assert.equal((await frame.at(shop).pay()).status, 409);
        };
      }));
  }

  for (const [when, crashAt, ends, options] of STORING) {
    test(`a card is ${ends === "approved" ? "stored once" : "not stored"} if the gateway is killed ${when}`, () =>
      crash(crashAt, async (child) => {
        const customerRequest = { paymentInstrument: "create" };
        const frame = await openFrame(child.shop, { ...options, customerRequest });
        await assertUnanswered(frame.pay({ consent: true }));
        return async (shop) => {
          assert.equal((await attemptOn(shop, frame)).result.status, ends);
          const { customerResult: stored } = await getRequest(shop, frame.requestId);
          const { customers } = ok(await callApi(shop, "GET", "/customers"));
          const ids = customers.map(({ id }: { id: string }) => id);
          assert.deepEqual(ids, ends === "approved" ? [stored.id] : []);
          if (ends === "declined") return assert.equal(stored, undefined);
          // Its number is in the vault.
          const { id, paymentInstrumentId } = stored;
          const charge = chargeOf({ id, paymentInstrumentId });
          const charged = ok(await callApi(shop, "POST", "/transactions", charge));
          assert.equal(charged.result.status, "approved");
        };
      }));
  }

  test("the payer can finish the challenge if the gateway is killed during it", () =>
    crash(undefined, async (child) => {
      const frame = await openFrame(child.shop, CHALLENGED);
      const { challenge } = ok(await frame.pay());
      await child.kill();
      return async (shop) => {
        assert.equal((await attemptOn(shop, frame)).result.status, "pending");
        await answerChallenge(shop, challenge.url, "approve");
        assert.equal(ok(await frame.at(shop).continue(challenge.sealed)).state, "approved");
      };
    }));

  for (const [when, crashAt] of [
    ["after it got the challenge's result", "resultOf:after"],
    ["after it called the acquirer", "authorise:after"],
  ] as const) {
    test(`a challenged payment is approved if the gateway is killed ${when}`, () =>
      crash(crashAt, async (child) => {
        const frame = await openFrame(child.shop, CHALLENGED);
        const { challenge } = ok(await frame.pay());
        await answerChallenge(child.shop, challenge.url, "approve");
        await assertUnanswered(frame.continue(challenge.sealed));
        return async (shop) => {
          assert.equal(ok(await frame.at(shop).continue(challenge.sealed)).state, "approved");
        };
      }));
  }

  for (const [when, crashAt, ends] of [
    ["during the bank's method step", undefined, "declined"],
    ["after the bank's answer to it", "authenticate:after", "declined"],
    ["after it called the acquirer", "authorise:after", "approved"],
  ] as const) {
    test(`a payment with a method step is ${ends} if the gateway is killed ${when}`, () =>
      crash(crashAt, async (child) => {
        const frame = await openFrame(child.shop, { amount: 14_429, category: SECURE });
        const { method } = ok(await frame.pay({ browser: BROWSER }));
        const go = (to: Frame) => to.continue(method.sealed, { methodCompletion: "Y" });
        if (crashAt === undefined) await child.kill();
        else await assertUnanswered(go(frame));
        return async (shop) => {
          assert.equal(ok(await go(frame.at(shop))).state, ends);
          const { authentication } = await attemptOn(shop, frame);
          assert.equal(authentication.status, ends === "approved" ? "authenticated" : "abandoned");
        };
      }));
  }

  test("the next recovery finishes if the first one is killed", () =>
    crash("attempt_begin_of_token:committed", async (child, database) => {
      const frame = await openFrame(child.shop);
      await assertUnanswered(frame.pay());
      await aMinutePasses(database);
      await (await startGatewayProcess(database, "reverse:after")).untilGone();
      return async (shop) => {
        assert.equal((await attemptOn(shop, frame)).result.codes[0].id, "D10009");
      };
    }));
});

const OPERATIONS: readonly (readonly [when: string, crashAt: Point, verb: "capture" | "cancel"])[] = [
  ["after a capture is recorded", "operation_insert:committed", "capture"],
  ["after the acquirer has captured", "capture:after", "capture"],
  ["before a capture is committed", "operation_update:uncommitted", "capture"],
  ["after the acquirer has released the hold", "void:after", "cancel"],
];

const REFUNDING: readonly (readonly [when: string, crashAt: Point])[] = [
  ["after a refund is recorded", "refund_insert:committed"],
  ["after the acquirer has refunded", "refund:after"],
  ["before a refund's outcome is committed", "refund_update:uncommitted"],
];

describe("CONTRACT 10: kill -9 loses no capture, no void and no refund", { concurrency: 2 }, () => {
  for (const [when, crashAt, verb] of OPERATIONS) {
    test(`a ${verb} happens once if the gateway is killed ${when}`, () =>
      crash(crashAt, async ({ shop: dying }) => {
        const { transactionId } = await payOnce(dying, { category: { captureType: "manual" } });
        await assertUnanswered(callApi(dying, "POST", `/transactions/${transactionId}/${verb}`));
        return async (shop) => {
          const { captureStatus, payment } = await getTransaction(shop, transactionId);
          assert.equal(captureStatus, verb === "capture" ? "captured" : "voided");
          assert.equal(payment.capturedAmount, verb === "capture" ? 3000 : 0);
          assert.equal((await callApi(shop, "POST", `/transactions/${transactionId}/${verb}`)).status, 409);
        };
      }));
  }

  for (const [when, crashAt] of REFUNDING) {
    test(`a refund happens once if the gateway is killed ${when}`, () =>
      crash(crashAt, async (child) => {
        const { transactionId } = await payOnce(child.shop);
        const refunds = `/transactions/${transactionId}/refunds`;
        await Promise.allSettled([callApi(child.shop, "POST", refunds, { payment: { amount: 1200 } })]);
        return async (shop) => {
          await eventually("the refund is approved", async () => {
            return (await getTransaction(shop, transactionId)).payment.refundedAmount === 1200;
          });
          assert.equal(ok(await callApi(shop, "GET", refunds)).count, 1);
        };
      }));
  }
});
