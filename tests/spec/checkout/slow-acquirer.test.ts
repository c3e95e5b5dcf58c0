import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { finishAttempt } from "../../../src/features/checkout/index.ts";
import { findMerchant } from "../../../src/features/merchants/index.ts";
import { approve, decline } from "../../../src/kernel/codes/outcomes.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import type { Context } from "../../../src/platform/context.ts";
import {
  callApi,
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  openFrameOn,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop, findUnsettled } from "../../support/invariants.ts";
import { type Point, watchContext } from "../../support/watched-context.ts";

const REVERSAL_HELD = 3000;
const ANSWER_LOST = 3001;

/** Each test has its own gateway, so that all wait at the same time. */
describe("contract 9: a slow or failing acquirer", { concurrency: true }, () => {
  let slow: TestGateway;
  let silent: TestGateway;
  let late: TestGateway;
  let overdue: TestGateway;
  let overdueContext: Context;
  /** Transactions whose reversals fail at the overdue acquirer until a test takes them out. */
  const held = new Set<string>();
  /** Reversals at the overdue acquirer that fail, by transaction. */
  const failedReversals = new Map<string, number>();
  const silences = new Set<Point>(["authorise:before", "begin:before", "inquire:before"]);

  before(async () => {
    slow = await startTestGateway();
    silent = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => (silences.delete(point) ? new Promise<void>(() => {}) : undefined)),
    });
    // Each step takes long, but stays within its own deadline.
    late = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(ctx, (point) =>
          point === "begin:before" || point === "authorise:before" ? setTimeout(10_500) : undefined,
        ),
    });
    // Requests arrive long after the deadline, and a reversal of a payment that has not arrived does nothing.
    overdue = await startTestGateway({
      wrapContext: (ctx) => {
        overdueContext = withAcquirer(ctx, (acquirer) => ({
          authorise: async (request, signal) => {
            if (request.amount === REVERSAL_HELD) held.add(request.reference);
            await setTimeout(30_000);
            const answer = await acquirer.authorise(request, signal);
            return request.amount === ANSWER_LOST ? new Promise<never>(() => {}) : answer;
          },
          reverse: async (request, signal) => {
            const { reference } = request;
            if ((await acquirer.inquire?.(reference, signal))?.kind === "never_seen")
              return approve("approved");
            if (held.has(reference)) throw new Error("held");
            const failed = failedReversals.get(reference) ?? 0;
            failedReversals.set(reference, failed + 1);
            if (failed === 0) throw new Error("planted");
            return failed === 1 ? decline("suspected_malfunction") : acquirer.reverse(request, signal);
          },
        }));
        return overdueContext;
      },
    });
  });
  after(async () => {
    const all = [slow, silent, late, overdue];
    // The last test may have left a reversal that is still repeated.
    await eventually("everything settles", async () => {
      const unsettled = await Promise.all(all.map(({ database }) => findUnsettled(database)));
      return unsettled.flat().length === 0;
    });
    await Promise.all(all.map(assertInvariantsAndStop));
  });

  test("14480 is approved after 8 seconds; until then the request is locked", async () => {
    const shop = shopOf(slow);
    const frame = await openFrame(shop, { amount: 14_480 });
    const other = await openFrameOn(shop, frame.requestId);
    const began = Date.now();
    const paying = frame.pay();
    await eventually("the attempt is recorded", async () => ok(await frame.outcome()).state === "pending");
    assert.deepEqual(problemsOf(await other.pay()), ["V11612"]);
    const cancelled = await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`);
    assert.equal(cancelled.status, 409);
    assert.deepEqual(problemsOf(cancelled), ["V11612"]);
    assert.equal(ok(await paying).state, "approved");
    const took = Date.now() - began;
    assert.ok(took >= 8_000, `took ${took} ms`);
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "completed");
  });

  test("14481 is pending when the connection drops, and an inquiry approves it within 30 seconds", async () => {
    const shop = shopOf(slow);
    const frame = await openFrame(shop, { amount: 14_481 });
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.deepEqual(paid.result, { mode: "sandbox", status: "pending" });
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "created");
    await eventually("the payment is approved", async () => ok(await frame.outcome()).state === "approved");
    const { result, payment } = await getTransaction(shop, paid.transactionId);
    assert.equal(result.codes[0].id, "A02000");
    assert.equal(payment.capturedAmount, 14_481);
    const request = await getRequest(shop, frame.requestId);
    assert.equal(request.transactionResult.id, paid.transactionId);
  });

  test("3D Secure of 10.5 seconds and an acquirer of 10.5 seconds, each within its deadline, are approved", async () => {
    const shop = shopOf(late);
    const frame = await openFrame(shop, { category: { authenticationType: "3d_secure" } });
    assert.equal(ok(await frame.pay()).state, "approved");
    const { authentication, result } = await getTransaction(shop, ok(await frame.outcome()).transactionId);
    assert.deepEqual([authentication.status, result.codes[0].id], ["authenticated", "A02000"]);
  });

  /** Pays with the overdue acquirer until the gateway has given up and declined the attempt. */
  async function payInVain(shop: Shop, amount: number): Promise<string> {
    const paid = (await payOnce(shop, { amount })).paid;
    assert.equal(paid.state, "pending");
    const declined = async () =>
      (await getTransaction(shop, paid.transactionId)).result.status === "declined";
    await eventually("the attempt is declined", declined);
    return paid.transactionId;
  }

  const standingAt = async (reference: string) => {
    const [row] = await overdue.database.rows<{ taken: number; reversed: number }>(
      `select count(*) filter (where kind = 'authorisation' and facts ->> 'code' like 'A%')::int as taken,
         count(*) filter (where kind = 'reversal')::int as reversed
       from sandbox_ledger where ledger = 'acquirer' and reference = $1`,
      [reference],
    );
    return row;
  };

  /** Runs a job until the acquirer has reversed the payment. */
  async function assertReversed(kind: string, id: string): Promise<void> {
    await eventually("the late approval is reversed", async () => {
      await overdue.database.rows("update jobs set due_at = now() where kind = $1", [kind]);
      return (await standingAt(id))?.reversed === 1;
    });
    assert.deepEqual(await standingAt(id), { taken: 1, reversed: 1 });
    // A job that is made due while it runs can run twice.
    assert.ok((failedReversals.get(id) ?? 0) >= 3, "it is repeated until the acquirer confirms");
  }

  /** As an acquirer's notification does that comes twice. */
  async function reportAgain(id: string): Promise<void> {
    const [row] = await overdue.database.rows<{ merchant: Id<"merchant">; request: Id<"paymentRequest"> }>(
      "select merchant_id as merchant, payment_request_id as request from transactions where id = $1",
      [id],
    );
    const merchant = row && (await findMerchant(overdueContext.db, row.merchant));
    assert.ok(row && merchant);
    const attempt = { id: id as Id<"transaction">, paymentRequestId: row.request };
    await finishAttempt(overdueContext, merchant, attempt, {
      answer: approve("approved"),
      isRecovery: true,
    });
  }

  test("an approval that arrives after its payment was declined is recorded and reversed", async () => {
    const shop = shopOf(overdue);
    const id = await payInVain(shop, REVERSAL_HELD);
    const declined = await getTransaction(shop, id);
    assert.equal("lateApproval" in declined, false);
    const before = await eventsOf(shop, id);
    const operationsOf = () =>
      overdue.database.rows<{ kind: string; amount: number; status: string }>(
        "select kind, amount::int, status from transaction_operations where transaction_id = $1",
        [id],
      );
    await eventually("the late approval is on record", async () => (await operationsOf()).length === 1);
    await reportAgain(id);
    assert.equal((await getTransaction(shop, id)).lateApproval.status, "reversing");
    assert.equal((await eventsOf(shop, id)).length, before.length + 1);
    held.delete(id);
    await assertReversed("transaction_operation", id);
    await eventually("its operation is done", async () => (await operationsOf())[0]?.status === "done");
    assert.deepEqual(await operationsOf(), [{ kind: "reverse", amount: REVERSAL_HELD, status: "done" }]);
    const reversed = await getTransaction(shop, id);
    const { lateApproval, updatedDateTime } = reversed;
    const { approvedDateTime, reversedDateTime } = lateApproval;
    assert.deepEqual(lateApproval, {
      amount: REVERSAL_HELD,
      status: "reversed",
      approvedDateTime,
      reversedDateTime,
    });
    assert.ok(declined.updatedDateTime < approvedDateTime && approvedDateTime < reversedDateTime);
    assert.equal(updatedDateTime, reversedDateTime);
    // Nothing else has changed.
    assert.deepEqual(reversed, { ...declined, lateApproval, updatedDateTime });
    const { transactions } = ok(await callApi(shop, "GET", "/transactions?status=declined"));
    assert.deepEqual(
      transactions.find((one: { id: string }) => one.id === id),
      reversed,
    );
    const after = (await eventsOf(shop, id)).slice(before.length);
    assert.deepEqual(
      after.map(({ event, payload }: { event: string; payload: object }) => [event, payload]),
      [
        [
          "transactions",
          {
            ...declined,
            lateApproval: { amount: REVERSAL_HELD, status: "reversing", approvedDateTime },
            updatedDateTime: approvedDateTime,
          },
        ],
        ["transactions", reversed],
      ],
    );
    await reportAgain(id);
    assert.deepEqual(await getTransaction(shop, id), reversed);
    assert.equal((await eventsOf(shop, id)).length, before.length + 2);
    assert.equal((await operationsOf()).length, 1);
    const { key } = await overdue.newMerchant();
    const other = shopOf(overdue, key);
    assert.equal((await callApi(other, "GET", `/transactions/${id}`)).status, 404);
    assert.deepEqual(await eventsOf(other, id), []);
  });

  test("an approval whose answer is lost is reversed, though the first reversal came before it", async () => {
    const id = await payInVain(shopOf(overdue), ANSWER_LOST);
    await eventually("the request has arrived", async () => (await standingAt(id))?.taken === 1);
    await assertReversed("checkout_reverse_again", id);
  });

  test("an acquirer and an issuer that never respond do not block a payment forever", async () => {
    const shop = shopOf(silent);
    const [plain, secure] = await Promise.all([
      openFrame(shop),
      openFrame(shop, { category: { authenticationType: "3d_secure" } }),
    ]);
    // The recovery of this payment hits the silent inquiry while the two others wait for their timeouts.
    const early = await openFrame(shop, { amount: 14_481 });
    const [paid, failed] = await Promise.all([
      plain.pay(),
      secure.pay(),
      eventually("the first authorisation waits", async () => !silences.has("authorise:before")).then(() =>
        early.pay(),
      ),
    ]);
    assert.equal(ok(paid).state, "pending");
    assert.equal(ok(failed).state, "declined");
    assert.equal(silences.size, 0);
    await eventually("both are settled", async () => {
      const [lost, kept] = [ok(await plain.outcome()).state, ok(await early.outcome()).state];
      return lost === "declined" && kept === "approved";
    });
  });
});
