import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { authenticationData } from "../../../src/connectors/sandbox/three-d-secure-messages.ts";
import { challenged as challengedAt, SECURE } from "../../support/challenges.ts";
import {
  advanceClock,
  answerChallenge,
  CARD,
  callApi,
  eventsOf,
  type Frame,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  openFrameOn,
  payOnce,
  problemsOf,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { handicap } from "../../support/handicap.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const FAILED_CODE = "D04417 3d_secure_error";

describe("spec 3 and contract 9: 3D Secure", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);

  const challenged = (on: Shop = shop, overrides: RequestOverrides = {}) => challengedAt(on, overrides);

  const callsOf = (transactionId: string) =>
    gateway.database.rows("select from sandbox_ledger where ledger = 'acquirer' and reference = $1", [
      transactionId,
    ]);

  async function assertUnauthenticated(
    frame: Frame,
    transactionId: string,
    status: "failed" | "abandoned" | "unavailable" | "rejected",
  ) {
    const transaction = await getTransaction(frame.shop, transactionId);
    assert.deepEqual(transaction.result, {
      mode: "sandbox",
      status: "declined",
      codes: [shownCode(FAILED_CODE, gateway.baseUrl)],
    });
    assert.equal(transaction.authentication.type, "3d_secure");
    assert.equal(transaction.authentication.status, status);
    const request = await getRequest(frame.shop, frame.requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal(request.transactionResult, undefined);
    assert.equal(request.transactionAttempts[0].id, transactionId);
    assert.equal(request.customerResult, undefined);
    assert.deepEqual(await callsOf(transactionId), [], "the acquirer was never called");
    const events = await eventsOf(frame.shop, transactionId);
    assert.equal(events.length, 2);
    assert.deepEqual(events[1].payload, transaction);
  }

  test("any other amount is authenticated without a challenge, and the transaction shows it", async () => {
    const { transactionId, paid } = await payOnce(shop, { category: SECURE });
    assert.equal(paid.state, "approved");
    const transaction = await getTransaction(shop, transactionId);
    assert.deepEqual(transaction.authentication, {
      type: "3d_secure",
      status: "authenticated",
      version: "2.2.0",
      eci: "05",
    });
    const events = await eventsOf(shop, transactionId);
    assert.deepEqual(
      events.map(
        ({ payload }: { payload: { result: { status: string }; authentication?: { status: string } } }) => [
          payload.result.status,
          payload.authentication?.status,
        ],
      ),
      [
        ["pending", undefined],
        ["pending", "authenticated"],
        ["approved", "authenticated"],
      ],
    );
    assert.deepEqual(events[2].payload, transaction);
  });

  test("an authenticated payment can still be declined", async () => {
    const { transactionId, paid } = await payOnce(shop, { amount: 14_451, category: SECURE });
    assert.equal(paid.result.codes[0].id, "D04451");
    const { authentication } = await getTransaction(shop, transactionId);
    assert.equal(authentication.status, "authenticated");
  });

  test("14417 fails authentication: declined, and the acquirer is not called", async () => {
    const frame = await openFrame(shop, {
      amount: 14_417,
      category: SECURE,
      customerRequest: { paymentInstrument: "create" },
    });
    const paid = ok(await frame.pay({ consent: true }));
    assert.equal(paid.state, "declined");
    assert.deepEqual(paid.result.codes, [shownCode(FAILED_CODE, gateway.baseUrl)]);
    await assertUnauthenticated(frame, paid.transactionId, "failed");
    const { authentication } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(authentication, {
      type: "3d_secure",
      status: "failed",
      version: "2.2.0",
      eci: "07",
    });
  });

  test("14426 is attempted: the payment goes on, and a card is stored", async () => {
    const create = { customerRequest: { name: "Ada", paymentInstrument: "create" } };
    const options = { amount: 14_426, category: SECURE, ...create };
    const { transactionId, requestId, paid } = await payOnce(shop, options, { consent: true });
    assert.equal(paid.state, "approved");
    const { authentication } = await getTransaction(shop, transactionId);
    assert.deepEqual(authentication, {
      type: "3d_secure",
      status: "attempted",
      version: "2.2.0",
      eci: "06",
    });
    assert.ok((await getRequest(shop, requestId)).customerResult);
    assert.equal((await eventsOf(shop, transactionId)).length, 3);
  });

  for (const [amount, status] of [
    [14_427, "unavailable"],
    [14_428, "rejected"],
  ] as const) {
    test(`${amount} is ${status}: declined, and the acquirer is not called`, async () => {
      const { frame, transactionId, paid } = await payOnce(shop, { amount, category: SECURE });
      assert.equal(paid.state, "declined");
      assert.deepEqual(paid.result.codes, [shownCode(FAILED_CODE, gateway.baseUrl)]);
      await assertUnauthenticated(frame, transactionId, status);
      const { authentication } = await getTransaction(shop, transactionId);
      assert.deepEqual(authentication, { type: "3d_secure", status, version: "2.2.0", eci: "07" });
    });
  }

  test("with `threeDSecureUnavailable` `proceed`, 14427 is charged without authentication; a rejection is not", async () => {
    const ours = await newShop();
    ok(await callApi(ours, "PUT", "/management/account", { threeDSecureUnavailable: "proceed" }));
    const { transactionId, paid } = await payOnce(ours, { amount: 14_427, category: SECURE });
    assert.equal(paid.state, "approved");
    const { authentication } = await getTransaction(ours, transactionId);
    assert.deepEqual(authentication, {
      type: "3d_secure",
      status: "unavailable",
      version: "2.2.0",
      eci: "07",
    });
    for (const amount of [14_417, 14_428]) {
      assert.equal((await payOnce(ours, { amount, category: SECURE })).paid.state, "declined");
    }
    ok(await callApi(ours, "PUT", "/management/account", { threeDSecureUnavailable: "decline" }));
    const again = await payOnce(ours, { amount: 14_427, category: SECURE });
    assert.equal(again.paid.state, "declined");
  });

  test("with `threeDSecureAttempted` `decline`, 14426 is declined and the acquirer is not called; 14427 keeps its own choice", async () => {
    const ours = await newShop();
    const choose = (change: object) => callApi(ours, "PUT", "/management/account", change);
    ok(await choose({ threeDSecureAttempted: "decline", threeDSecureUnavailable: "proceed" }));
    const { transactionId, paid } = await payOnce(ours, { amount: 14_426, category: SECURE });
    assert.equal(paid.state, "declined");
    const { result, authentication, acquirer } = await getTransaction(ours, transactionId);
    assert.deepEqual(
      [result.codes[0].id, authentication.status, acquirer?.responseCode],
      ["D04417", "attempted", undefined],
    );
    assert.equal((await payOnce(ours, { amount: 14_427, category: SECURE })).paid.state, "approved");
    assert.equal((await payOnce(ours, { amount: 3000, category: SECURE })).paid.state, "approved");
    ok(await choose({ threeDSecureAttempted: "proceed" }));
    assert.equal((await payOnce(ours, { amount: 14_426, category: SECURE })).paid.state, "approved");
  });

  test("the cryptogram is neither stored nor shown", async () => {
    const { transactionId } = await payOnce(shop, { category: SECURE });
    const { cavv = "" } = authenticationData(transactionId, CARD.number, "Y");
    assert.equal(cavv.length, 28);
    const stored = await gateway.database.rows<{ row: string }>(
      `select t::text as row from transactions t where id = $1
       union all select e::text from events e where resource_id = $1
       union all select l::text from sandbox_ledger l where reference = $1`,
      [transactionId],
    );
    assert.ok(stored.length > 3);
    assert.ok(stored.every(({ row }) => !row.includes(cavv)));
    const [found] = await gateway.database.rows<{ facts: object }>(
      "select authentication_facts as facts from transactions where id = $1",
      [transactionId],
    );
    assert.deepEqual(Object.keys(found?.facts ?? {}).sort(), ["dsTransactionId", "eci", "version"]);
  });

  test("14418 challenges the payer; on approval the payment continues", async () => {
    const { frame, transactionId, url, sealed } = await challenged();
    const pending = await getTransaction(shop, transactionId);
    assert.deepEqual((await eventsOf(shop, transactionId))[0].payload, pending);
    assert.equal(pending.authentication, undefined);
    await answerChallenge(shop, url, "approve");
    assert.equal(ok(await frame.continue(sealed)).state, "approved");
    assert.equal((await getTransaction(shop, transactionId)).authentication.status, "authenticated");
    assert.equal((await getRequest(shop, frame.requestId)).transactionResult.id, transactionId);
    assert.equal(
      ok(await frame.continue(sealed)).state,
      "approved",
      "a repeated call returns the same outcome",
    );
    assert.equal((await eventsOf(shop, transactionId)).length, 3);
  });

  test("when the payer fails the challenge, the payment is declined", async () => {
    const { frame, transactionId, url, sealed } = await challenged();
    await answerChallenge(shop, url, "fail");
    const paid = ok(await frame.continue(sealed));
    assert.equal(paid.state, "declined");
    assert.deepEqual(paid.result.codes, [shownCode(FAILED_CODE, gateway.baseUrl)]);
    await assertUnauthenticated(frame, transactionId, "failed");
  });

  test("when the payer leaves, the payment is declined as abandoned; leaving twice changes nothing", async () => {
    const { frame, transactionId, url, sealed } = await challenged();
    ok(await frame.abandon());
    await assertUnauthenticated(frame, transactionId, "abandoned");
    ok(await frame.abandon());
    await answerChallenge(shop, url, "approve");
    assert.equal(ok(await frame.continue(sealed)).state, "declined");
    await assertUnauthenticated(frame, transactionId, "abandoned");
  });

  test("a challenge without an answer is abandoned after 15 minutes, not before", async () => {
    const ours = await newShop();
    const { frame, transactionId, url, sealed } = await challenged(ours);
    await advanceClock(ours, 14 * 60);
    assert.equal(ok(await frame.outcome()).state, "pending");
    await answerChallenge(ours, url, "approve");
    await advanceClock(ours, 61);
    await eventually(
      "the challenge is abandoned",
      async () => ok(await frame.outcome()).state === "declined",
    );
    assert.equal(ok(await frame.continue(sealed)).state, "declined");
    await assertUnauthenticated(frame, transactionId, "abandoned");
  });

  test("the payment continues only on the issuer's result, never on the frame's request alone", async () => {
    const { frame, transactionId, sealed } = await challenged();
    const waiting = ok(await frame.continue(sealed));
    assert.equal(waiting.state, "challenge");
    assert.deepEqual(waiting.result, { mode: "sandbox", status: "pending" });
    assert.deepEqual(await callsOf(transactionId), []);
    ok(await frame.abandon());
  });

  test("the sealed state must be the frame's own and unaltered; the right one still works", async () => {
    const [one, other] = [await challenged(), await challenged()];
    await answerChallenge(shop, one.url, "approve");
    const altered = one.sealed.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const sealed of [altered, other.sealed, "x", one.sealed.slice(0, -20)]) {
      const refused = await one.frame.continue(sealed);
      assert.equal(refused.status, 409);
      assert.deepEqual(problemsOf(refused), ["V11617 /sealed"]);
      assert.deepEqual(await callsOf(one.transactionId), []);
    }
    assert.equal(ok(await one.frame.continue(one.sealed)).state, "approved");
    ok(await other.frame.abandon());
  });

  test("the first answer to a challenge is final", async () => {
    const { frame, url, sealed } = await challenged();
    await answerChallenge(shop, url, "fail");
    await answerChallenge(shop, url, "approve");
    assert.equal(ok(await frame.continue(sealed)).state, "declined");
  });

  test("ten concurrent continuations charge once", async () => {
    const { frame, transactionId, url, sealed } = await challenged();
    await answerChallenge(shop, url, "approve");
    const answers = await Promise.all(Array.from({ length: 10 }, () => frame.continue(sealed)));
    assert.ok(answers.every((answer) => ["approved", "pending"].includes(ok(answer).state)));
    assert.equal(ok(await frame.outcome()).state, "approved");
    assert.equal((await eventsOf(shop, transactionId)).length, 3);
  });

  test("of a concurrent abandon and continue, exactly one takes effect", async () => {
    const states = new Set<string>();
    const { payer, other, settle } = handicap();
    for (let time = 0; time < 10 || (states.size < 2 && time < 60); time += 1) {
      const { frame, url, sealed, transactionId } = await challenged();
      await answerChallenge(shop, url, "approve");
      const [abandoned, continued] = await Promise.all([
        other().then(() => frame.abandon()),
        payer().then(() => frame.continue(sealed)),
      ]);
      assert.equal(ok(abandoned).result.status, "ok");
      const { state } = ok(await frame.outcome());
      assert.equal(ok(continued).state, state, "the payer's answer is the outcome");
      if (state === "declined") await assertUnauthenticated(frame, transactionId, "abandoned");
      else {
        assert.equal(state, "approved");
        assert.equal((await callsOf(transactionId)).length, 1);
        assert.equal((await getTransaction(shop, transactionId)).result.status, "approved");
      }
      states.add(state);
      settle(state === "approved");
    }
    assert.deepEqual([...states].sort(), ["approved", "declined"], "each side must have won at least once");
  });

  test("the request is locked during a challenge", async () => {
    const { frame, url, sealed } = await challenged();
    const cancelled = await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`);
    assert.deepEqual(problemsOf(cancelled), ["V11612"]);
    await assert.rejects(openFrameOn(shop, frame.requestId), /V11612/);
    await answerChallenge(shop, url, "approve");
    assert.equal(ok(await frame.continue(sealed)).state, "approved");
  });

  test("a challenge that began before the request expired can finish afterwards", async () => {
    const ours = await newShop();
    const expiryDateTime = new Date(Date.now() + 90_000).toISOString();
    const { frame, url, sealed } = await challenged(ours, { expiryDateTime });
    await advanceClock(ours, 120);
    await answerChallenge(ours, url, "approve");
    assert.equal(ok(await frame.continue(sealed)).state, "approved");
    assert.equal((await getRequest(ours, frame.requestId)).paymentRequestStatus, "completed");
  });

  test("a challenge that fails after the request expired does not reopen the request", async () => {
    const ours = await newShop();
    const expiryDateTime = new Date(Date.now() + 90_000).toISOString();
    const { frame, url, sealed } = await challenged(ours, { expiryDateTime });
    await advanceClock(ours, 120);
    await answerChallenge(ours, url, "fail");
    assert.equal(ok(await frame.continue(sealed)).state, "declined");
    assert.equal((await getRequest(ours, frame.requestId)).paymentRequestStatus, "completed");
  });

  test("the issuer's page accepts only its own challenges and answers", async () => {
    assert.equal((await answerChallenge(shop, `/sandbox/bank/${"x".repeat(32)}`, "approve")).status, 404);
    const { frame, url } = await challenged();
    const invalid = await answerChallenge(shop, url, "maybe" as "approve");
    assert.equal(invalid.status, 400);
    assert.equal(ok(await frame.continue("x")).state, "challenge");
    ok(await frame.abandon());
  });

  test("a merchant without the 3D Secure capability cannot request it", async () => {
    const ours = await newShop();
    ok(await callApi(ours, "PUT", "/management/account", { capabilities: { threeDSecure: false } }));
    const refused = await callApi(ours, "POST", "/paymentrequests", {
      payment: { amount: 3000 },
      paymentMethods: ["card"],
      transactionRequest: { category: SECURE },
    });
    assert.equal(refused.status, 403);
  });
});
