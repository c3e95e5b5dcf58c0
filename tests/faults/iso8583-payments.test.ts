import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { reconcileAccount } from "../../src/features/acquirer-reconciliation/index.ts";
import type { TimeZone } from "../../src/kernel/country.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant, toLocalIso } from "../../src/kernel/time.ts";
import {
  CARD,
  callApi,
  eventsOf,
  getTransaction,
  ok,
  payOnce,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { findInDatabase } from "../support/invariants.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { type IsoHost, type Seen, startIsoHost } from "../support/iso-host/iso-host.ts";
import { inContext } from "../support/operator.ts";

const IMMEDIATE = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" };
let gateway: TestGateway;
let shop: Shop;
let host: IsoHost;
let merchantId: Id<"merchant">;
let accountId: Id<"acquirerAccount">;
let seenBefore = 0;

before(async () => {
  gateway = await startTestGateway({ environment: IMMEDIATE });
  host = await startIsoHost();
  const { id, key } = await gateway.newMerchant();
  await addIsoAccount(gateway.database, id, await freePort(), { terminalId: "TERMDOWN" });
  accountId = await addIsoAccount(gateway.database, id, host.port);
  merchantId = id as Id<"merchant">;
  shop = shopOf(gateway, key);
});
afterEach(async () => {
  await host.setFaults({});
  seenBefore = (await host.seen()).length;
});
after(async () => {
  await gateway.stop();
  await host.stop();
});

/** What the host received in this test, without sign-on and echo. */
const seen = async (): Promise<readonly Seen[]> =>
  (await host.seen()).slice(seenBefore).filter(({ type }) => type !== "0800");
const types = async () => (await seen()).map(({ type }) => type);

const settled = (id: string) =>
  eventually("the payment is settled", async () => {
    const transaction = await getTransaction(shop, id);
    return transaction.result.status !== "pending" && transaction;
  });

const settledRefund = (id: string) =>
  eventually("the refund is settled", async () => {
    const refund = ok(await callApi(shop, "GET", `/refunds/${id}`));
    return refund.result.status !== "pending" && refund;
  });

/** A declined payment or refund shows its reversed late approval, and each of its two changes has one event. */
async function assertLateApproval(path: string, amount: number): Promise<void> {
  const read = async () => ok(await callApi(shop, "GET", path));
  await eventually("it is reversed", async () => (await read()).lateApproval?.status === "reversed");
  const record = await read();
  const { approvedDateTime, reversedDateTime } = record.lateApproval;
  assert.deepEqual(record.lateApproval, { amount, status: "reversed", approvedDateTime, reversedDateTime });
  assert.equal(record.result.status, "declined");
  assert.equal(record.updatedDateTime, reversedDateTime);
  const events: { payload: typeof record }[] = await eventsOf(shop, record.id);
  assert.deepEqual(
    events.map(({ payload }) => [payload.result.status, payload.lateApproval?.status]),
    [
      ["pending", undefined],
      ["declined", undefined],
      ["declined", "reversing"],
      ["declined", "reversed"],
    ],
  );
  assert.deepEqual(events.at(-1)?.payload, record);
}

describe("card payments over ISO 8583", () => {
  test("go to the next account when the first is surely not reached, with the contract's fields", async () => {
    const { paid } = await payOnce(shop, { amount: 4_300 });
    assert.equal(paid.state, "approved");
    const [message, ...others] = await seen();
    assert.deepEqual(others, []);
    assert.equal(message?.type, "0200");
    const { fields } = message;
    assert.equal(fields[2], CARD.number);
    assert.equal(fields[4], "000000004300");
    assert.equal(fields[22], "810");
    assert.equal(fields[25], "59");
    assert.equal(fields[48], `CV003${CARD.securityCode}SC001C`);
    assert.equal(fields[49], "036");
  });

  test("are declined with the host's response code", async () => {
    const { paid, transactionId } = await payOnce(shop, { amount: 14_451 });
    assert.equal(paid.state, "declined");
    const { result } = await getTransaction(shop, transactionId);
    assert.equal(result.codes[0].id, "D04451");
  });

  test("are authorised by 0100 and captured by 0220", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5_000, category: { captureType: "manual" } });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`, { payment: { amount: 4_000 } }));
    const [authorisation, completion] = await seen();
    assert.deepEqual([authorisation?.type, completion?.type], ["0100", "0220"]);
    assert.equal(completion?.fields[90]?.slice(0, 10), `0100${authorisation?.fields[11]}`);
    assert.equal(completion?.fields[37], authorisation?.fields[37]);
    const entry = (await host.entries()).find(({ stan }) => stan === authorisation?.fields[11]);
    assert.equal(entry?.captured, 4_000);
  });

  test("are voided by 0420", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5_100, category: { captureType: "manual" } });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/cancel`));
    assert.deepEqual(await types(), ["0100", "0420"]);
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "voided");
  });

  test("are refunded by 0200 with processing code 200000", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5_200 });
    const refund = ok(
      await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }),
    );
    const sent = await eventually("the refund is at the host", async () => (await seen())[1]);
    assert.deepEqual([sent.type, sent.fields[3], Number(sent.fields[4])], ["0200", "200000", 100]);
    assert.equal(sent.fields[2], CARD.number);
    assert.ok(refund.id);
  });

  const VERIFY = { amount: 0, customerRequest: { paymentInstrument: "create" } };
  /** Numbers that the vault keeps for messages about a payment. */
  const keptFor = async (id: string) =>
    (await gateway.database.rows("select 1 from vault_secrets where instrument_id = $1", [id])).length;

  test("of nothing verify the card by 0100, and only the instrument keeps the number", async () => {
    const { paid, transactionId } = await payOnce(shop, VERIFY, { consent: true });
    assert.equal(paid.state, "approved");
    const [sent, ...others] = await seen();
    assert.deepEqual([sent?.type, sent?.fields[3], others], ["0100", "000000", []]);
    assert.equal(Number(sent?.fields[4] ?? 0), 0);
    const { category, payment } = await getTransaction(shop, transactionId);
    assert.equal(category.method, "verification");
    assert.equal(await keptFor(transactionId), 0);
    assert.equal(await keptFor(payment.instrument.customer.paymentInstrumentId), 1);
  });

  test("of nothing whose answer is lost are reversed and declined, and store nothing", async () => {
    await host.setFaults({ types: ["0100"], next: ["lost"] });
    const { paid, transactionId } = await payOnce(shop, VERIFY, { consent: true });
    assert.equal(paid.state, "pending");
    const { result, payment } = await settled(transactionId);
    assert.equal(result.codes[0].id, "D10009");
    assert.equal(payment.instrument.customer, undefined);
    assert.deepEqual(await types(), ["0100", "0420"]);
  });

  test("approved in part are reversed and declined", async () => {
    const { paid, transactionId } = await payOnce(shop, { amount: 14_410 });
    assert.equal(paid.state, "declined");
    await eventually("it is reversed", async () => (await types()).includes("0420"));
    assert.equal((await settled(transactionId)).result.codes[0].id, "D04410");
  });

  /** What differs between the gateway and the journal about a payment or refund. */
  const differencesOf = async (id: string) => {
    const account = { id: accountId, merchantId };
    const all = await inContext(gateway.database, (ctx) => reconcileAccount(ctx, account, 100));
    return all?.filter(({ reference }) => reference === id);
  };
  const entryOf = async (message: Seen | undefined) =>
    (await host.entries()).find(({ stan }) => stan === message?.fields[11]);

  test("I24: captured in part have that part captured, shown and in the event", async () => {
    const { transactionId } = await payOnce(shop, { amount: 20_000, category: { captureType: "manual" } });
    const capture = `/transactions/${transactionId}/capture`;
    const answer = ok(await callApi(shop, "POST", capture, { payment: { amount: 14_410 } }));
    assert.equal((await entryOf((await seen())[0]))?.captured, 7_205);
    assert.deepEqual(
      [answer.result.status, answer.captureStatus, answer.payment.capturedAmount],
      ["approved", "captured", 7_205],
    );
    const event = (await eventsOf(shop, transactionId)).at(-1);
    assert.equal(event.payload.payment.capturedAmount, 7_205);
    assert.deepEqual(await differencesOf(transactionId), []);
    // A capture happens once, so the rest can't be captured any more.
    assert.equal((await callApi(shop, "POST", capture, { payment: { amount: 1 } })).status, 409);
  });

  for (const [what, next, sent] of [
    ["", [], ["0420"]],
    [", also when the host answers the reversal late", ["silence"], ["0420", "0421"]],
  ] as const) {
    test(`I24: refunded in part have that part reversed and the refund declined${what}`, async () => {
      const { transactionId } = await payOnce(shop, { amount: 20_000 });
      await host.setFaults({ types: ["0420"], next });
      const refunds = `/transactions/${transactionId}/refunds`;
      const { id } = ok(await callApi(shop, "POST", refunds, { payment: { amount: 14_410 } }));
      const refund = await settledRefund(id);
      assert.deepEqual([refund.result.status, refund.result.codes[0].id], ["declined", "D04410"]);
      assert.deepEqual(await types(), ["0200", "0200", ...sent]);
      const entry = await entryOf((await seen())[1]);
      assert.deepEqual([entry?.approved, entry?.isReversed], [7_205, true]);
      assert.deepEqual(await differencesOf(id), []);
      assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 0);
      // Nothing is held for it any more.
      const all = ok(await callApi(shop, "POST", refunds));
      assert.equal((await settledRefund(all.id)).payment.amount, 20_000);
    });
  }

  for (const fault of ["silence", "lost", "close after", "half", "unreadable", "garbage"] as const) {
    test(`whose answer is lost (${fault}) are reversed and declined`, async () => {
      await host.setFaults({ types: ["0200"], next: [fault] });
      const { paid, transactionId } = await payOnce(shop, { amount: 6_000 });
      assert.equal(paid.state, "pending");
      assert.equal((await settled(transactionId)).result.status, "declined");
      assert.deepEqual(await types(), ["0200", "0420"]);
      const [payment] = await seen();
      const entry = (await host.entries()).find(({ stan }) => stan === payment?.fields[11]);
      assert.ok(entry === undefined || entry.isReversed);
    });
  }

  test("approved after the host had not found them for the reversal are reversed again, with the number", async () => {
    await host.setFaults({ types: ["0200"], next: ["hold"], lateMs: 4_000 });
    const { transactionId } = await payOnce(shop, { amount: 6_050 });
    assert.equal((await settled(transactionId)).result.status, "declined");
    await eventually("it is reversed again", async () => (await types()).includes("0421"));
    const [payment, , again] = await seen();
    assert.equal(again?.fields[2], CARD.number);
    await assertLateApproval(`/transactions/${transactionId}`, 6_050);
    const entry = (await host.entries()).find(({ stan }) => stan === payment?.fields[11]);
    assert.equal(entry?.isReversed, true);
    const kept = async () =>
      gateway.database.rows(`select 1 from vault_secrets where instrument_id = '${transactionId}'`);
    assert.equal((await kept()).length, 1);
    const runNow = (kind: string) =>
      gateway.database.rows("update jobs set due_at = now() where kind = $2 and subject_id = $1", [
        transactionId,
        kind,
      ]);
    await runNow("checkout_reverse_again");
    const jobs = "select from jobs where kind = 'checkout_reverse_again' and subject_id = $1";
    await eventually("the last reversal is sent", async () => {
      return (await gateway.database.rows(jobs, [transactionId])).length === 0;
    });
    await runNow("transaction_erase_card");
    await eventually("the number is erased", async () => (await kept()).length === 0);
  });

  test("approved after the host had reversed them have that on record", async () => {
    await host.setFaults({ types: ["0200"], next: ["late"], lateMs: 4_000 });
    const { transactionId } = await payOnce(shop, { amount: 6_060 });
    const declined = await settled(transactionId);
    assert.equal("lateApproval" in declined, false);
    await assertLateApproval(`/transactions/${transactionId}`, 6_060);
    assert.deepEqual(await types(), ["0200", "0420"]);
  });

  test("approved while they are reversed are declined, and an answer that the host repeats after that changes nothing", async () => {
    await host.setFaults({
      types: ["0200", "0420", "0421"],
      next: ["late", "silence", "silence"],
      lateMs: 3_000,
    });
    const { transactionId } = await payOnce(shop, { amount: 6_065 });
    await eventually("the reversal is sent again", async () => (await types()).includes("0421"));
    const declined = await settled(transactionId);
    const late = () =>
      gateway.database.rows(
        "select from iso8583_messages where reference = $1 and late_response_code = '00'",
        [transactionId],
      );
    assert.equal((await late()).length, 1, "the late answer came before the reversal was confirmed");
    const events = await eventsOf(shop, transactionId);
    const [request] = await seen();
    const back = [3, 4, 7, 11, 41, 42].map((field) => [field, request?.fields[field]]);
    const answer = { ...Object.fromEntries(back), 38: "123456", 39: "00" };
    await host.send({ type: "0210", fields: answer });
    // Both arrive in their order, over the same link.
    await payOnce(shop, { amount: 6_066 });
    assert.deepEqual(await getTransaction(shop, transactionId), declined);
    assert.deepEqual(await eventsOf(shop, transactionId), events);
    assert.equal(declined.result.status, "declined");
    assert.equal("lateApproval" in declined, false);
  });

  test("refunded after the refund was declined have that reversed, with its events", async () => {
    const { transactionId } = await payOnce(shop, { amount: 6_070 });
    await host.setFaults({ types: ["0200", "0421"], next: ["hold", "silence"], lateMs: 4_000 });
    const refunds = `/transactions/${transactionId}/refunds`;
    const { id } = ok(await callApi(shop, "POST", refunds, { payment: { amount: 100 } }));
    await eventually("the reversal is sent again", async () => (await types()).includes("0421"));
    // The host does not confirm it at first.
    assert.equal(ok(await callApi(shop, "GET", `/refunds/${id}`)).lateApproval.status, "reversing");
    await assertLateApproval(`/refunds/${id}`, 100);
    assert.deepEqual(await types(), ["0200", "0200", "0420", "0421", "0421"]);
    const sent = (await seen())[1];
    const entry = (await host.entries()).find(({ stan }) => stan === sent?.fields[11]);
    assert.equal(entry?.isReversed, true);
    assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 0);
  });

  test("have their reversal repeated with the same fields until the host answers", async () => {
    await host.setFaults({ types: ["0200", "0420", "0421"], next: ["silence", "silence", "silence"] });
    const { transactionId } = await payOnce(shop, { amount: 6_100 });
    assert.equal((await settled(transactionId)).result.status, "declined");
    const [, first, second, third, ...others] = await seen();
    assert.deepEqual([first?.type, second?.type, third?.type], ["0420", "0421", "0421"]);
    assert.deepEqual(others, []);
    for (const field of [2, 4, 11, 37, 90]) {
      assert.equal(second?.fields[field], first?.fields[field]);
      assert.equal(third?.fields[field], first?.fields[field]);
    }
  });

  test("have fields 12 and 13 in the merchant's zone, from the next message on when its country changes", async () => {
    const { id, key } = await gateway.newMerchant();
    await addIsoAccount(gateway.database, id, host.port, { terminalId: "TERMZONE" });
    const moving = shopOf(gateway, key);
    const assertZone = async (zone: TimeZone) => {
      assert.equal((await payOnce(moving, { amount: 6_150 })).paid.state, "approved");
      const { 7: sent = "", 12: time, 13: date } = (await seen()).at(-1)?.fields ?? {};
      const utc = `${new Date().getUTCFullYear()}${sent}`.replace(
        /(....)(..)(..)(..)(..)(..)/,
        "$1-$2-$3T$4:$5:$6Z",
      );
      const local = toLocalIso(instant(Date.parse(utc)), zone).replace(/\D/g, "");
      assert.deepEqual([date, time], [local.slice(4, 8), local.slice(8, 14)]);
    };
    await assertZone("Australia/Sydney");
    ok(await callApi(moving, "PUT", "/management/account", { country: "NZ" }));
    await assertZone("Pacific/Auckland");
  });

  test("have their capture repeated as 0221 until the host answers", async () => {
    const { transactionId } = await payOnce(shop, { amount: 6_200, category: { captureType: "manual" } });
    await host.setFaults({ types: ["0220", "0221"], next: ["silence", "lost"] });
    const answer = ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
    assert.equal(answer.result.status, "pending");
    // The job that repeats it does not wait until the process would be overdue.
    await eventually(
      "it is captured",
      async () => (await getTransaction(shop, transactionId)).captureStatus === "captured",
    );
    assert.deepEqual(await types(), ["0100", "0220", "0221", "0221"]);
    const [, first, second] = await seen();
    assert.ok(first !== undefined && second !== undefined && second.at - first.at < 6_000);
  });

  test("whose refund is not answered have it reversed and declined", async () => {
    const { transactionId } = await payOnce(shop, { amount: 6_300 });
    await host.setFaults({ types: ["0200"], next: ["silence"] });
    const { id } = ok(
      await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }),
    );
    assert.equal((await settledRefund(id)).result.status, "declined");
    assert.deepEqual(await types(), ["0200", "0200", "0420"]);
  });

  for (const [what, path, body] of [
    ["settlements run", "/sandbox/settlements/run", undefined],
    ["the clock is moved", "/sandbox/clock/advance", { seconds: 3_600 }],
  ] as const) {
    test(`whose refund is at the host while ${what} on another node have it approved`, async () => {
      const { id, key } = await gateway.newMerchant();
      await addIsoAccount(gateway.database, id, host.port, { terminalId: "TERMSLOW", responseSeconds: 5 });
      const { database } = gateway;
      const node = await startTestGateway({ database, environment: IMMEDIATE });
      try {
        const [ours, there] = [shopOf(gateway, key), shopOf(node, key)];
        const { transactionId } = await payOnce(ours, { amount: 6_350 });
        await host.setFaults({ types: ["0200"], next: ["late"], lateMs: 3_000 });
        const refunds = `/transactions/${transactionId}/refunds`;
        const refund = ok(await callApi(ours, "POST", refunds, { payment: { amount: 100 } }));
        await eventually("the refund is at the host", async () => (await types()).length === 2);
        // Either node may have sent it, so both are called, more than once.
        const call = async (shop: Shop) => {
          for (let time = 0; time < 4; time += 1) ok(await callApi(shop, "POST", path, body));
        };
        await Promise.all([call(ours), call(there)]);
        const read = async () => ok(await callApi(ours, "GET", `/refunds/${refund.id}`)).result.status;
        await eventually("the refund is settled", async () => (await read()) !== "pending");
        assert.equal(await read(), "approved");
        assert.deepEqual(await types(), ["0200", "0200"]);
      } finally {
        await node.stop();
      }
    });
  }

  test("whose refund reaches the host after its reversal, with the answer lost, have it reversed again", async () => {
    const { transactionId } = await payOnce(shop, { amount: 6_400 });
    await host.setFaults({ types: ["0200"], next: ["hold"], lateMs: 4_000 });
    const { id } = ok(
      await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }),
    );
    await eventually("the refund is at the host", async () => (await types()).length === 2);
    // As a killed node does: the late answer has no link to come back on.
    await host.dropLinks();
    const status = async () =>
      ok(await callApi(shop, "GET", `/transactions/${transactionId}/refunds/${id}`)).result.status;
    await eventually("the refund is declined", async () => (await status()) === "declined");
    const sent = (await seen())[1];
    const entry = async () => (await host.entries()).find(({ stan }) => stan === sent?.fields[11]);
    assert.equal(await entry(), undefined, "the host had not seen the refund when it answered the reversal");
    await eventually("the host pays the refund out", entry);
    const job = "kind = 'refund_reverse_again' and subject_id = $1";
    const [planned] = await gateway.database.rows<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from jobs where ${job}`,
      [id],
    );
    assert.ok(planned !== undefined && planned.seconds > 60 && planned.seconds <= 120);
    await gateway.database.rows(`update jobs set due_at = now() where ${job}`, [id]);
    await eventually("the refund is reversed", async () => (await entry())?.isReversed);
    assert.deepEqual(await types(), ["0200", "0200", "0420", "0421"]);
    assert.equal(await status(), "declined");
    await eventually("the job is done", async () => {
      return (await gateway.database.rows(`select from jobs where ${job}`, [id])).length === 0;
    });
  });

  test("are recorded without a card number or security code in the journal", async () => {
    assert.deepEqual(await findInDatabase(gateway.database, CARD.number), []);
  });
});
