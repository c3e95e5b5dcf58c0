import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  answerChallenge,
  callApi,
  createRequest,
  eventsOf,
  getRequest,
  initialise,
  ok,
  openFrame,
  openFrameOn,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const ALWAYS_DECLINED = 14_405;
/** Declined on the first attempt, approved on the second. */
const DECLINED_ONCE = 14_419;
const ANSWER_LOST = 14_481;
const CHALLENGED = 14_418;

describe("contract 3: several attempts in the embedded checkout", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const attemptIds = async (requestId: string): Promise<readonly string[]> =>
    ((await getRequest(shop, requestId)).transactionAttempts ?? []).map(({ id }: { id: string }) => id);

  async function tokenStatus(requestId: string): Promise<readonly string[]> {
    const rows = await gateway.database.rows<{ status: string }>(
      "select status from one_time_tokens where payment_request_id = $1 order by created_at",
      [requestId],
    );
    return rows.map(({ status }) => status);
  }

  for (const attempts of [undefined, 1, 2, 3]) {
    test(`${attempts ?? "no"} attempts: declines are listed at once, and the last one ends the request`, async () => {
      const allowed = attempts ?? 1;
      const frame = await openFrame(shop, { amount: ALWAYS_DECLINED, ...(attempts && { attempts }) });
      const declined: string[] = [];
      for (let nth = 1; nth <= allowed; nth += 1) {
        const previousTransactionId = declined.at(-1);
        const paid = ok(await frame.pay({ ...(previousTransactionId && { previousTransactionId }) }));
        assert.equal(paid.state, "declined");
        assert.equal(paid.attemptsLeft, nth === allowed ? undefined : allowed - nth);
        declined.push(paid.transactionId);
        assert.deepEqual(ok(await frame.outcome()), paid);
        const request = await getRequest(shop, frame.requestId);
        assert.equal(request.paymentRequestStatus, nth === allowed ? "completed" : "created");
        assert.equal(request.transactionRequest.attempts, attempts);
        assert.deepEqual(await attemptIds(frame.requestId), declined);
        assert.deepEqual(await tokenStatus(frame.requestId), [nth === allowed ? "processed" : "initialised"]);
      }
      assert.equal(new Set(declined).size, allowed);
      const more = await frame.pay({ previousTransactionId: declined.at(-1) ?? "" });
      assert.equal(more.status, 409);
      assert.deepEqual(problemsOf(more), ["V11610"]);
      assert.deepEqual(problemsOf(await initialise(shop, frame.token)), ["V11610 /token"]);
      const statuses = (await eventsOf(shop, frame.requestId)).map(
        ({ payload }: { payload: { paymentRequestStatus: string } }) => payload.paymentRequestStatus,
      );
      assert.equal(statuses.at(-1), "completed");
    });
  }

  test("an approval before the last attempt ends the request, and the token pays no more", async () => {
    const frame = await openFrame(shop, { amount: DECLINED_ONCE, attempts: 3 });
    const first = ok(await frame.pay());
    assert.equal(first.state, "declined");
    const second = ok(await frame.pay({ previousTransactionId: first.transactionId }));
    assert.equal(second.state, "approved");
    const request = await getRequest(shop, frame.requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal(request.transactionResult.id, second.transactionId);
    assert.deepEqual(await attemptIds(frame.requestId), [first.transactionId]);
    assert.deepEqual(await tokenStatus(frame.requestId), ["processed"]);
    const more = await frame.pay({ previousTransactionId: second.transactionId });
    assert.deepEqual(problemsOf(more), ["V11610"]);
    assert.deepEqual(problemsOf(await initialise(shop, frame.token)), ["V11610 /token"]);
  });

  test("a payment that the browser repeats on its own is not a second attempt", async () => {
    const frame = await openFrame(shop, { amount: DECLINED_ONCE, attempts: 3 });
    const first = ok(await frame.pay());
    for (const previousTransactionId of [undefined, "txn_other"]) {
      const repeated = await frame.pay({ ...(previousTransactionId && { previousTransactionId }) });
      assert.equal(repeated.status, 409);
      assert.deepEqual(problemsOf(repeated), ["V11610"]);
    }
    assert.deepEqual(await attemptIds(frame.requestId), [first.transactionId]);
    assert.deepEqual(ok(await frame.outcome()), first);
  });

  test("a reload after a decline starts a new session with the attempts that are left", async () => {
    const frame = await openFrame(shop, { amount: DECLINED_ONCE, attempts: 2 });
    const first = ok(await frame.pay());
    const { session } = ok(await initialise(shop, frame.token));
    assert.equal((await frame.pay({ previousTransactionId: first.transactionId })).status, 401);
    const newer = frame.with(session);
    assert.equal(ok(await newer.outcome()).state, "none");
    assert.equal(ok(await newer.pay()).state, "approved");
  });

  test("two tokens share the attempts of their request, and of concurrent payments one is taken", async () => {
    const one = await openFrame(shop, { amount: ALWAYS_DECLINED, attempts: 2 });
    const other = await openFrameOn(shop, one.requestId);
    const first = ok(await one.pay());
    assert.equal(first.attemptsLeft, 1);
    const again = { previousTransactionId: first.transactionId };
    const raced = await Promise.all([one.pay(again), one.pay(again), other.pay(), other.pay()]);
    assert.equal(raced.filter(({ status }) => status === 200).length, 1);
    const request = await getRequest(shop, one.requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal(request.transactionAttempts.length, 2);
    const found = await callApi(shop, "GET", `/transactions?paymentrequestid=${one.requestId}`);
    assert.equal(ok(found).count, 2);
  });

  test("concurrent repeats while an attempt ends neither deadlock nor make another attempt", async () => {
    for (let time = 0; time < 5; time += 1) {
      const frame = await openFrame(shop, { amount: ALWAYS_DECLINED, attempts: 3 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => frame.pay()));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const { status } of answers) assert.ok([200, 409].includes(status), String(status));
      assert.equal((await attemptIds(frame.requestId)).length, 1);
    }
  });

  test("an attempt without an answer blocks the next one, also after a reload, until its outcome is known", async () => {
    const frame = await openFrame(shop, { amount: ANSWER_LOST, attempts: 3 });
    const other = await openFrameOn(shop, frame.requestId);
    const pending = ok(await frame.pay());
    assert.equal(pending.state, "pending");
    const again = await frame.pay({ previousTransactionId: pending.transactionId });
    assert.deepEqual(problemsOf(again), ["V11610"]);
    assert.deepEqual(problemsOf(await other.pay()), ["V11612"]);
    assert.deepEqual(problemsOf(await initialise(shop, frame.token)), ["V11610 /token"]);
    await eventually("the attempt is settled", async () => ok(await frame.outcome()).state === "approved");
    assert.equal((await getRequest(shop, frame.requestId)).transactionResult.id, pending.transactionId);
  });

  test("a failed and an abandoned challenge count, and the payer tries again", async () => {
    const category = { authenticationType: "3d_secure" };
    const frame = await openFrame(shop, { amount: CHALLENGED, category, attempts: 3 });
    const first = ok(await frame.pay());
    await answerChallenge(shop, first.challenge.url, "fail");
    const failed = ok(await frame.continue(first.challenge.sealed));
    assert.deepEqual([failed.state, failed.attemptsLeft], ["declined", 2]);
    const second = ok(await frame.pay({ previousTransactionId: first.transactionId }));
    ok(await frame.abandon());
    const abandoned = ok(await frame.outcome());
    assert.deepEqual([abandoned.state, abandoned.attemptsLeft], ["declined", 1]);
    const third = ok(await frame.pay({ previousTransactionId: second.transactionId }));
    await answerChallenge(shop, third.challenge.url, "approve");
    assert.equal(ok(await frame.continue(third.challenge.sealed)).state, "approved");
    assert.deepEqual(await attemptIds(frame.requestId), [first.transactionId, second.transactionId]);
  });

  test("what is refused before it is an attempt does not count", async () => {
    const frame = await openFrame(shop, { amount: DECLINED_ONCE, attempts: 2 });
    const first = ok(await frame.pay());
    const previousTransactionId = first.transactionId;
    for (const wrong of [{ total: 1 }, { card: { number: "4111111111111112" } }])
      assert.equal((await frame.pay({ ...wrong, previousTransactionId })).status, 400);
    assert.equal(ok(await frame.pay({ previousTransactionId })).state, "approved");
  });

  test("nothing begins after the request or the token has expired", async () => {
    const ours = shopOf(gateway, (await gateway.newMerchant()).key);
    const expiryDateTime = new Date(Date.now() + 120_000).toISOString();
    const short = await openFrame(ours, { amount: DECLINED_ONCE, attempts: 2, expiryDateTime });
    const long = await openFrame(ours, { amount: DECLINED_ONCE, attempts: 2 });
    const declined = [ok(await short.pay()), ok(await long.pay())].map(({ transactionId }) => ({
      previousTransactionId: transactionId as string,
    }));
    await advanceClock(ours, 121);
    assert.deepEqual(problemsOf(await short.pay(declined[0])), ["V11190"]);
    assert.equal((await getRequest(ours, short.requestId)).paymentRequestStatus, "expired");
    assert.equal(ok(await short.outcome()).attemptsLeft, undefined);
    await advanceClock(ours, 60 * 60);
    assert.deepEqual(problemsOf(await long.pay(declined[1])), ["V11610"]);
    const renewed = await openFrameOn(ours, long.requestId);
    assert.equal(ok(await renewed.pay()).state, "approved");
  });

  test("a request with a declined attempt can be cancelled, and takes no further one", async () => {
    const frame = await openFrame(shop, { amount: DECLINED_ONCE, attempts: 2 });
    const { transactionId } = ok(await frame.pay());
    ok(await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`));
    assert.deepEqual(problemsOf(await frame.pay({ previousTransactionId: transactionId })), ["V11190"]);
  });

  test("attempts are a whole number from 1 to 3", async () => {
    const body = { payment: { amount: 3000 }, paymentMethods: ["card"] };
    for (const attempts of [0, 4, -1, 1.5, "2", null]) {
      const refused = await callApi(shop, "POST", "/paymentrequests", {
        ...body,
        transactionRequest: { attempts },
      });
      assert.equal(refused.status, 400, String(attempts));
      assert.deepEqual(problemsOf(refused), ["V11137 /transactionRequest/attempts"]);
    }
    for (const attempts of [1, 2, 3])
      assert.equal((await createRequest(shop, { attempts })).transactionRequest.attempts, attempts);
  });
});
