import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { advanceClock, ok, openFrame, type Shop, shopOf } from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { watchContext } from "../support/watched-context.ts";

describe("contract 3: a request that is overdue while its payment's outcome is not known", () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  let shop: Shop;
  let isBankAway = true;

  before(async () => {
    database = await cloneDatabase();
    gateway = await startTestGateway({
      database,
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => {
          if (isBankAway && /^(?:authorise|inquire|reverse):before$/.test(point)) throw new Error("away");
        }),
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  /** Seconds until the request's expiry is checked again. While the job runs, its lease would be in the way. */
  async function secondsToNextCheck(requestId: string): Promise<number | undefined> {
    const [job] = await database.rows<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from jobs
       where kind = 'payment_request_expire' and subject_id = $1 and tries = 0`,
      [requestId],
    );
    return job?.seconds;
  }

  test("is listed as created, is checked once a minute after a while, and expires at the end of that payment", async () => {
    const frame = await openFrame(shop, { attempts: 2 });
    const { transactionId } = ok(await frame.pay());
    await advanceClock(shop, 26 * 3_600);
    await eventually("the expiry waits for most of a minute", async () => {
      const seconds = await secondsToNextCheck(frame.requestId);
      return seconds !== undefined && seconds > 30 && seconds <= 60;
    });
    const listed = await Promise.all(
      ["created", "completed", "expired", "cancelled"].map((status) =>
        gateway.get(`/paymentrequests?status=${status}`),
      ),
    );
    assert.deepEqual(
      listed.map(({ body }) => body.paymentRequests.map(({ id }: { id: string }) => id)),
      [[frame.requestId], [], [], []],
    );
    isBankAway = false;
    await database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
    await eventually("the payment is declined", async () => {
      const [found] = await database.rows<{ status: string }>(
        "select status from transactions where id = $1",
        [transactionId],
      );
      return found?.status === "declined";
    });
    // Written with the decline: no read and no job was needed.
    const [request] = await database.rows<{ status: string; failed: string[] }>(
      "select status, failed_transaction_ids as failed from payment_requests where id = $1",
      [frame.requestId],
    );
    assert.deepEqual(request, { status: "expired", failed: [transactionId] });
    await assertInvariants(database);
  });
});
