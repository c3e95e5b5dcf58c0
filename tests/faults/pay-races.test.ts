import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Context } from "../../src/platform/context.ts";
import {
  advanceClock,
  callApi,
  getRequest,
  openFrame,
  openFrameOn,
  problemsOf,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { mapAcquirers } from "../support/fake-acquirer.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { handicap, randomDelay } from "../support/handicap.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { counted, recordedPayments, sumOf } from "../support/payment-metrics.ts";

const TIMES = 32;
const AT_ONCE = 4;

/** Runs the same race many times, a few at once. */
async function race(run: () => Promise<void>): Promise<void> {
  let left = TIMES;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Adds a random network delay before and after every authorisation. */
function withDelays(ctx: Context): Context {
  const delay = () => randomDelay(40);
  return mapAcquirers(ctx, (acquirer) => ({
    ...acquirer,
    authorise: async (...call) => {
      await delay();
      const answer = await acquirer.authorise(...call);
      await delay();
      return answer;
    },
  }));
}

const won = (answers: readonly Answer[]) => answers.filter((answer) => answer.status === 200).length;

describe("spec 1: concurrent payment protection, with two gateways on one database", () => {
  let database: TestDatabase;
  let gateways: readonly [TestGateway, TestGateway];
  let near: Shop;
  let far: Shop;
  before(async () => {
    database = await cloneDatabase();
    const start = () => startTestGateway({ database, wrapContext: withDelays });
    gateways = [await start(), await start()];
    [near, far] = [shopOf(gateways[0]), shopOf(gateways[1])];
  });
  after(async () => {
    for (const gateway of gateways ?? []) await gateway.stop();
    await database.drop();
  });

  /** Holds after every race: no invariant is broken, nothing stays open, and one node counted each outcome. */
  async function assertConsistent(): Promise<void> {
    await eventually("nothing is unsettled", async () => (await findUnsettled(database)).length === 0);
    await assertInvariants(database);
    const written = await recordedPayments(database);
    const all = () => counted(gateways, "tidegate_payments_total");
    await eventually("every recorded payment is counted", async () => sumOf(await all()) >= sumOf(written));
    assert.deepEqual(await all(), written);
  }

  const assertLosers = (answers: readonly Answer[], codes: readonly string[]) => {
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 409);
      assert.ok(codes.includes(problemsOf(answer).join()), problemsOf(answer).join());
    }
  };

  test("three concurrent payments of one session charge once", async () => {
    await race(async () => {
      const frame = await openFrame(near);
      const answers = await Promise.all([frame.pay(), frame.at(far).pay(), frame.pay()]);
      assert.equal(won(answers), 1);
      assertLosers(answers, ["V11610"]);
      assert.equal((await getRequest(far, frame.requestId)).paymentRequestStatus, "completed");
    });
    await assertConsistent();
  });

  test("concurrent payments with two tokens of one request charge once", async () => {
    await race(async () => {
      const one = await openFrame(near);
      const other = await openFrameOn(far, one.requestId);
      const answers = await Promise.all([one.pay(), other.pay()]);
      assert.equal(won(answers), 1);
      assertLosers(answers, ["V11612", "V11190"]);
    });
    await assertConsistent();
  });

  test("of a cancellation and a concurrent payment, exactly one succeeds", async () => {
    const winners = new Set<string>();
    const { payer, other, settle } = handicap();
    await race(async () => {
      const frame = await openFrame(near);
      const [paid, cancelled] = await Promise.all([
        payer().then(() => frame.pay()),
        other().then(() => callApi(far, "POST", `/paymentrequests/${frame.requestId}/cancel`)),
      ]);
      assert.equal(won([paid, cancelled]), 1);
      assertLosers([paid, cancelled], ["V11612", "V11190"]);
      const { paymentRequestStatus } = await getRequest(near, frame.requestId);
      assert.equal(paymentRequestStatus, paid.status === 200 ? "completed" : "cancelled");
      winners.add(paymentRequestStatus);
      settle(paid.status === 200);
    });
    await assertConsistent();
    assert.deepEqual(
      [...winners].sort(),
      ["cancelled", "completed"],
      "each side must have won at least once",
    );
  });

  test("a payment that starts before the expiry finishes, and a later one is refused", async () => {
    const ends = new Set<string>();
    const { payer, other, settle } = handicap();
    await race(async () => {
      const { key } = await gateways[0].newMerchant();
      const [here, there] = [shopOf(gateways[0], key), shopOf(gateways[1], key)];
      const expiryDateTime = new Date(Date.now() + 70_000).toISOString();
      const frame = await openFrame(here, { expiryDateTime });
      const [paid] = await Promise.all([
        payer().then(() => frame.pay()),
        other().then(() => advanceClock(there, 80)),
      ]);
      assertLosers([paid], ["V11190", "V11610"]);
      const end = paid.status === 200 ? "completed" : "expired";
      await eventually(`the request is ${end}`, async () => {
        return (await getRequest(there, frame.requestId)).paymentRequestStatus === end;
      });
      if (paid.status === 200) assert.equal(paid.body.state, "approved");
      ends.add(end);
      settle(paid.status === 200);
    });
    await assertConsistent();
    assert.deepEqual([...ends].sort(), ["completed", "expired"], "each side must have won at least once");
  });
});
