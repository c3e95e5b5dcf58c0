import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { reconcile } from "../../../src/features/payouts/index.ts";
import { type AdyenGateway, startAdyenGateway } from "../../support/adyen-gateway.ts";
import { advanceClock, callApi, eventsOf, ok, payOnce, type Shop } from "../../support/checkout.ts";
import { signedIn } from "../../support/dashboard.ts";
import type { DisputeRecord } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import type { FakeItem } from "../../support/fake-adyen-notification.ts";
import { findViolations } from "../../support/invariants.ts";
import { inContext } from "../../support/operator.ts";

const DAY = 86_400_000;

describe("contract 5 and 12: disputes that Adyen reports", () => {
  let adyen: AdyenGateway;
  before(async () => {
    adyen = await startAdyenGateway();
  });
  after(async () => {
    try {
      const violations = await findViolations(adyen.gateway.database);
      // I7 compares with the simulator's ledger, and these payments were at Adyen's.
      assert.deepEqual(
        violations.filter(({ id }) => id !== "I7"),
        [],
      );
      const { balances, faults } = await inContext(adyen.gateway.database, reconcile);
      assert.deepEqual(faults, []);
      assert.ok(balances.every(({ balanced }) => balanced));
    } finally {
      await adyen.stop();
    }
  });

  async function newShop(): Promise<{ shop: Shop; account: string }> {
    const { shop, accounts } = await adyen.newShop();
    adyen.fake.takeNotifications();
    return { shop, account: accounts[0] ?? assert.fail() };
  }

  type Paid = { readonly shop: Shop; readonly account: string; readonly id: string };

  async function newPayment(overrides: Parameters<typeof payOnce>[1] = {}): Promise<Paid> {
    const { shop, account } = await newShop();
    const { transactionId: id } = await payOnce(shop, { amount: 3000, ...overrides });
    return { shop, account, id };
  }

  const bodyOf = ({ id }: Paid, eventCode: string, more: Partial<FakeItem> = {}): string =>
    adyen.fake.notification({ eventCode, reference: id, amount: 3000, reason: "Other Fraud", ...more });

  async function notify(paid: Paid, ...eventCodes: readonly string[]): Promise<void> {
    for (const eventCode of eventCodes) {
      const answer = await adyen.notify(paid.account, bodyOf(paid, eventCode));
      assert.deepEqual([answer.status, await answer.text()], [200, "[accepted]"], eventCode);
    }
  }

  async function disputesOf({ shop, id }: Paid): Promise<readonly DisputeRecord[]> {
    return ok(await callApi(shop, "GET", `/disputes?transactionid=${id}`)).disputes;
  }

  async function onlyDispute(paid: Paid): Promise<DisputeRecord & { readonly reason: string }> {
    const [one, ...more] = await disputesOf(paid);
    assert.deepEqual(more, []);
    return (one as DisputeRecord & { readonly reason: string }) ?? assert.fail("no dispute");
  }

  /** The statuses of the dispute, as its events say it. */
  async function statusesOf(paid: Paid): Promise<readonly string[]> {
    const { id } = await onlyDispute(paid);
    return (await eventsOf(paid.shop, id)).map(
      ({ payload }: { payload: { status: string } }) => payload.status,
    );
  }

  async function disputeLines({ shop }: Paid): Promise<readonly (readonly [string, number])[]> {
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const [payout] = ok(await callApi(shop, "GET", "/payouts?limit=1")).payouts;
    const { lines } = ok(await callApi(shop, "GET", `/payouts/${payout.id}`));
    return lines
      .filter((line: { type: string }) => line.type.startsWith("dispute"))
      .map((line: { type: string; amount: number }) => [line.type, line.amount]);
  }

  test("a chargeback opens the dispute once, with Adyen's amount, reason and deadline", async () => {
    const paid = await newPayment();
    const defensePeriodEndsAt = new Date(Date.now() + 9 * DAY).toISOString();
    const first = bodyOf(paid, "NOTIFICATION_OF_CHARGEBACK", {
      amount: 1200,
      additionalData: { defensePeriodEndsAt, chargebackReasonCode: "10.4" },
    });
    for (const body of [first, first, bodyOf(paid, "CHARGEBACK", { amount: 1200 })])
      assert.equal((await adyen.notify(paid.account, body)).status, 200);
    const dispute = await onlyDispute(paid);
    assert.deepEqual(
      [dispute.status, dispute.payment.amount, dispute.reason, dispute.evidenceDueDateTime],
      ["needs_response", 1200, "Other Fraud", defensePeriodEndsAt],
    );
    assert.deepEqual(await statusesOf(paid), ["needs_response"]);
    assert.deepEqual(await disputeLines(paid), [["dispute", -1200]]);
  });

  describe("a later deadline or a sooner one", () => {
    const dueIn = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    async function notifyDue(paid: Paid, eventCode: string, defensePeriodEndsAt: string): Promise<void> {
      const body = bodyOf(paid, eventCode, { additionalData: { defensePeriodEndsAt } });
      assert.equal((await adyen.notify(paid.account, body)).status, 200);
    }
    const duesOf = async (paid: Paid) => {
      const events = await eventsOf(paid.shop, (await onlyDispute(paid)).id);
      return events.map(
        ({ payload }: { payload: { evidenceDueDateTime: string } }) => payload.evidenceDueDateTime,
      );
    };

    test("counts, with an event for each change; one that no bank sets does not", async () => {
      const paid = await newPayment();
      const [first, later, sooner] = [dueIn(9), dueIn(20), dueIn(5)] as const;
      for (const due of [first, later, later, dueIn(-1), dueIn(400), sooner])
        await notifyDue(paid, "CHARGEBACK", due);
      await notify(paid, "CHARGEBACK");
      const dispute = await onlyDispute(paid);
      assert.deepEqual([dispute.status, dispute.evidenceDueDateTime], ["needs_response", sooner]);
      assert.deepEqual(await duesOf(paid), [first, later, sooner]);
    });

    test("counts once: notices with an earlier one that are repeated change nothing", async () => {
      const paid = await newPayment();
      const [first, last] = [dueIn(5), dueIn(20)];
      for (let time = 0; time < 3; time += 1) {
        await notifyDue(paid, "NOTIFICATION_OF_CHARGEBACK", first);
        await notifyDue(paid, "CHARGEBACK", last);
      }
      assert.deepEqual(await duesOf(paid), [first, last]);
    });

    test("is when the dispute is lost without a response", async () => {
      const [sooner, later] = [await newPayment(), await newPayment()];
      for (const paid of [sooner, later]) await notifyDue(paid, "NOTIFICATION_OF_CHARGEBACK", dueIn(9));
      await notifyDue(sooner, "CHARGEBACK", dueIn(5));
      await notifyDue(later, "CHARGEBACK", dueIn(20));
      await advanceClock(sooner.shop, 6 * 86_400);
      await advanceClock(later.shop, 10 * 86_400);
      await eventually("the sooner one is lost", async () => (await onlyDispute(sooner)).status === "lost");
      ok(await callApi(later.shop, "POST", "/sandbox/settlements/run"));
      assert.equal((await onlyDispute(later)).status, "needs_response");
      await advanceClock(later.shop, 11 * 86_400);
      await eventually("the later one is lost", async () => (await onlyDispute(later)).status === "lost");
    });

    test("does not change a dispute that the merchant has answered", async () => {
      const paid = await newPayment();
      const first = dueIn(9);
      await notifyDue(paid, "CHARGEBACK", first);
      ok(
        await callApi(paid.shop, "POST", `/disputes/${(await onlyDispute(paid)).id}/evidence`, { text: "x" }),
      );
      await notifyDue(paid, "CHARGEBACK", dueIn(20));
      assert.deepEqual(await duesOf(paid), [first, first]);
    });
  });

  test("a deadline that no bank sets is not believed: 14 days", async () => {
    for (const defensePeriodEndsAt of [new Date(Date.now() - DAY), new Date(Date.now() + 400 * DAY)]) {
      const paid = await newPayment();
      const additionalData = { defensePeriodEndsAt: defensePeriodEndsAt.toISOString() };
      await adyen.notify(paid.account, bodyOf(paid, "CHARGEBACK", { additionalData }));
      const { evidenceDueDateTime } = await onlyDispute(paid);
      const days = (Date.parse(evidenceDueDateTime) - Date.now()) / DAY;
      assert.ok(days > 13.9 && days <= 14, String(days));
    }
  });

  test("a reversed chargeback is under review; it is won when the bank can no longer object", async () => {
    const paid = await newPayment();
    await notify(paid, "CHARGEBACK", "INFORMATION_SUPPLIED", "CHARGEBACK_REVERSED", "CHARGEBACK_REVERSED");
    assert.equal((await onlyDispute(paid)).status, "under_review");
    // Nothing would be left to pay out.
    await payOnce(paid.shop, { amount: 5000 });
    assert.deepEqual(await disputeLines(paid), [["dispute", -3000]]);
    await notify(paid, "ISSUER_RESPONSE_TIMEFRAME_EXPIRED", "ISSUER_RESPONSE_TIMEFRAME_EXPIRED");
    assert.deepEqual(await statusesOf(paid), ["needs_response", "under_review", "won"]);
    assert.deepEqual(await disputeLines(paid), [["dispute_won", 3000]]);
  });

  test("a second chargeback loses it", async () => {
    const paid = await newPayment();
    await notify(paid, "CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK", "SECOND_CHARGEBACK");
    assert.deepEqual(await statusesOf(paid), ["needs_response", "under_review", "lost"]);
  });

  test("one that was not defended is lost; one that the bank withdraws is won", async () => {
    const [lost, won] = [await newPayment(), await newPayment()];
    await notify(lost, "CHARGEBACK", "DISPUTE_DEFENSE_PERIOD_ENDED");
    await notify(won, "CHARGEBACK", "PREARBITRATION_ISSUER_WITHDRAWN");
    assert.deepEqual(await statusesOf(lost), ["needs_response", "lost"]);
    assert.deepEqual(await statusesOf(won), ["needs_response", "won"]);
  });

  test("I27: in any order, repeated or dropped, a dispute opens once and ends once", async () => {
    const events = ["CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK"];
    for (const order of [events.toReversed(), [...events.toReversed(), ...events], ["SECOND_CHARGEBACK"]]) {
      const paid = await newPayment();
      await notify(paid, ...order);
      assert.deepEqual(await statusesOf(paid), ["needs_response", "lost"], order.join());
    }
    const won = await newPayment();
    await notify(won, "ISSUER_RESPONSE_TIMEFRAME_EXPIRED", "CHARGEBACK", "NOTIFICATION_OF_CHARGEBACK");
    assert.deepEqual(await statusesOf(won), ["needs_response", "won"]);
  });

  test("I27: at the same moment, on several connections, it opens once", async () => {
    const paid = await newPayment();
    const bodies = Array.from({ length: 8 }, () => bodyOf(paid, "CHARGEBACK"));
    const answers = await Promise.all(bodies.map((body) => adyen.notify(paid.account, body)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(await statusesOf(paid), ["needs_response"]);
  });

  test("a final dispute stays as it is, and the operator reads what to settle", async () => {
    const paid = await newPayment();
    await notify(paid, "CHARGEBACK", "SECOND_CHARGEBACK", "SCHEME_ARBITRATION_WON");
    assert.deepEqual(await statusesOf(paid), ["needs_response", "lost"]);
    const won = await newPayment();
    await notify(won, "CHARGEBACK", "PREARBITRATION_WON", "SECOND_CHARGEBACK");
    assert.deepEqual(await statusesOf(won), ["needs_response", "won"]);
  });

  test("a request for information moves no money and opens no dispute", async () => {
    const paid = await newPayment();
    await notify(paid, "REQUEST_FOR_INFORMATION");
    assert.deepEqual(await disputesOf(paid), []);
  });

  test("more than is left of a payment is held as far as it goes; of a refunded one nothing", async () => {
    const paid = await newPayment();
    const refund = (amount: number) =>
      callApi(paid.shop, "POST", `/transactions/${paid.id}/refunds`, { payment: { amount } });
    ok(await refund(1000));
    await notify(paid, "CHARGEBACK");
    assert.equal((await onlyDispute(paid)).payment.amount, 2000);
    assert.equal((await refund(1)).status, 409);
    const returned = await newPayment();
    ok(await callApi(returned.shop, "POST", `/transactions/${returned.id}/refunds`));
    await notify(returned, "CHARGEBACK");
    assert.deepEqual(await disputesOf(returned), []);
  });

  test("a dispute that comes before its capture is refused until that has come; a void has none", async () => {
    const paid = await newPayment({ category: { captureType: "manual" } });
    const early = bodyOf(paid, "CHARGEBACK");
    const refused = await adyen.notify(paid.account, early);
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /V11691/);
    ok(await callApi(paid.shop, "POST", `/transactions/${paid.id}/capture`));
    assert.equal((await adyen.notify(paid.account, early)).status, 409);
    await adyen.deliver(paid.account);
    assert.equal((await adyen.notify(paid.account, early)).status, 200);
    assert.deepEqual(await statusesOf(paid), ["needs_response"]);
    const held = await newPayment({ category: { captureType: "manual" } });
    ok(await callApi(held.shop, "POST", `/transactions/${held.id}/cancel`));
    await adyen.deliver(held.account);
    await notify(held, "CHARGEBACK");
    assert.deepEqual(await disputesOf(held), []);
  });

  test("another account's notification, and one with a wrong signature, open nothing", async () => {
    const [paid, other] = [await newPayment(), await newShop()];
    const body = bodyOf(paid, "CHARGEBACK");
    assert.equal((await adyen.notify(other.account, body)).status, 200);
    assert.equal((await adyen.notify(paid.account, body.replace('"value":3000', '"value":1'))).status, 401);
    assert.deepEqual(await disputesOf(paid), []);
  });

  test("the merchant's evidence waits for Adyen's word; the sandbox decides nothing", async () => {
    const paid = await newPayment();
    await notify(paid, "CHARGEBACK");
    const { id } = await onlyDispute(paid);
    ok(await callApi(paid.shop, "POST", `/disputes/${id}/evidence`, { text: "win" }));
    const jobs = await adyen.gateway.database.rows(
      "select from jobs where kind = 'dispute_decide' and subject_id = $1",
      [id],
    );
    assert.equal(jobs.length, 0);
    await notify(paid, "INFORMATION_SUPPLIED", "SECOND_CHARGEBACK");
    assert.deepEqual(await statusesOf(paid), ["needs_response", "under_review", "lost"]);
  });

  test("the dashboard says that the operator forwards evidence and acceptance", async () => {
    const paid = await newPayment();
    await notify(paid, "CHARGEBACK");
    const { id } = await onlyDispute(paid);
    const [row] = await adyen.gateway.database.rows<{ merchant: string }>(
      "select merchant_id as merchant from transactions where id = $1",
      [paid.id],
    );
    const staff = await signedIn(adyen.gateway, { role: "staff", merchantId: row?.merchant ?? "" });
    const path = `/dashboard/${row?.merchant}/disputes/${id}`;
    assert.match((await staff.get(path)).text, /its operator forwards it by hand/);
    assert.match((await staff.get(`${path}/accept`)).text, /operator accepts it at the acquirer/);
    ok(await callApi(paid.shop, "POST", `/disputes/${id}/evidence`, { text: "Delivered on Monday" }));
    assert.match(
      (await staff.get(path)).text,
      /Delivered on Monday[\s\S]*operator forwards it to the acquirer/,
    );
  });

  describe("several cases of one payment", () => {
    const PSP = "NC6HT9CRT65ZGN82";
    /** Adyen names the case in every event about it, and the payment beside it. */
    async function notifyCase(paid: Paid, psp: string, eventCode: string, amount: number): Promise<void> {
      const body = bodyOf(paid, eventCode, { psp, original: PSP, amount });
      assert.equal((await adyen.notify(paid.account, body)).status, 200, eventCode);
    }
    const byText = (one: unknown, other: unknown) => String(one).localeCompare(String(other));
    const summary = async (paid: Paid) =>
      (await disputesOf(paid)).map(({ status, payment }) => [payment.amount, status]).sort(byText);
    const refund = ({ shop, id }: Paid, amount: number) =>
      callApi(shop, "POST", `/transactions/${id}/refunds`, { payment: { amount } });

    test("partial chargebacks hold, release and end each on its own", async () => {
      const paid = await newPayment();
      for (const psp of ["CASE1", "CASE1", "CASE2"])
        for (const eventCode of ["NOTIFICATION_OF_CHARGEBACK", "CHARGEBACK"])
          await notifyCase(paid, psp, eventCode, psp === "CASE1" ? 1200 : 800);
      assert.deepEqual(await summary(paid), [
        [1200, "needs_response"],
        [800, "needs_response"],
      ]);
      assert.equal((await refund(paid, 1001)).status, 409, "what is disputed can't be refunded");
      assert.deepEqual((await disputeLines(paid)).toSorted(byText), [
        ["dispute", -1200],
        ["dispute", -800],
      ]);
      await notifyCase(paid, "CASE2", "PREARBITRATION_WON", 800);
      await notifyCase(paid, "CASE1", "SECOND_CHARGEBACK", 1200);
      await notifyCase(paid, "CASE2", "PREARBITRATION_WON", 800);
      assert.deepEqual(await summary(paid), [
        [1200, "lost"],
        [800, "won"],
      ]);
      assert.deepEqual(await disputeLines(paid), [["dispute_won", 800]]);
      assert.equal((await refund(paid, 1801)).status, 409);
      ok(await refund(paid, 1800));
    });

    test("a case after one that was won is a dispute of its own, and holds the money again", async () => {
      const paid = await newPayment();
      await notifyCase(paid, "CASE1", "CHARGEBACK", 3000);
      await notifyCase(paid, "CASE1", "ISSUER_RESPONSE_TIMEFRAME_EXPIRED", 3000);
      await notifyCase(paid, "CASE2", "CHARGEBACK", 3000);
      assert.deepEqual(await summary(paid), [
        [3000, "needs_response"],
        [3000, "won"],
      ]);
      assert.equal((await refund(paid, 1)).status, 409);
      // A repeat of the first case's chargeback changes nothing.
      await notifyCase(paid, "CASE1", "CHARGEBACK", 3000);
      assert.equal((await disputesOf(paid)).length, 2);
    });

    test("a second chargeback of the same case is its end, not another dispute", async () => {
      const paid = await newPayment();
      for (const eventCode of ["CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK"])
        await notifyCase(paid, "CASE1", eventCode, 3000);
      assert.deepEqual(await statusesOf(paid), ["needs_response", "under_review", "lost"]);
    });

    test("cases together hold no more than the payment; the first named one takes over a dispute without a name", async () => {
      const paid = await newPayment();
      await adyen.notify(paid.account, bodyOf(paid, "CHARGEBACK", { amount: 2000 }));
      await notifyCase(paid, "CASE1", "CHARGEBACK_REVERSED", 2000);
      await notifyCase(paid, "CASE2", "CHARGEBACK", 2000);
      await notifyCase(paid, "CASE3", "CHARGEBACK", 2000);
      assert.deepEqual(await summary(paid), [
        [1000, "needs_response"],
        [2000, "under_review"],
      ]);
    });

    test("I27: two cases at the same moment, on several connections, open once each", async () => {
      const paid = await newPayment();
      const sent = Array.from({ length: 8 }, (_, n) => notifyCase(paid, `CASE${n % 2}`, "CHARGEBACK", 1000));
      await Promise.all(sent);
      assert.deepEqual(await summary(paid), [
        [1000, "needs_response"],
        [1000, "needs_response"],
      ]);
    });
  });
});
