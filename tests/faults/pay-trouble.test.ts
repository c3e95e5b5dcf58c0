import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { counted, recordedPayments, sumOf } from "../support/payment-figures.ts";
import { gate, type Listener, watchWorld } from "../support/watched-world.ts";

const fail = () => {
  throw new Error("planted");
};

describe("PROOF rule 1: any doubt is pending, and only the acquirer's word settles it", () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  let shop: Shop;
  /** What happens at each place of the gateway's way. A test puts its trouble here. */
  let trouble: Listener = () => {};

  before(async () => {
    database = await cloneDatabase();
    gateway = await startTestGateway({
      database,
      wrapContext: (ctx) => watchWorld(ctx, (point) => trouble(point)),
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  /** The planted trouble, once. */
  function once(where: string, what: () => Promise<void> | void): Listener {
    let waiting = true;
    return (point) => {
      if (point !== where || !waiting) return undefined;
      waiting = false;
      return what();
    };
  }

  /** What every attempt that was left behind comes to, once its time has come. */
  async function recovered(transactionId: string, status: "approved" | "declined") {
    await database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
    await eventually(`the attempt is ${status}`, async () => {
      return (await getTransaction(shop, transactionId)).result.status === status;
    });
    await eventually("nothing is unsettled", async () => (await findUnsettled(database)).length === 0);
    await assertInvariants(database);
  }

  test("when the connection breaks before the acquirer heard, the attempt is reversed and declined", async () => {
    trouble = once("authorise:before", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.deepEqual(paid.result, { mode: "sandbox", status: "pending" });
    await recovered(paid.transactionId, "declined");
    const { result } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(result.codes, [{ id: "D10009", message: "downstream_error" }]);
    assert.equal(ok(await frame.outcome()).state, "declined");
  });

  test("when the connection breaks after the acquirer approved, the attempt is approved", async () => {
    trouble = once("authorise:after", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "created");
    await recovered(paid.transactionId, "approved");
    assert.equal((await getRequest(shop, frame.requestId)).transactionResult.id, paid.transactionId);
    assert.equal(ok(await frame.outcome()).state, "approved");
  });

  for (const stage of ["before", "uncommitted"] as const) {
    test(`when the outcome can't be written (${stage}), the answer is pending and the outcome comes later`, async () => {
      trouble = once(`payment_request_update:${stage}`, fail);
      const frame = await openFrame(shop);
      const paid = ok(await frame.pay());
      assert.equal(paid.state, "pending");
      await recovered(paid.transactionId, "approved");
      assert.equal((await eventsOf(shop, paid.transactionId)).length, 2);
    });
  }

  test("when the outcome is written but the reply of the database is lost, nothing is written twice", async () => {
    trouble = once("payment_request_update:committed", fail);
    const frame = await openFrame(shop);
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.equal(ok(await frame.outcome()).state, "approved");
    await recovered(paid.transactionId, "approved");
    assert.equal((await eventsOf(shop, paid.transactionId)).length, 2);
  });

  test("when the attempt is written but the reply of the database is lost, nothing was charged", async () => {
    trouble = once("transaction_insert_with_job:committed", fail);
    const frame = await openFrame(shop);
    assert.equal((await frame.pay()).status, 500);
    const { state, transactionId } = ok(await frame.outcome());
    assert.equal(state, "pending");
    await recovered(transactionId, "declined");
  });

  test("when an inquiry fails or a reversal does, the recovery tries again", async () => {
    for (const where of ["inquire:before", "inquire:after", "reverse:before", "reverse:after"]) {
      const first = once("authorise:before", fail);
      const second = once(where, fail);
      trouble = (point) => first(point) ?? second(point);
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
      await recovered(paid.transactionId, "declined");
    }
  });

  test("when an approval comes in while its attempt is being given up, the money goes back", async () => {
    // The call is so slow that the recovery asks first and is told that the acquirer never saw it. The approval lands
    // between this answer and the reversal, and its writer is faster than the recovery.
    const [asked, booked, reversed, written] = [gate(), gate(), gate(), gate()];
    let reversals = 0;
    trouble = async (point) => {
      if (point === "authorise:before") await asked.opened;
      if (point === "inquire:after") {
        asked.open();
        await booked.opened;
      }
      if (point === "authorise:after") {
        booked.open();
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
    assert.equal(reversals, 2, "both gave the money back");
    await recovered(attempt.id, "declined");
  });

  test("when 3D Secure breaks off, the payment is declined and nothing is charged", async () => {
    trouble = once("begin:before", fail);
    const frame = await openFrame(shop, { category: { authenticationType: "3d_secure" } });
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "declined");
    assert.equal(paid.result.codes[0].id, "D04417");
    const { authentication } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(authentication, { type: "3d_secure", status: "failed" });
    await assertInvariants(database);
  });

  test("contract 10: every outcome was counted once, but the one whose commit nobody heard of", async () => {
    const approved = "mode=sandbox,source=card,status=approved";
    const { [approved]: written = 0, ...others } = await recordedPayments(database);
    const expected = { ...others, [approved]: written - 1 };
    const all = () => counted([gateway], "tidegate_payments_total");
    await eventually("what was written is counted", async () => sumOf(await all()) >= sumOf(expected));
    assert.deepEqual(await all(), expected);
  });
});
