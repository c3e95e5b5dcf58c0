import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  callApi,
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { shownCode } from "../support/codes.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { counted, recordedPayments, sumOf } from "../support/payment-metrics.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import { gate, type Listener, watchContext } from "../support/watched-context.ts";

const SECURE = { authenticationType: "3d_secure" };

const fail = () => {
  throw new Error("planted");
};

describe("PROOF rule 1: an unknown outcome is pending until the acquirer confirms it", () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  let shop: Shop;
  /** Called at each point of the gateway's work. A test injects its fault here. */
  let fault: Listener = () => {};

  before(async () => {
    database = await cloneDatabase();
    gateway = await startTestGateway({
      database,
      wrapContext: (ctx) => watchContext(ctx, (point) => fault(point)),
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  /** A fault that happens once, at one point. */
  function once(where: string, what: () => Promise<void> | void): Listener {
    let armed = true;
    return (point) => {
      if (point !== where || !armed) return undefined;
      armed = false;
      return what();
    };
  }

  /** Runs the recovery, and asserts that the attempt gets that status and that nothing stays open. */
  async function assertRecovered(transactionId: string, status: "approved" | "declined") {
    await database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
    await eventually(`the attempt is ${status}`, async () => {
      return (await getTransaction(shop, transactionId)).result.status === status;
    });
    await eventually("nothing is unsettled", async () => (await findUnsettled(database)).length === 0);
    await assertInvariants(database);
  }

  test("if the connection breaks before the acquirer gets the request, the attempt is reversed and declined", async () => {
    fault = once("authorise:before", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.deepEqual(paid.result, { mode: "sandbox", status: "pending" });
    await assertRecovered(paid.transactionId, "declined");
    const { result } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(result.codes, [shownCode("D10009 downstream_error", gateway.baseUrl)]);
    assert.equal(ok(await frame.outcome()).state, "declined");
  });

  test("if the connection breaks after the acquirer approved, the attempt is approved", async () => {
    fault = once("authorise:after", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "created");
    await assertRecovered(paid.transactionId, "approved");
    assert.equal((await getRequest(shop, frame.requestId)).transactionResult.id, paid.transactionId);
    assert.equal(ok(await frame.outcome()).state, "approved");
  });

  for (const [where, options] of [
    ["attempt_finish:before", {}],
    ["payment_request_update:before", { category: SECURE }],
    ["payment_request_update:uncommitted", { category: SECURE }],
  ] as const) {
    test(`if the outcome cannot be written (${where}), the answer is pending and the outcome is recorded later`, async () => {
      fault = once(where, fail);
      const frame = await openFrame(shop, options);
      const paid = ok(await frame.pay());
      assert.equal(paid.state, "pending");
      await assertRecovered(paid.transactionId, "approved");
      const events = await eventsOf(shop, paid.transactionId);
      assert.equal(events.length, where.startsWith("attempt") ? 2 : 3);
    });
  }

  test("if the database's reply to the outcome is lost, nothing is written twice", async () => {
    fault = once("attempt_finish:committed", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.equal(ok(await frame.outcome()).state, "approved");
    await assertRecovered(paid.transactionId, "approved");
    assert.equal((await eventsOf(shop, paid.transactionId)).length, 2);
  });

  test("if the database's reply to the new attempt is lost, nothing is charged", async () => {
    fault = once("attempt_begin_of_token:committed", fail);
    const frame = await openFrame(shop);
    assert.equal((await frame.pay()).status, 500);
    const { state, transactionId } = ok(await frame.outcome());
    assert.equal(state, "pending");
    await assertRecovered(transactionId, "declined");
  });

  test("a payment whose request is cancelled after it was read is refused, and nothing is charged", async () => {
    const frame = await openFrame(shop);
    fault = once("attempt_begin_of_token:before", async () => {
      ok(await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`));
    });
    const refused = await frame.pay();
    assert.equal(refused.status, 409);
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "cancelled");
    const entries = await database.rows("select from sandbox_ledger where belongs_to = $1", [
      frame.requestId,
    ]);
    assert.equal(entries.length, 0);
  });

  test("an approval of an attempt that is being reversed meanwhile is reversed, not recorded", async () => {
    const frame = await openFrame(shop);
    fault = once("attempt_finish:before", async () => {
      await database.rows("update transactions set phase = 'reversing' where payment_request_id = $1", [
        frame.requestId,
      ]);
    });
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "declined");
    const kinds = await database.rows("select kind from sandbox_ledger where reference = $1 order by id", [
      paid.transactionId,
    ]);
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ["authorisation", "reversal"],
    );
  });

  test("the recovery retries after a failed inquiry or reversal", async () => {
    for (const where of ["inquire:before", "inquire:after", "reverse:before", "reverse:after"]) {
      const first = once("authorise:before", fail);
      const second = once(where, fail);
      fault = (point) => first(point) ?? second(point);
      const frame = await openFrame(shop);
      const paid = ok(await frame.pay());
      assert.equal(paid.state, "pending");
      await database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
      await eventually("the recovery has failed once", async () => {
        const [job] = await database.rows(
          "select from jobs where subject_id = $1 and due_at > now() + interval '1 second'",
          [paid.transactionId],
        );
        return job !== undefined;
      });
      await assertRecovered(paid.transactionId, "declined");
    }
  });

  test("an approval that arrives while its attempt is being abandoned is reversed", async () => {
    // The call is so slow that the recovery inquires first, and the acquirer does not know it yet. The approval arrives
    // between this answer and the reversal, and is written before the recovery's outcome.
    const [inquired, authorised, reversed, written] = [gate(), gate(), gate(), gate()];
    let reversals = 0;
    fault = async (point) => {
      if (point === "authorise:before") await inquired.opened;
      if (point === "inquire:after") {
        inquired.open();
        await authorised.opened;
      }
      if (point === "authorise:after") {
        authorised.open();
        await reversed.opened;
      }
      if (point === "reverse:after") {
        reversals += 1;
        reversed.open();
        if (reversals === 1) await written.opened;
      }
    };
    const frame = await openFrame(shop);
    const paying = frame.pay();
    const attempt = await eventually("the attempt is on record", async () => {
      const find = "select id from transactions where payment_request_id = $1";
      return (await database.rows<{ id: string }>(find, [frame.requestId]))[0];
    });
    await database.rows("update jobs set due_at = now() where subject_id = $1", [attempt.id]);
    const paid = ok(await paying);
    written.open();
    assert.equal(paid.state, "declined");
    assert.equal(reversals, 2, "both reversed the authorisation");
    await assertRecovered(attempt.id, "declined");
  });

  test("a recovery that ends after its charge was approved leaves the key of a capture in flight `processing`", async () => {
    fault = () => {};
    const body = chargeOf(await storedCard(shop), { category: { captureType: "manual" } });
    const [recovering, approving, capturing] = [gate(), gate(), gate()];
    const [asked, called, captureCalled] = [gate(), gate(), gate()];
    fault = async (point) => {
      if (point === "authorise:after") {
        called.open();
        await approving.opened;
      }
      if (point === "inquire:after") {
        asked.open();
        await recovering.opened;
      }
      if (point === "capture:before") {
        captureCalled.open();
        await capturing.opened;
      }
    };
    const charging = callApi(shop, "POST", "/transactions", body);
    await called.opened;
    await database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
    await asked.opened;
    approving.open();
    const charged = ok(await charging);
    assert.equal(charged.result.status, "approved");
    const capture = () =>
      callApi(
        { ...shop, headers: { "x-idempotency-key": "capture-under-recovery" } },
        "POST",
        `/transactions/${charged.id}/capture`,
      );
    const first = capture();
    await captureCalled.opened;
    recovering.open();
    const jobs = "select 1 from jobs where subject_id = $1 and kind = 'checkout_recover'";
    await eventually(
      "the recovery has ended",
      async () => (await database.rows(jobs, [charged.id])).length === 0,
    );
    assert.equal((await capture()).body.original.status, "processing");
    capturing.open();
    assert.equal(ok(await first).captureStatus, "captured");
    assert.equal((await capture()).body.original.status, "done");
    fault = () => {};
  });

  test("if 3D Secure cannot be reached, the payment is declined and nothing is charged", async () => {
    fault = once("begin:before", fail);
    const frame = await openFrame(shop, { category: { authenticationType: "3d_secure" } });
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "declined");
    assert.equal(paid.result.codes[0].id, "D04417");
    const { authentication } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(authentication, { type: "3d_secure", status: "unavailable" });
    await assertInvariants(database);
  });

  test("contract 10: every outcome is counted once, except the one whose commit was not confirmed", async () => {
    const approved = "mode=sandbox,source=card,status=approved";
    const { [approved]: written = 0, ...others } = await recordedPayments(database);
    const expected = { ...others, [approved]: written - 1 };
    const all = () => counted([gateway], "tidegate_payments_total");
    await eventually("every recorded payment is counted", async () => sumOf(await all()) >= sumOf(expected));
    assert.deepEqual(await all(), expected);
  });
});
