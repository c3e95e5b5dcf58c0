import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CardAcquirer } from "../../../src/connectors/ports/card-acquirer.ts";
import { decline } from "../../../src/kernel/codes/outcomes.ts";
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
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { type Point, watchContext } from "../../support/watched-context.ts";

const MANUAL = { category: { captureType: "manual" } };
const DAY = 24 * 60 * 60;

describe("contract 5: capturing and cancelling an authorisation", () => {
  let gateway: TestGateway;
  let shop: Shop;
  /** Pauses the gateway at a point while a test inspects it. */
  let pauseAt: (point: Point) => Promise<void> | undefined = () => undefined;
  /** Replaces calls of the acquirer. */
  let acquirerAnswers: Partial<CardAcquirer> = {};
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(
          withAcquirer(ctx, () => acquirerAnswers),
          (point) => pauseAt(point),
        ),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const authorise = async (on: Shop = shop) => (await payOnce(on, MANUAL)).transactionId;
  const capture = (id: string, amount?: number, headers = {}, on: Shop = shop) =>
    callApi({ ...on, headers }, "POST", `/transactions/${id}/capture`, amount && { payment: { amount } });
  const cancel = (id: string, headers = {}, on: Shop = shop) =>
    callApi({ ...on, headers }, "POST", `/transactions/${id}/cancel`);

  function assertConflict(answer: Answer, problem: string): void {
    assert.equal(answer.status, 409);
    assert.deepEqual(problemsOf(answer), [problem]);
  }

  async function capturedAmount(id: string, on: Shop = shop): Promise<[status: string, amount: number]> {
    const { captureStatus, payment } = await getTransaction(on, id);
    return [captureStatus, payment.capturedAmount];
  }

  test("a payment with captureType manual is an authorisation that has captured nothing", async () => {
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
    test(`a capture with ${what} takes the full amount, returns the transaction and publishes one event`, async () => {
      const id = await authorise();
      const answer = ok(await callApi(shop, "POST", `/transactions/${id}/capture`, body));
      assert.deepEqual(answer, await getTransaction(shop, id));
      assert.deepEqual(await capturedAmount(id), ["captured", 3000]);
      const events = await eventsOf(shop, id);
      assert.equal(events.length, 3);
      assert.deepEqual(events[2].payload, answer);
    });
  }

  test("a partial capture is final: the rest cannot be captured", async () => {
    const id = await authorise();
    ok(await capture(id, 1));
    assert.deepEqual(await capturedAmount(id), ["captured", 1]);
    assertConflict(await capture(id, 1), "V11710");
  });

  test("a capture is at most the authorised total, including the surcharge", async () => {
    const ours = await newShop();
    const surcharging = { enabled: true, rates: { visa: { percent: 10 } } };
    ok(await callApi(ours, "PUT", "/management/account", { surcharging }));
    const pay = async () => (await payOnce(ours, MANUAL, { total: 3300 })).transactionId;
    const [one, other] = [await pay(), await pay()];
    assertConflict(await capture(one, 3301, {}, ours), "V11711 /payment/amount");
    assertConflict(await capture(one, 199_999_999_998, {}, ours), "V11711 /payment/amount");
    ok(await capture(one, 3300, {}, ours));
    assert.deepEqual(await capturedAmount(one, ours), ["captured", 3300]);
    ok(await callApi(ours, "POST", `/transactions/${other}/capture`));
    assert.deepEqual(await capturedAmount(other, ours), ["captured", 3300]);
  });

  test("the largest total can be captured and refunded by its amount", async () => {
    const ours = await newShop();
    const surcharging = { enabled: true, rates: { visa: { percent: 100 } } };
    ok(await callApi(ours, "PUT", "/management/account", { surcharging }));
    const total = 199_999_999_998;
    const { transactionId } = await payOnce(ours, { amount: 99_999_999_999, ...MANUAL }, { total });
    ok(await capture(transactionId, total, {}, ours));
    assert.deepEqual(await capturedAmount(transactionId, ours), ["captured", total]);
    const refunds = `/transactions/${transactionId}/refunds`;
    assert.equal(
      ok(await callApi(ours, "POST", refunds, { payment: { amount: total } })).payment.amount,
      total,
    );
  });

  test("an invalid amount and an unknown field are refused", async () => {
    const id = await authorise();
    for (const amount of [0, -1, 1.5, "3000", null, 199_999_999_999]) {
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

  test("a purchase, a declined and a pending payment cannot be captured or cancelled", async () => {
    const purchase = (await payOnce(shop)).transactionId;
    const declined = (await payOnce(shop, { amount: 14_451, ...MANUAL })).transactionId;
    const category = { captureType: "manual", authenticationType: "3d_secure" };
    const waiting = await openFrame(shop, { amount: 14_418, category });
    const pending = ok(await waiting.pay()).transactionId;
    for (const id of [purchase, declined, pending]) {
      assertConflict(await capture(id), "V11710");
      assertConflict(await cancel(id), "V11710");
    }
    ok(await waiting.abandon());
  });

  test("a cancelled authorisation is voided once, and cannot be captured", async () => {
    const id = await authorise();
    const voided = ok(await cancel(id));
    assert.equal(voided.captureStatus, "voided");
    assert.equal(voided.result.status, "approved", "the acquirer's result is unchanged");
    assert.deepEqual(voided, await getTransaction(shop, id));
    assertConflict(await cancel(id), "V11710");
    assertConflict(await capture(id), "V11710");
    assert.equal((await eventsOf(shop, id)).length, 3);
    assert.deepEqual(await capturedAmount(id), ["voided", 0]);
  });

  test("a captured authorisation cannot be cancelled", async () => {
    const id = await authorise();
    ok(await capture(id, 2000));
    assertConflict(await cancel(id), "V11710");
    assert.deepEqual(await capturedAmount(id), ["captured", 2000]);
  });

  test("an uncaptured authorisation expires after 7 days, not before", async () => {
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
    await eventually(
      "the authorisation is expired",
      async () => (await capturedAmount(lost, ours))[0] === "expired",
    );
    assert.deepEqual(await capturedAmount(kept, ours), ["captured", 500]);
    const events = await eventsOf(ours, lost);
    assert.equal(events.length, 3);
    assert.deepEqual(events[2].payload, await getTransaction(ours, lost));
  });

  test("of twenty concurrent captures one succeeds", async () => {
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

  test("of a concurrent capture and cancellation one succeeds", async () => {
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
    test(`a ${verb} with an idempotency key takes effect once; a repeat returns the transaction's id`, async () => {
      const [id, other] = [await authorise(), await authorise()];
      const headers = { "x-idempotency-key": `${verb}-${id}` };
      const path = `/transactions/${id}/${verb}`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => callApi({ ...shop, headers }, "POST", path)),
      );
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
      const later = await callApi({ ...shop, headers }, "POST", `/transactions/${other}/${verb}`);
      for (const repeat of [...answers.filter((answer) => answer.status !== 200), later]) {
        assertConflict(repeat, "V10018");
        assert.equal(repeat.body.original.id, id);
        assert.equal(repeat.body.original.location, `${gateway.baseUrl}/transactions/${id}`);
      }
      assert.equal((await capturedAmount(id))[0], status);
      assert.equal((await capturedAmount(other))[0], "uncaptured");
    });

    test(`a refused ${verb} does not use up its key`, async () => {
      const [purchase, id] = [(await payOnce(shop)).transactionId, await authorise()];
      const headers = { "x-idempotency-key": `free-${verb}` };
      assertConflict(
        await callApi({ ...shop, headers }, "POST", `/transactions/${purchase}/${verb}`),
        "V11710",
      );
      ok(await callApi({ ...shop, headers }, "POST", `/transactions/${id}/${verb}`));
    });
  }

  test("a key is processing during a capture and done afterwards", async () => {
    const id = await authorise();
    const headers = { "x-idempotency-key": `held-${id}` };
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    pauseAt = (point) => {
      if (point !== "capture:before") return undefined;
      reached.resolve();
      return held.promise;
    };
    const capturing = capture(id, 100, headers);
    await reached.promise;
    const during = await capture(id, 100, headers);
    assertConflict(during, "V10018");
    const location = `${gateway.baseUrl}/transactions/${id}`;
    const { requestId } = during.body.original;
    assert.deepEqual(during.body.original, { requestId, status: "processing", id, location });
    pauseAt = () => undefined;
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

  test("a key is done as soon as the outcome of a capture is committed", async () => {
    const id = await authorise();
    const headers = { "x-idempotency-key": `committed-${id}` };
    let status: string | undefined;
    pauseAt = async (point) => {
      if (point !== "operation_update:committed" || status !== undefined) return;
      status = (await capture(id, 100, headers)).body.original.status;
    };
    ok(await capture(id, 100, headers));
    pauseAt = () => undefined;
    assert.equal(status, "done");
  });

  for (const [amount, code] of [
    [14_451, "D04451 insufficient_funds"],
    [14_405, "D04405 do_not_honour"],
  ] as const) {
    test(`a capture of ${amount} is declined with ${code} and leaves the authorisation as it was`, async () => {
      const id = (await payOnce(shop, { amount: 20_000, ...MANUAL })).transactionId;
      const untouched = await getTransaction(shop, id);
      const headers = { "x-idempotency-key": `declined-${id}` };
      const answer = ok(await capture(id, amount, headers));
      assert.deepEqual(answer.result, {
        mode: "sandbox",
        status: "declined",
        codes: [shownCode(code, gateway.baseUrl, "operation")],
      });
      assert.deepEqual({ ...answer, result: untouched.result }, untouched);
      assert.deepEqual(await getTransaction(shop, id), untouched);
      assert.equal((await eventsOf(shop, id)).length, 2, "nothing visible changed");
      assertConflict(await capture(id, amount, headers), "V10018");
      ok(await capture(id, 20_000));
      assert.deepEqual(await capturedAmount(id), ["captured", 20_000]);
    });
  }

  test("a capture's reference is on the transaction, in its event and in lists, once it is captured", async () => {
    const referred = (id: string, reference: string, amount?: number) =>
      callApi(shop, "POST", `/transactions/${id}/capture`, {
        reference,
        ...(amount === undefined ? {} : { payment: { amount } }),
      });
    const id = (await payOnce(shop, { amount: 20_000, ...MANUAL })).transactionId;
    const declined = ok(await referred(id, "declined one", 14_405));
    assert.deepEqual([declined.result.status, "captureReference" in declined], ["declined", false]);
    const captured = ok(await referred(id, "shipment-1"));
    assert.equal(captured.captureReference, "shipment-1");
    assert.deepEqual(await getTransaction(shop, id), captured);
    assert.deepEqual((await eventsOf(shop, id)).at(-1)?.payload, captured);
    assert.deepEqual(ok(await callApi(shop, "GET", "/transactions?limit=1")).transactions, [captured]);

    const other = await authorise();
    assert.equal("captureReference" in ok(await capture(other)), false);
  });

  test("a capture's reference is kept until an unknown outcome is found out", async () => {
    const id = await authorise();
    acquirerAnswers = { capture: async () => ({ kind: "unknown" }) };
    const pending = ok(
      await callApi(shop, "POST", `/transactions/${id}/capture`, { reference: "shipment-2" }),
    );
    assert.deepEqual([pending.result.status, "captureReference" in pending], ["pending", false]);
    acquirerAnswers = {};
    await eventually("it is captured", async () => (await capturedAmount(id))[0] === "captured");
    assert.equal((await getTransaction(shop, id)).captureReference, "shipment-2");
  });

  test("a capture of 14400, 14411 or another amount is approved", async () => {
    for (const amount of [14_400, 14_411, 14_419, 14_482]) {
      const id = (await payOnce(shop, { amount: 20_000, ...MANUAL })).transactionId;
      assert.equal(ok(await capture(id, amount)).result.status, "approved");
      assert.deepEqual(await capturedAmount(id), ["captured", amount]);
    }
  });

  test("a void that the acquirer declines answers its code, and the authorisation stays usable", async () => {
    const [id, other] = [await authorise(), await authorise()];
    acquirerAnswers = { void: async () => decline("suspected_malfunction") };
    for (const one of [id, other]) {
      const answer = ok(await cancel(one));
      const codes = [shownCode("D04422 suspected_malfunction", gateway.baseUrl, "operation")];
      assert.deepEqual(answer.result, { mode: "sandbox", status: "declined", codes });
      assert.equal(answer.captureStatus, "uncaptured");
    }
    acquirerAnswers = {};
    assert.equal(ok(await cancel(id)).captureStatus, "voided");
    assert.equal(ok(await capture(other)).captureStatus, "captured");
    assert.equal((await eventsOf(shop, id)).length, 3);
  });

  for (const [verb, status] of [["capture", "captured"] as const, ["cancel", "voided"] as const]) {
    test(`a ${verb} whose outcome is unknown answers pending and is finished later`, async () => {
      const id = await authorise();
      const unknown = async () => ({ kind: "unknown" }) as const;
      acquirerAnswers = { capture: unknown, void: unknown };
      const answer = ok(await callApi(shop, "POST", `/transactions/${id}/${verb}`));
      assert.deepEqual(answer.result, { mode: "sandbox", status: "pending" });
      assert.equal(answer.captureStatus, "uncaptured");
      assertConflict(await capture(id), "V11712");
      acquirerAnswers = {};
      await gateway.database.rows("update jobs set due_at = now() where kind = 'transaction_operation'");
      await eventually(
        `the authorisation is ${status}`,
        async () => (await capturedAmount(id))[0] === status,
      );
      assert.equal((await eventsOf(shop, id)).length, 3);
    });
  }

  test("an expired authorisation whose release the acquirer declines is released later", async () => {
    const ours = await newShop();
    const id = await authorise(ours);
    acquirerAnswers = { void: async () => decline("error") };
    await advanceClock(ours, 7 * DAY + 1);
    await eventually("the release was declined", async () => {
      const find = "select problem from jobs where kind = 'transaction_expire' and subject_id = $1";
      const [job] = await gateway.database.rows<{ problem: string | null }>(find, [id]);
      return /declined/.test(job?.problem ?? "");
    });
    assert.deepEqual(await capturedAmount(id, ours), ["uncaptured", 0]);
    acquirerAnswers = {};
    await gateway.database.rows("update jobs set due_at = now() where kind = 'transaction_expire'");
    await eventually("it is expired", async () => (await capturedAmount(id, ours))[0] === "expired");
  });

  describe("an expiry follows a capture that is unfinished", () => {
    const expiries = (id: string) =>
      gateway.database.rows("select from jobs where kind = 'transaction_expire' and subject_id = $1", [id]);
    const expireDuringCapture = async () => {
      const ours = await newShop();
      const id = await authorise(ours);
      acquirerAnswers = { capture: async () => ({ kind: "unknown" }) };
      ok(await callApi(ours, "POST", `/transactions/${id}/capture`));
      await advanceClock(ours, 7 * DAY + 1);
      await eventually("its own job has ended", async () => (await expiries(id)).length === 0);
      assert.deepEqual(await capturedAmount(id, ours), ["uncaptured", 0]);
      return { ours, id };
    };
    const repeatCapture = () =>
      gateway.database.rows("update jobs set due_at = now() where kind = 'transaction_operation'");

    test("and releases the hold at once if the capture is declined", async () => {
      const { ours, id } = await expireDuringCapture();
      acquirerAnswers = { capture: async () => decline("error") };
      await repeatCapture();
      await eventually("it is expired", async () => (await capturedAmount(id, ours))[0] === "expired");
      await eventually("no job is left", async () => (await expiries(id)).length === 0);
    });

    test("and does nothing if the capture is made", async () => {
      const { ours, id } = await expireDuringCapture();
      acquirerAnswers = {};
      await repeatCapture();
      await eventually("it is captured", async () => (await capturedAmount(id, ours))[0] === "captured");
      await eventually("no job is left", async () => (await expiries(id)).length === 0);
      assert.equal((await capturedAmount(id, ours))[0], "captured");
    });
  });

  test("an acquirer that goes on declining the release is asked ever more rarely", async () => {
    const ours = await newShop();
    const id = await authorise(ours);
    let calls = 0;
    acquirerAnswers = {
      void: async () => {
        calls += 1;
        return decline("error");
      },
    };
    await advanceClock(ours, 7 * DAY + 1);
    const job = "jobs where kind = 'transaction_expire' and subject_id = $1";
    const triesOf = async () => {
      const [found] = await gateway.database.rows<{ tries: number }>(`select tries from ${job}`, [id]);
      return found?.tries ?? 0;
    };
    const runNow = async () => {
      const before = await triesOf();
      // A run that is under way sets its own time for the next one.
      await eventually("the job has run", async () => {
        await gateway.database.rows(`update ${job.replace("where", "set due_at = now() where")}`, [id]);
        return (await triesOf()) > before;
      });
    };
    const expiries = "transaction_operations where transaction_id = $1 and kind = 'expire'";
    const operations = () =>
      gateway.database.rows<{ id: string }>(`select id from ${expiries} order by id`, [id]);
    const backdate = (hours: number, some: readonly { readonly id: string }[]) =>
      gateway.database.rows(
        `update transaction_operations
         set created_at = (created_at at time zone 'UTC' - $2 * interval '1 hour') at time zone 'UTC'
         where transaction_id = $1 and id = any ($3)`,
        [id, hours, some.map((one) => one.id)],
      );
    await eventually("it was asked", async () => calls > 0);
    await backdate(1, (await operations()).slice(0, 1));
    await eventually("it was asked again", async () => {
      await runNow();
      return calls > 1;
    });
    const asked = calls;
    for (let time = 0; time < 3; time += 1) await runNow();
    assert.equal(calls, asked, "the last time was not as long ago as the first one before it");
    await backdate(2, await operations());
    await runNow();
    await eventually("it was asked once more", async () => calls === asked + 1);
    const [found] = await gateway.database.rows<{ problem: string }>(`select problem from ${job}`, [id]);
    assert.match(found?.problem ?? "", /declined/);
    acquirerAnswers = {};
  });

  test("another merchant's transaction is 404", async () => {
    const otherShop = await newShop();
    const id = await authorise();
    for (const unknown of [id, "txn_0000000000000000000000000000x", "x", "pr_1"]) {
      for (const verb of ["capture", "cancel"]) {
        const answer = await callApi(otherShop, "POST", `/transactions/${unknown}/${verb}`);
        assert.equal(answer.status, 404);
        assert.deepEqual(problemsOf(answer), ["V11010"]);
      }
    }
    assert.deepEqual(await capturedAmount(id), ["uncaptured", 0]);
  });
});
