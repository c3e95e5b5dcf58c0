import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openDispute } from "../../../src/features/disputes/open-dispute.ts";
import { findMerchant } from "../../../src/features/merchants/index.ts";
import { reconcile } from "../../../src/features/payouts/index.ts";
import { requireId } from "../../../src/kernel/ids.ts";
import {
  advanceClock,
  callApi,
  eventsOf,
  ok,
  openFrame,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
  startDay,
} from "../../support/checkout.ts";
import { DISPUTED, disputeOf, whenDisputed, whenDisputeIs } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariants } from "../../support/invariants.ts";
import { inContext } from "../../support/operator.ts";

const DELAY = 600;
const DAY = 86_400;

describe("contract 5 and 9: disputes", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(DELAY) },
    });
  });
  after(async () => {
    await assertInvariants(gateway.database);
    const { balances, faults } = await inContext(gateway.database, reconcile);
    assert.deepEqual(faults, []);
    assert.ok(balances.every(({ balanced }) => balanced));
    await gateway.stop();
  });

  const newShop = async (): Promise<Shop> => startDay(shopOf(gateway, (await gateway.newMerchant()).key));
  const respond = (shop: Shop, id: string, verb: "evidence" | "accept", body?: unknown) =>
    callApi(shop, "POST", `/disputes/${id}/${verb}`, body);
  const read = async (shop: Shop, id: string) => ok(await callApi(shop, "GET", `/disputes/${id}`));

  async function decided(shop: Shop, id: string, text: string, status: string) {
    ok(await respond(shop, id, "evidence", { text }));
    await advanceClock(shop, DELAY);
    return whenDisputeIs(shop, id, status);
  }

  /** Pays out all that is held, and returns the lines of the newest payout that are about disputes. */
  async function disputeLines(shop: Shop) {
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const [payout] = ok(await callApi(shop, "GET", "/payouts?limit=1")).payouts;
    const { lines, totals } = ok(await callApi(shop, "GET", `/payouts/${payout.id}`));
    const own = lines.filter((line: { type: string }) => line.type.startsWith("dispute"));
    return { lines: own, totals, id: payout.id };
  }

  test("a dispute that is opened while the clock is moved is lost when its time is over", async () => {
    const { id, key } = await gateway.newMerchant();
    const shop = shopOf(gateway, key);
    const { transactionId } = await payOnce(shop);
    await inContext(gateway.database, async (ctx) => {
      const merchant = await findMerchant(ctx.db, requireId("merchant", id));
      assert.ok(merchant);
      await advanceClock(shop, DAY);
      const dispute = { transactionId: requireId("transaction", transactionId), reason: "fraudulent" };
      await openDispute(ctx, merchant, dispute);
    });
    const { id: opened } = await whenDisputed(shop, transactionId);
    await advanceClock(shop, 13 * DAY);
    await whenDisputeIs(shop, opened, "lost");
  });

  test("14490 is approved, and disputed one settlement delay later, not before", async () => {
    const shop = await newShop();
    const { transactionId, paid } = await payOnce(shop, { amount: DISPUTED, reference: "order-7" });
    assert.equal(paid.state, "approved");
    await advanceClock(shop, DELAY - 30);
    assert.equal(ok(await callApi(shop, "GET", "/disputes")).count, 0);
    await advanceClock(shop, 30);
    const dispute = await whenDisputed(shop, transactionId);
    assert.match(dispute.id, /^dsp_/);
    const { createdDateTime, updatedDateTime, evidenceDueDateTime } = await read(shop, dispute.id);
    assert.deepEqual(dispute, {
      id: dispute.id,
      location: `${gateway.baseUrl}/disputes/${dispute.id}`,
      transactionId,
      reference: "order-7",
      createdDateTime,
      updatedDateTime,
      reason: "fraudulent",
      payment: { amount: DISPUTED, currencyCode: "AUD" },
      status: "needs_response",
      evidenceDueDateTime,
      metadata: {},
      result: { mode: "sandbox", status: "ok" },
    });
    assert.equal(Date.parse(evidenceDueDateTime) - Date.parse(createdDateTime), 14 * DAY * 1000);
    await payOnce(shop, { amount: DISPUTED + 1 });
    await advanceClock(shop, DELAY);
    assert.equal(ok(await callApi(shop, "GET", "/disputes")).count, 1, "other amounts are not disputed");
  });

  test("inherits its transaction's metadata, and lists find it by one pair", async () => {
    const shop = await newShop();
    const frame = await openFrame(shop, { amount: DISPUTED, metadata: { channel: "app" } });
    await frame.pay();
    await advanceClock(shop, DELAY);
    const [one] = await eventually("the payment is disputed", async () => {
      const { disputes } = ok(await callApi(shop, "GET", "/disputes?metadata[channel]=app"));
      return disputes.length > 0 && disputes;
    });
    assert.deepEqual(one.metadata, { channel: "app" });
    assert.equal(ok(await callApi(shop, "GET", "/disputes?metadata[channel]=web")).count, 0);
  });

  test("an authorisation is disputed once it is captured, a voided one never", async () => {
    const shop = await newShop();
    const manual = { amount: DISPUTED, category: { captureType: "manual" } };
    const [captured, voided] = [await payOnce(shop, manual), await payOnce(shop, manual)];
    ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
    await advanceClock(shop, DELAY);
    ok(
      await callApi(shop, "POST", `/transactions/${captured.transactionId}/capture`, {
        payment: { amount: 5000 },
      }),
    );
    await advanceClock(shop, 2 * DELAY);
    assert.equal((await whenDisputed(shop, captured.transactionId)).payment.amount, 5000);
    assert.equal(ok(await callApi(shop, "GET", "/disputes")).count, 1);
  });

  test("evidence win wins, anything else loses, one delay after it was sent; each change is one event", async () => {
    const shop = await newShop();
    for (const [text, status] of [
      ["win", "won"],
      ["Win", "lost"],
    ] as const) {
      const opened = await disputeOf(shop, {}, DELAY);
      const sent = ok(await respond(shop, opened.id, "evidence", { text }));
      assert.equal(sent.status, "under_review");
      assert.ok(sent.updatedDateTime > opened.updatedDateTime);
      await advanceClock(shop, DELAY - 30);
      assert.equal((await read(shop, opened.id)).status, "under_review");
      await advanceClock(shop, 30);
      const done = await whenDisputeIs(shop, opened.id, status);
      const events = await eventsOf(shop, opened.id);
      assert.deepEqual(
        events.map(({ event, reference, payload }: never) => [event, reference, payload]),
        [opened, sent, done].map((one) => ["disputes", (one as never)["reference"], one]),
      );
    }
  });

  test("an accepted dispute is final", async () => {
    const shop = await newShop();
    const { id } = await disputeOf(shop, {}, DELAY);
    assert.equal(ok(await respond(shop, id, "accept")).status, "accepted");
    for (const answer of [
      await respond(shop, id, "accept", {}),
      await respond(shop, id, "evidence", { text: "win" }),
    ]) {
      assert.equal(answer.status, 409);
      assert.deepEqual(problemsOf(answer), ["V12071"]);
    }
    await advanceClock(shop, 15 * DAY);
    assert.equal((await read(shop, id)).status, "accepted");
  });

  test("a dispute under review can't be accepted and takes no second evidence", async () => {
    const shop = await newShop();
    const { id } = await disputeOf(shop, {}, DELAY);
    ok(await respond(shop, id, "evidence", { text: "win" }));
    for (const answer of [
      await respond(shop, id, "accept"),
      await respond(shop, id, "evidence", { text: "lose" }),
    ]) {
      assert.equal(answer.status, 409);
      assert.deepEqual(problemsOf(answer), ["V12071"]);
    }
    await advanceClock(shop, DELAY);
    await whenDisputeIs(shop, id, "won");
  });

  test("past its due date it is lost and takes no evidence; shortly before, it does", async () => {
    const shop = await newShop();
    const late = await disputeOf(shop, {}, DELAY);
    const other = await disputeOf(shop, {}, DELAY);
    const now = Date.parse(
      ok(await callApi(shop, "POST", "/sandbox/clock/advance", { seconds: 1 })).currentDateTime,
    );
    const left = Math.floor((Date.parse(late.evidenceDueDateTime) - now) / 1000);
    await advanceClock(shop, left - 20);
    assert.equal((await read(shop, late.id)).status, "needs_response");
    assert.equal(ok(await respond(shop, other.id, "evidence", { text: "in time" })).status, "under_review");
    await advanceClock(shop, 21);
    const answer = await respond(shop, late.id, "evidence", { text: "win" });
    assert.equal(answer.status, 409);
    await whenDisputeIs(shop, late.id, "lost");
    const states = (await eventsOf(shop, late.id)).map(({ payload }: never) => payload["status"]);
    assert.deepEqual(states, ["needs_response", "lost"]);
  });

  test("the money leaves the payout when it opens, and comes back only when it is won", async () => {
    const shop = await newShop();
    await payOnce(shop, { amount: 50_000 });
    const won = await disputeOf(shop, {}, DELAY);
    const opened = await disputeLines(shop);
    assert.deepEqual(
      opened.lines.map(({ dateTime: _, ...line }: { dateTime: string }) => line),
      [{ type: "dispute", transactionId: won.transactionId, disputeId: won.id, amount: -DISPUTED }],
    );
    assert.equal(opened.totals.disputes, -DISPUTED);
    const csv = (await callApi(shop, "GET", `/payouts/${opened.id}.csv`)).body as string;
    const { transactionId } = won;
    const tail = `-${DISPUTED},AUD,cleared,dispute,,${won.id},${opened.id}`;
    assert.match(csv, new RegExp(`^${won.id},${transactionId},.*,${tail}\\r$`, "m"));
    await decided(shop, won.id, "win", "won");
    const released = await disputeLines(shop);
    assert.deepEqual(
      released.lines.map(({ dateTime: _, ...line }: { dateTime: string }) => line),
      [{ type: "dispute_won", transactionId, disputeId: won.id, amount: DISPUTED }],
    );
    const lost = await disputeOf(shop, {}, DELAY);
    await decided(shop, lost.id, "no", "lost");
    await payOnce(shop, { amount: 60_000 });
    const { lines } = await disputeLines(shop);
    assert.deepEqual(
      lines.map((line: { type: string; amount: number }) => [line.type, line.amount]),
      [["dispute", -DISPUTED]],
    );
  });

  test("disputed money can't be refunded; refunded money is not disputed; won money can be refunded", async () => {
    const shop = await newShop();
    const { transactionId } = await payOnce(shop, { amount: DISPUTED });
    const refund = (amount: number) =>
      callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount } });
    ok(await refund(4490));
    await advanceClock(shop, DELAY);
    const dispute = await whenDisputed(shop, transactionId);
    assert.equal(dispute.payment.amount, 10_000);
    assert.deepEqual(problemsOf(await refund(1)), ["V11721 /payment/amount"]);
    await decided(shop, dispute.id, "win", "won");
    ok(await refund(10_000));
    await advanceClock(shop, DELAY);
    const whole = await payOnce(shop, { amount: DISPUTED });
    ok(await callApi(shop, "POST", `/transactions/${whole.transactionId}/refunds`));
    await advanceClock(shop, 2 * DELAY);
    assert.equal(ok(await callApi(shop, "GET", "/disputes")).count, 1);
  });

  test("lists by transaction, status and time, in pages", async () => {
    const shop = await newShop();
    const first = await disputeOf(shop, {}, DELAY);
    const second = await disputeOf(shop, {}, DELAY);
    ok(await respond(shop, first.id, "accept"));
    const ids = async (query: string) =>
      ok(await callApi(shop, "GET", `/disputes?${query}`)).disputes.map((one: { id: string }) => one.id);
    assert.deepEqual(await ids(""), [second.id, first.id]);
    assert.deepEqual(await ids("status=accepted"), [first.id]);
    assert.deepEqual(await ids("status=won"), []);
    assert.deepEqual(await ids(`transactionid=${second.transactionId}`), [second.id]);
    assert.deepEqual(await ids("updatedFrom=2020-01-01T00:00:00Z"), [first.id, second.id]);
    assert.deepEqual(await ids(`updatedTo=${second.updatedDateTime}`), []);
    const page = ok(await callApi(shop, "GET", "/disputes?limit=1"));
    assert.deepEqual(Object.keys(page), ["count", "disputes", "nextCursor", "result"]);
    assert.deepEqual(await ids(`limit=1&cursor=${page.nextCursor}`), [first.id]);
    const wrong = await callApi(shop, "GET", "/disputes?status=open&transactionid=");
    assert.deepEqual(problemsOf(wrong), ["V11024 /status", "V12060 /transactionid"]);
  });

  test("evidence has 1 to 5,000 characters, and a wrong one changes nothing", async () => {
    const shop = await newShop();
    const { id } = await disputeOf(shop, {}, DELAY);
    for (const [body, problem] of [
      [{}, "V12070 /text"],
      [{ text: "" }, "V12070 /text"],
      [{ text: "  \u00a0 " }, "V12070 /text"],
      [{ text: "x".repeat(5001) }, "V12070 /text"],
      [{ text: 1 }, "V12070 /text"],
      [{ text: " \n\r\n" }, "V12070 /text"],
      ...["\t", "\r", "\n\r", "\u0000", "\u0007", "\u001b", "\u007f", "\u0085"].map(
        (sign) => [{ text: `signed${sign}for` }, "V12070 /text"] as const,
      ),
      [{ text: "paid with 4111 1111\n1111 1111" }, "V11031 /text"],
      [{ text: "a", files: [] }, "V11003 /files"],
    ] as const) {
      const answer = await respond(shop, id, "evidence", body);
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), [problem]);
    }
    assert.equal((await read(shop, id)).status, "needs_response");
    assert.equal(ok(await respond(shop, id, "evidence", { text: "é".repeat(5000) })).status, "under_review");
  });

  test("evidence keeps its lines, whichever line breaks it was sent with", async () => {
    const shop = await newShop();
    for (const text of ["Signed for:\n\n- 3 May\n- J. Citizen", "Signed for:\r\n\r\n- 3 May\n- J. Citizen"]) {
      const { id } = await disputeOf(shop, {}, DELAY);
      assert.equal(ok(await respond(shop, id, "evidence", { text })).status, "under_review");
      const [row] = await gateway.database.rows("select evidence from disputes where id = $1", [id]);
      assert.deepEqual(row, { evidence: "Signed for:\n\n- 3 May\n- J. Citizen" });
    }
  });

  test("another merchant's dispute is unknown, and a repeated key has no second effect", async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const { id } = await disputeOf(shop, {}, DELAY);
    const unknown = await callApi(other, "GET", "/disputes/dsp_x");
    assert.equal(unknown.status, 404);
    for (const answer of [
      await callApi(other, "GET", `/disputes/${id}`),
      await respond(other, id, "accept"),
      await respond(other, id, "evidence", { text: "win" }),
    ])
      assert.deepEqual([answer.status, answer.body], [404, unknown.body]);
    const headers = { "x-idempotency-key": "accept-1" };
    ok(await callApi({ ...shop, headers }, "POST", `/disputes/${id}/accept`));
    const again = await callApi({ ...shop, headers }, "POST", `/disputes/${id}/accept`);
    assert.equal(again.status, 409);
    assert.equal(again.body.original.location, `${gateway.baseUrl}/disputes/${id}`);
  });
});
