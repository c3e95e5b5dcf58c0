import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  eventsOf,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { stopSound } from "../../support/invariants.ts";
import { type Point, watchWorld } from "../../support/watched-world.ts";

const MANUAL = { category: { captureType: "manual" } };
const DAY = 24 * 60 * 60;

describe("CONTRACT 5: captures and cancellations of an authorisation", () => {
  let gateway: TestGateway;
  let shop: Shop;
  /** Where the acquirer is held up, when a test wants to look around meanwhile. */
  let holdUp: (point: Point) => Promise<void> | undefined = () => undefined;
  before(async () => {
    gateway = await startTestGateway({ wrapContext: (ctx) => watchWorld(ctx, (point) => holdUp(point)) });
    shop = shopOf(gateway);
  });
  after(() => stopSound(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const authorise = async (on: Shop = shop) => (await payOnce(on, MANUAL)).transactionId;
  const capture = (id: string, amount?: number, headers = {}, on: Shop = shop) =>
    callApi(on, "POST", `/transactions/${id}/capture`, amount && { payment: { amount } }, headers);
  const cancel = (id: string, headers = {}, on: Shop = shop) =>
    callApi(on, "POST", `/transactions/${id}/cancel`, undefined, headers);

  function refused(answer: Answer, problem: string): void {
    assert.equal(answer.status, 409);
    assert.deepEqual(problemsOf(answer), [problem]);
  }

  async function capturedAmount(id: string, on: Shop = shop): Promise<[status: string, amount: number]> {
    const { captureStatus, payment } = await getTransaction(on, id);
    return [captureStatus, payment.capturedAmount];
  }

  test("with captureType manual a payment is an authorisation that has taken nothing yet", async () => {
    const id = await authorise();
    const transaction = await getTransaction(shop, id);
    assert.equal(transaction.category.method, "authorisation");
    assert.equal(transaction.category.captureType, "manual");
    assert.equal(transaction.result.status, "approved");
    assert.deepEqual(await capturedAmount(id), ["uncaptured", 0]);
  });

  for (const [what, body] of [
    ["no body", undefined],
    ["an empty body", {}],
    ["an empty payment", { payment: {} }],
    ["a reference", { reference: "capture-1" }],
  ] as const) {
    test(`a capture with ${what} takes all, answers the transaction and tells of it once`, async () => {
      const id = await authorise();
      const answer = ok(await callApi(shop, "POST", `/transactions/${id}/capture`, body));
      assert.deepEqual(answer, await getTransaction(shop, id));
      assert.deepEqual(await capturedAmount(id), ["captured", 3000]);
      const told = await eventsOf(shop, id);
      assert.equal(told.length, 3);
      assert.deepEqual(told[2].payload, answer);
    });
  }

  test("a capture can be a part; what is left can't be captured any more", async () => {
    const id = await authorise();
    ok(await capture(id, 1));
    assert.deepEqual(await capturedAmount(id), ["captured", 1]);
    refused(await capture(id, 1), "V11710");
  });

  test("a capture is at most the authorised total, surcharge included", async () => {
    const ours = await newShop();
    const surcharging = { enabled: true, rates: { visa: { percent: 10 } } };
    ok(await callApi(ours, "PUT", "/management/account", { surcharging }));
    const pay = async () => (await payOnce(ours, MANUAL, { total: 3300 })).transactionId;
    const [one, other] = [await pay(), await pay()];
    refused(await capture(one, 3301, {}, ours), "V11711 /payment/amount");
    refused(await capture(one, 99_999_999_999, {}, ours), "V11711 /payment/amount");
    ok(await capture(one, 3300, {}, ours));
    assert.deepEqual(await capturedAmount(one, ours), ["captured", 3300]);
    ok(await callApi(ours, "POST", `/transactions/${other}/capture`));
    assert.deepEqual(await capturedAmount(other, ours), ["captured", 3300]);
  });

  test("an amount that is none, and a field that nobody knows, are refused", async () => {
    const id = await authorise();
    for (const amount of [0, -1, 1.5, "3000", null, 100_000_000_000]) {
      const answer = await callApi(shop, "POST", `/transactions/${id}/capture`, { payment: { amount } });
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), ["V11701 /payment/amount"]);
    }
    for (const [body, problem] of [
      [{ amount: 1 }, "V11003 /amount"],
      [{ payment: 1 }, "V11700 /payment"],
      [{ reference: "" }, "V10004 /reference"],
      [{ reference: "x".repeat(65) }, "V10004 /reference"],
    ] as const) {
      const answer = await callApi(shop, "POST", `/transactions/${id}/capture`, body);
      assert.deepEqual(problemsOf(answer), [problem]);
    }
    assert.deepEqual(await capturedAmount(id), ["uncaptured", 0]);
  });

  test("a purchase, a declined and a pending payment can be neither captured nor cancelled", async () => {
    const purchase = (await payOnce(shop)).transactionId;
    const declined = (await payOnce(shop, { amount: 14_451, ...MANUAL })).transactionId;
    const category = { captureType: "manual", authenticationType: "3d_secure" };
    const waiting = await openFrame(shop, { amount: 14_418, category });
    const pending = ok(await waiting.pay()).transactionId;
    for (const id of [purchase, declined, pending]) {
      refused(await capture(id), "V11710");
      refused(await cancel(id), "V11710");
    }
    ok(await waiting.abandon());
  });

  test("a cancelled authorisation is voided, once, and nothing can be captured", async () => {
    const id = await authorise();
    const voided = ok(await cancel(id));
    assert.equal(voided.captureStatus, "voided");
    assert.equal(voided.result.status, "approved", "the bank's answer stays what it was");
    assert.deepEqual(voided, await getTransaction(shop, id));
    refused(await cancel(id), "V11710");
    refused(await capture(id), "V11710");
    assert.equal((await eventsOf(shop, id)).length, 3);
    assert.deepEqual(await capturedAmount(id), ["voided", 0]);
  });

  test("after a capture nothing can be cancelled", async () => {
    const id = await authorise();
    ok(await capture(id, 2000));
    refused(await cancel(id), "V11710");
    assert.deepEqual(await capturedAmount(id), ["captured", 2000]);
  });

  test("an authorisation that nobody captures expires after 7 days; a moment before, it has not", async () => {
    const ours = await newShop();
    const [kept, lost] = [await authorise(ours), await authorise(ours)];
    await advanceClock(ours, 7 * DAY - 60);
    ok(await capture(kept, 500, {}, ours));
    assert.deepEqual(await capturedAmount(lost, ours), ["uncaptured", 0]);
    await advanceClock(ours, 61);
    for (const answer of [await capture(lost, undefined, {}, ours), await cancel(lost, {}, ours)]) {
      assert.equal(answer.status, 409);
      assert.match(problemsOf(answer).join(), /^V11710$|^V11712$/);
    }
    await eventually("it is expired", async () => (await capturedAmount(lost, ours))[0] === "expired");
    assert.deepEqual(await capturedAmount(kept, ours), ["captured", 500]);
    const told = await eventsOf(ours, lost);
    assert.equal(told.length, 3);
    assert.deepEqual(told[2].payload, await getTransaction(ours, lost));
  });

  test("of twenty captures at once one takes the money", async () => {
    const id = await authorise();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => capture(id, 100 + nth)));
    const taken = answers.filter((answer) => answer.status === 200);
    assert.equal(taken.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 409);
      assert.match(problemsOf(answer).join(), /^V1171[02]$/);
    }
    assert.deepEqual(await capturedAmount(id), ["captured", taken[0]?.body.payment.capturedAmount]);
  });

  test("of a capture and a cancellation at once one happens", async () => {
    const ends = new Set<string>();
    for (let time = 0; time < 30; time += 1) {
      const id = await authorise();
      const calls = time % 2 === 0 ? [capture(id), cancel(id)] : [cancel(id), capture(id)];
      const won = (await Promise.all(calls)).filter((answer) => answer.status === 200);
      assert.equal(won.length, 1);
      const [status] = await capturedAmount(id);
      assert.equal(status, won[0]?.body.captureStatus);
      ends.add(status);
    }
    assert.deepEqual([...ends].sort(), ["captured", "voided"]);
  });

  for (const [verb, status] of [["capture", "captured"] as const, ["cancel", "voided"] as const]) {
    test(`a ${verb} with an idempotency key happens once; a repeat is told what the first did`, async () => {
      const [id, other] = [await authorise(), await authorise()];
      const headers = { "x-idempotency-key": `${verb}-${id}` };
      const path = `/transactions/${id}/${verb}`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => callApi(shop, "POST", path, undefined, headers)),
      );
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
      const later = await callApi(shop, "POST", `/transactions/${other}/${verb}`, undefined, headers);
      for (const repeat of [...answers.filter((answer) => answer.status !== 200), later]) {
        refused(repeat, "V10018");
        assert.equal(repeat.body.original.id, id);
        assert.equal(repeat.body.original.location, `${gateway.baseUrl}/transactions/${id}`);
      }
      assert.equal((await capturedAmount(id))[0], status);
      assert.equal((await capturedAmount(other))[0], "uncaptured");
    });

    test(`a ${verb} that is refused leaves its key free`, async () => {
      const [purchase, id] = [(await payOnce(shop)).transactionId, await authorise()];
      const headers = { "x-idempotency-key": `free-${verb}` };
      refused(await callApi(shop, "POST", `/transactions/${purchase}/${verb}`, undefined, headers), "V11710");
      ok(await callApi(shop, "POST", `/transactions/${id}/${verb}`, undefined, headers));
    });
  }

  test("while a capture is under way its key says processing; once it has been answered, done", async () => {
    const id = await authorise();
    const headers = { "x-idempotency-key": `held-${id}` };
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    holdUp = (point) => {
      if (point !== "capture:before") return undefined;
      reached.resolve();
      return held.promise;
    };
    const capturing = capture(id, 100, headers);
    await reached.promise;
    const during = await capture(id, 100, headers);
    refused(during, "V10018");
    const location = `${gateway.baseUrl}/transactions/${id}`;
    const { requestId } = during.body.original;
    assert.deepEqual(during.body.original, { requestId, status: "processing", id, location });
    holdUp = () => undefined;
    held.resolve();
    const first = await capturing;
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("x-request-id"), requestId);
    assert.deepEqual((await capture(id, 100, headers)).body.original, {
      requestId,
      status: "done",
      id,
      location,
    });
  });

  test("a key whose request was cut off says done once nobody can be working any more", async () => {
    const id = await authorise();
    const headers = { "x-idempotency-key": `cut-${id}` };
    ok(await capture(id, 100, headers));
    const age = (seconds: number) =>
      gateway.database.rows(
        `update idempotency_keys set status = 'processing', created_at = now() - interval '${seconds} seconds'
         where key = 'cut-${id}'`,
      );
    await age(50);
    assert.equal((await capture(id, 100, headers)).body.original.status, "processing");
    await age(61);
    assert.equal((await capture(id, 100, headers)).body.original.status, "done");
  });

  test("another merchant's transaction is none", async () => {
    const stranger = await newShop();
    const id = await authorise();
    for (const unknown of [id, "txn_0000000000000000000000000000x", "x", "pr_1"]) {
      for (const verb of ["capture", "cancel"]) {
        const answer = await callApi(stranger, "POST", `/transactions/${unknown}/${verb}`);
        assert.equal(answer.status, 404);
        assert.deepEqual(problemsOf(answer), ["V11010"]);
      }
    }
    assert.deepEqual(await capturedAmount(id), ["uncaptured", 0]);
  });
});
