import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type AdyenGateway, startAdyenGateway } from "../../support/adyen-gateway.ts";
import { BROWSER } from "../../support/challenges.ts";
import {
  callApi,
  eventsOf,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import { FAKE_3DS_AMOUNTS } from "../../support/fake-adyen-three-d-secure.ts";
import { freePort } from "../../support/free-port.ts";
import { holdTable, waiting } from "../../support/outage.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";
import { tryCommand } from "../../support/typed-command.ts";

const HOLD = { category: { captureType: "manual" } } as const;

describe("contract 12: an Adyen account", () => {
  let adyen: AdyenGateway;
  before(async () => {
    adyen = await startAdyenGateway();
  });
  after(() => adyen.stop());

  /** A shop with one account. Notifications of earlier tests are gone. */
  async function newShop(): Promise<{ shop: Shop; account: string }> {
    const { shop, accounts } = await adyen.newShop();
    adyen.fake.takeNotifications();
    return { shop, account: accounts[0] ?? assert.fail() };
  }

  const statusOf = async (shop: Shop, id: string): Promise<string> =>
    (await getTransaction(shop, id)).result.status;

  /** Jobs of tests before this one may reverse a payment meanwhile, and Adyen notifies that too. */
  const notificationOf = (transactionId: string): string =>
    adyen.fake.takeNotifications().find((body) => body.includes(transactionId)) ?? assert.fail("none waits");

  /** Delivers what waits again and again, until the condition holds. */
  async function deliverUntil(what: string, account: string, holds: () => Promise<boolean>): Promise<void> {
    const inAnyOrder = (bodies: readonly string[]) => [...bodies, ...bodies.toReversed()];
    await eventually(what, async () => {
      await adyen.deliver(account, inAnyOrder);
      return holds();
    });
  }

  const refundsOf = async (shop: Shop, id: string) =>
    ok(await callApi(shop, "GET", `/transactions/${id}/refunds`)).refunds;

  test("the operator's test signs on; wrong settings are one line each, without the key", async () => {
    const { accounts } = await adyen.newShop({}, { apiKey: "AQE_wrong_canary" });
    const right = await adyen.type("test", accounts[0] ?? "");
    assert.deepEqual([right.code, right.output.ok], [0, true]);
    const asInstalled = await tryCommand(adyen.gateway, "acquirer", "test", accounts[0] ?? "");
    assert.deepEqual([asInstalled.code, asInstalled.output.ok], [0, true]);
    const wrong = await adyen.type("test", accounts[1] ?? "");
    assert.deepEqual([wrong.code, wrong.output.ok], [1, false]);
    assert.match(wrong.output.detail, /API key/);
    assert.ok(!JSON.stringify(wrong).includes("canary"));
    await assert.rejects(
      adyen.newShop({ endpoint: "http://shop.example", webhookHmacKey: "canary" }),
      (error) => {
        assert.ok(error instanceof Error);
        assert.equal(error.message.split("\n").length, 2);
        return !error.message.includes("canary");
      },
    );
  });

  test("docs/guides/going-live.md: its settings are the connector's, and its commands work", async () => {
    const guide = await readFile(new URL("../../../docs/guides/going-live.md", import.meta.url), "utf8");
    const section = guide.split("### An account at Adyen")[1] ?? assert.fail("the section is missing");
    const settings: object = JSON.parse(/```json\n([^`]+)```/.exec(section)?.[1] ?? "");
    assert.deepEqual(Object.keys(settings).sort(), Object.keys(adyen.fake.settings).sort());
    const lines = /```sh\n([^`]+)```/.exec(section)?.[1]?.trim().split("\n") ?? [];
    const { id } = await adyen.gateway.newMerchant();
    const file = join(adyen.folder, "adyen.json");
    await writeFile(file, JSON.stringify(adyen.fake.settings));
    let account = "";
    for (const line of lines) {
      const here = line.replace("mer_…", id).replace("acq_…", account).replace("adyen.json", file);
      const { code, output, stderr } = await adyen.type(...here.split(" ").slice(3));
      assert.equal(code, 0, stderr);
      account = output.acquirerAccountId ?? account;
    }
    assert.equal(lines.length, 2);
  });

  test("a payment is approved, with what Adyen said in its record", async () => {
    const { shop, account } = await newShop();
    const { transactionId, paid } = await payOnce(shop, { amount: 3000 });
    assert.equal(paid.state, "approved");
    const { acquirer, result } = await getTransaction(shop, transactionId);
    assert.equal(result.mode, "sandbox");
    assert.equal(acquirer.connector, "adyen");
    assert.deepEqual(
      [acquirer.authorisationCode, acquirer.networkTransactionId, acquirer.responseCode],
      ["058747", "MCC123456789012", "Authorised"],
    );
    const sent = adyen.fake.calls.find(({ body }) => body["reference"] === transactionId)?.body ?? {};
    assert.equal(sent["shopperIP"], "127.0.0.1", "the payer's address, for Adyen's risk checks");
    // Adyen notifies of every payment, also of those that it has answered.
    assert.equal(await adyen.deliver(account), 1);
    assert.equal(await statusOf(shop, transactionId), "approved");
    assert.equal(adyen.fake.ledgerOf(transactionId).captured, 3000);
  });

  test("a refusal is declined with the catalogue's code and Adyen's own", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, { amount: FAKE_AMOUNTS.insufficientFunds });
    const { result, acquirer } = await getTransaction(shop, transactionId);
    assert.deepEqual(
      [result.codes[0].id, acquirer.responseCode, acquirer.retryAdvice],
      ["D04451", "12", "later"],
    );
    assert.equal(await adyen.deliver(account), 1);
    assert.equal(await statusOf(shop, transactionId), "declined");
  });

  test("a pending payment is settled by the notification", async () => {
    for (const isSuccess of [true, false]) {
      const { shop, account } = await newShop();
      const { transactionId, paid } = await payOnce(shop, { amount: FAKE_AMOUNTS.pending });
      assert.equal(paid.state, "pending");
      adyen.fake.conclude(transactionId, isSuccess);
      await adyen.deliver(account, (bodies) => [...bodies, ...bodies]);
      assert.equal(await statusOf(shop, transactionId), isSuccess ? "approved" : "declined");
    }
  });

  test("a partial approval in the notification of a pending payment goes back, and the payment is declined", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, { amount: FAKE_AMOUNTS.pending });
    adyen.fake.conclude(transactionId, true, 9_000);
    // The first call of the reversal is lost: the gateway repeats it.
    adyen.fake.fault("/reversals", { does: "drop", after: false });
    await adyen.deliver(account, (bodies) => [...bodies, ...bodies]);
    const pending = await getTransaction(shop, transactionId);
    assert.equal(pending.result.status, "pending");
    assert.deepEqual((await eventsOf(shop, transactionId)).at(-1)?.payload, pending);
    await deliverUntil("it has gone back", account, () => hasGoneBack(shop, transactionId));
    const { result, captureStatus } = await getTransaction(shop, transactionId);
    assert.deepEqual([result.codes[0].id, captureStatus ?? null], ["D04410", null]);
  });

  test("a partial approval in the notification of a pending payment is captured where the merchant accepts it", async () => {
    const { shop, account } = await newShop();
    const accepting = { amount: FAKE_AMOUNTS.pending, category: { partialApproval: "accept" } } as const;
    const { transactionId } = await payOnce(shop, accepting);
    adyen.fake.conclude(transactionId, true, 9_000);
    await adyen.deliver(account);
    const { result, payment } = await getTransaction(shop, transactionId);
    assert.deepEqual([result.status, payment.capturedAmount], ["approved", 9_000]);
  });

  test("I27: capture and refund are pending until the notification", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, HOLD);
    assert.equal(
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`)).result.status,
      "pending",
    );
    await adyen.deliver(account);
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "captured");
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 1000 } }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    assert.equal((await refundsOf(shop, transactionId))[0].result.status, "pending");
    assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 0);
    await adyen.deliver(account);
    assert.equal((await refundsOf(shop, transactionId))[0].result.status, "approved");
    assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 1000);
    assert.deepEqual(adyen.fake.ledgerOf(transactionId), { held: 3000, captured: 3000, refunded: 1000 });
  });

  test("a void is done once the notification says so", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, HOLD);
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/cancel`));
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "uncaptured");
    await adyen.deliver(account);
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "voided");
    assert.equal(adyen.fake.ledgerOf(transactionId).held, 0);
  });

  test("a refund whose answer was lost is sent again and made once", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop);
    adyen.fake.fault("/refunds", { does: "drop", after: true });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 700 } }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    await deliverUntil("the refund is approved", account, async () => {
      return (await refundsOf(shop, transactionId))[0].result.status === "approved";
    });
    assert.equal(adyen.fake.ledgerOf(transactionId).refunded, 700);
  });

  for (const after of [false, true]) {
    for (const [what, overrides] of [
      ["hold", HOLD],
      ["sale", {}],
    ] as const) {
      test(`a ${what} whose call was lost ${after ? "after" : "before"} Adyen processed it goes back: both ledgers agree`, async () => {
        const { shop, account } = await newShop();
        adyen.fake.fault("/payments", { does: "drop", after });
        const { transactionId, paid } = await payOnce(shop, overrides);
        assert.equal(paid.state, "pending");
        // Adyen's word about the payment comes when the gateway has begun to reverse it.
        const late = adyen.fake.takeNotifications();
        await eventually("it is being reversed", async () => cancelsOf(transactionId) > 0);
        for (const body of late) assert.equal((await adyen.notify(account, body)).status, 200);
        await deliverUntil("it has gone back", account, () => hasGoneBack(shop, transactionId));
        // Where the payment reached Adyen, the gateway knew of its approval before it declined it.
        const [declined, events] = [
          await getTransaction(shop, transactionId),
          await eventsOf(shop, transactionId),
        ];
        for (const body of late) assert.equal((await adyen.notify(account, body)).status, 200);
        assert.deepEqual(await getTransaction(shop, transactionId), declined);
        assert.deepEqual(await eventsOf(shop, transactionId), events);
      });
    }
  }

  test("a sale goes back although Adyen's word about it never came", async () => {
    const { shop, account } = await newShop();
    adyen.fake.fault("/payments", { does: "drop", after: true });
    const { transactionId } = await payOnce(shop);
    assert.ok(adyen.fake.takeNotifications().some((body) => body.includes(transactionId)));
    await deliverUntil("it has gone back", account, () => hasGoneBack(shop, transactionId));
  });

  test("a reversal is sent once more, and no more often", async () => {
    const { shop, account } = await newShop();
    adyen.fake.fault("/payments", { does: "drop", after: false });
    const { transactionId } = await payOnce(shop, HOLD);
    await deliverUntil("it is declined", account, () => hasGoneBack(shop, transactionId));
    const sent = cancelsOf(transactionId);
    const waiting = () =>
      adyen.gateway.database.rows(
        "select from jobs where kind = 'checkout_reverse_again' and subject_id = $1",
        [transactionId],
      );
    assert.equal((await waiting()).length, 1);
    await adyen.gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [
      transactionId,
    ]);
    await eventually("the job is done", async () => (await waiting()).length === 0);
    assert.equal(cancelsOf(transactionId), sent + 1);
  });

  /** A payment that Adyen has reversed before the approval is notified, twice: what is on record then. */
  async function approveAfterReversal(overrides: object) {
    const { shop, account } = await newShop();
    adyen.fake.fault("/payments", { does: "drop", after: true });
    const { transactionId } = await payOnce(shop, overrides);
    const late = adyen.fake.takeNotifications();
    await deliverUntil("it has gone back", account, () => hasGoneBack(shop, transactionId));
    const before = await getTransaction(shop, transactionId);
    assert.equal("lateApproval" in before, false);
    const known = (await eventsOf(shop, transactionId)).length;
    await onlyReverseAgain(transactionId);
    const sent = adyen.fake.calls.length;
    for (const body of [...late, ...late]) assert.equal((await adyen.notify(account, body)).status, 200);
    assert.equal(adyen.fake.calls.length, sent);
    const events = (await eventsOf(shop, transactionId)).length - known;
    return { before, after: await getTransaction(shop, transactionId), events };
  }

  test("the approval of a hold, notified after Adyen had reversed it, is on record once, as reversed", async () => {
    const { before, after, events } = await approveAfterReversal(HOLD);
    const { lateApproval, ...record } = after;
    assert.equal(lateApproval.status, "reversed");
    assert.deepEqual(record, { ...before, updatedDateTime: lateApproval.reversedDateTime });
    assert.equal(events, 2);
  });

  test("the approval of a sale, notified after Adyen had named and reversed it, changes nothing", async () => {
    const { before, after, events } = await approveAfterReversal({});
    assert.deepEqual([after, events], [before, 0]);
  });

  test("the approval of a declined payment, notified after its second reversal, is on record as reversed", async () => {
    const { shop, account } = await newShop();
    adyen.fake.fault("/payments", { does: "drop", after: false });
    const { transactionId: reference } = await payOnce(shop, HOLD);
    // Adyen has no payment under the reference yet.
    await deliverUntil("it is declined", account, () => hasGoneBack(shop, reference));
    const known = (await eventsOf(shop, reference)).length;
    await onlyReverseAgain(reference);
    const sent = adyen.fake.calls.length;
    const payment = { reference, amount: 3000, isSuccess: true };
    const cancel = { ...payment, eventCode: "TECHNICAL_CANCEL", psp: "CANCEL", original: "LATE" };
    const approval = { ...payment, eventCode: "AUTHORISATION", psp: "LATE" };
    for (const item of [cancel, approval])
      assert.equal((await adyen.notify(account, adyen.fake.notification(item))).status, 200);
    assert.equal((await getTransaction(shop, reference)).lateApproval.status, "reversed");
    assert.equal((await eventsOf(shop, reference)).length, known + 2);
    assert.equal(adyen.fake.calls.length, sent);
  });

  test("a second cancel of a declined payment, which fails and names it, does not hide its approval", async () => {
    const { shop, account } = await newShop();
    adyen.fake.fault("/payments", { does: "drop", after: false });
    const { transactionId: reference } = await payOnce(shop, HOLD);
    await deliverUntil("it is declined", account, () => hasGoneBack(shop, reference));
    await onlyReverseAgain(reference);
    const item = { reference, amount: 3000, eventCode: "TECHNICAL_CANCEL", original: "LATE" };
    const approval = { reference, amount: 3000, eventCode: "AUTHORISATION", psp: "LATE" };
    // The second cancel fails, and names the payment that the first one has cancelled.
    for (const one of [item, { ...item, isSuccess: false }, approval])
      assert.equal((await adyen.notify(account, adyen.fake.notification(one))).status, 200);
    assert.equal((await getTransaction(shop, reference)).lateApproval.status, "reversed");
  });

  test("a payment that Adyen refused, and approves after that, goes back: the refusal's code does not count as its reversal", async () => {
    const { shop, account } = await newShop();
    const { transactionId: reference } = await payOnce(shop, { amount: FAKE_AMOUNTS.insufficientFunds });
    const declined = await getTransaction(shop, reference);
    assert.deepEqual([declined.result.status, declined.acquirer.responseCode], ["declined", "12"]);
    const psp = String(adyen.fake.answers.findLast(({ path }) => path === "/payments")?.body["pspReference"]);
    adyen.fake.takeNotifications();
    const amount = FAKE_AMOUNTS.insufficientFunds;
    const say = async (item: {
      readonly eventCode: string;
      readonly psp?: string;
      readonly original?: string;
    }) => {
      const body = adyen.fake.notification({ reference, amount, ...item });
      assert.equal((await adyen.notify(account, body)).status, 200);
      const { lateApproval, acquirer } = await getTransaction(shop, reference);
      return [lateApproval.status, acquirer.responseCode];
    };
    assert.deepEqual(await say({ eventCode: "AUTHORISATION", psp }), ["reversing", "12"]);
    assert.ok(adyen.fake.calls.some(({ path }) => path === `/payments/${psp}/reversals`));
    assert.deepEqual(await say({ eventCode: "CANCEL_OR_REFUND", original: psp }), ["reversed", "12"]);
  });

  for (const [what, fault, overrides] of [
    [
      "an account verification",
      "after",
      { amount: 0, customerRequest: { paymentInstrument: "create", name: "Jo" } },
    ],
    [
      "a payment refused for a reason of Adyen's next year",
      "after",
      { amount: FAKE_AMOUNTS.unlistedRefusal },
    ],
  ] as const)
    test(`the reversal of ${what}, whose answer was lost, ends`, async () => {
      const { shop, account } = await newShop();
      adyen.fake.fault("/payments", { does: "drop", after: fault === "after" });
      const consent = overrides.amount === 0 ? { consent: true } : {};
      const { transactionId } = await payOnce(shop, overrides, consent);
      await eventually("it is being reversed", async () => cancelsOf(transactionId) > 0);
      await deliverUntil(
        "it is declined",
        account,
        async () => (await statusOf(shop, transactionId)) === "declined",
      );
      const again = "from jobs where kind = 'checkout_reverse_again' and subject_id = $1";
      await eventually("the second reversal is over", async () => {
        await adyen.deliver(account);
        const due = `update jobs set due_at = now() where id in (select id ${again})`;
        await adyen.gateway.database.rows(due, [transactionId]);
        return (await adyen.gateway.database.rows(`select ${again}`, [transactionId])).length === 0;
      });
    });

  describe("a cancel that found no payment says nothing about one that Adyen has since", () => {
    /** A payment that Adyen gets late, and the notification of the cancel that came before it. */
    async function cancelledTooEarly() {
      const { shop, account } = await newShop();
      adyen.fake.fault("/payments", { does: "drop", after: false });
      const { transactionId: reference } = await payOnce(shop);
      await eventually("it is being reversed", async () => cancelsOf(reference) > 0);
      const nothingFound = notificationOf(reference);
      const item = (eventCode: string, more: object) =>
        adyen.fake.notification({ eventCode, reference, amount: 3000, isSuccess: true, ...more });
      const psp = `LATE${reference.slice(-12)}`;
      const received = { does: "answer", status: 201, body: { status: "received" } } as const;
      for (let call = 0; call < 20; call += 1) adyen.fake.fault(`/${psp}/reversals`, received);
      const approval = item("AUTHORISATION", { psp });
      const reversed = (isSuccess: boolean) => item("CANCEL_OR_REFUND", { original: psp, isSuccess });
      const notify = async (...bodies: readonly string[]) => {
        for (const body of bodies) assert.equal((await adyen.notify(account, body)).status, 200);
      };
      return { shop, reference, nothingFound, approval, reversed, notify };
    }

    test("if it is repeated after the approval of a declined payment", async () => {
      const { shop, reference, nothingFound, approval, reversed, notify } = await cancelledTooEarly();
      await notify(nothingFound);
      assert.equal(await statusOf(shop, reference), "declined");
      await notify(approval, nothingFound, reversed(false));
      assert.equal((await getTransaction(shop, reference)).lateApproval.status, "reversing");
      // The second reversal is not the last one either, until Adyen confirms it.
      const again = "from jobs where kind = 'checkout_reverse_again' and subject_id = $1";
      const due = `update jobs set due_at = now() where id in (select id ${again})`;
      await adyen.gateway.database.rows(due, [reference]);
      await eventually("the second reversal waits for its confirmation", async () => {
        const jobs = await adyen.gateway.database.rows(`select ${again} and problem is not null`, [
          reference,
        ]);
        return jobs.length === 1;
      });
      await notify(reversed(true));
      assert.equal((await getTransaction(shop, reference)).lateApproval.status, "reversed");
      await adyen.gateway.database.rows(due, [reference]);
      await eventually("nothing is left to reverse", async () => {
        return (await adyen.gateway.database.rows(`select ${again}`, [reference])).length === 0;
      });
    });

    test("if it comes after the approval of a payment that is being reversed", async () => {
      const { shop, reference, nothingFound, approval, reversed, notify } = await cancelledTooEarly();
      await notify(approval, nothingFound, reversed(false));
      assert.equal(await statusOf(shop, reference), "pending");
      await notify(reversed(true));
      assert.equal(await statusOf(shop, reference), "declined");
    });
  });

  /** The second reversals of earlier tests' payments, which come when they have waited long enough, are left out. */
  const onlyReverseAgain = (id: string) =>
    adyen.gateway.database.rows(
      "delete from jobs where kind = 'checkout_reverse_again' and subject_id <> $1",
      [id],
    );

  const cancelsOf = (reference: string): number =>
    adyen.fake.calls.filter(({ path, body }) => path === "/cancels" && body["paymentReference"] === reference)
      .length;

  async function hasGoneBack(shop: Shop, id: string): Promise<boolean> {
    const { held, captured, refunded } = adyen.fake.ledgerOf(id);
    const isBack = captured === 0 ? held === 0 : captured === refunded;
    return isBack && (await statusOf(shop, id)) === "declined";
  }

  test("a payment whose answer was lost is approved by a notification that comes in time", async () => {
    const { shop, account } = await newShop();
    // The gateway waits a second before it reverses the payment.
    await eventually("a notification comes in time", async () => {
      adyen.fake.fault("/payments", { does: "drop", after: true });
      const { transactionId, paid } = await payOnce(shop);
      assert.equal(paid.state, "pending");
      await adyen.deliver(account);
      return (await statusOf(shop, transactionId)) === "approved";
    });
  });

  test("I25: an account that cannot be reached passes the payment on to the next", async () => {
    const { shop } = await adyen.newShop({ endpoint: `http://127.0.0.1:${await freePort()}/v71` }, {});
    const { transactionId, paid } = await payOnce(shop);
    assert.equal(paid.state, "approved");
    assert.equal(adyen.fake.ledgerOf(transactionId).captured, 3000);
  });

  test("later charges of a stored card carry the network's reference and say who started them", async () => {
    const { shop } = await newShop();
    const card = await storedCard(shop, { category: { frequency: "recurring" } });
    const first = adyen.fake.calls.at(-1)?.body ?? {};
    assert.deepEqual(
      [first["shopperInteraction"], first["recurringProcessingModel"], first["shopperReference"]],
      ["Ecommerce", "Subscription", card.id],
    );
    ok(
      await callApi(shop, "POST", "/transactions", chargeOf(card, { category: { frequency: "recurring" } })),
    );
    const later = adyen.fake.calls.at(-1)?.body ?? {};
    assert.deepEqual(
      [later["shopperInteraction"], later["recurringProcessingModel"], later["additionalData"]],
      ["ContAuth", "Subscription", { networkTxReference: "MCC123456789012" }],
    );
    assert.equal(later["shopperReference"], card.id);
  });

  describe("the payer's e-mail address", () => {
    const emailOf = (reference: string) =>
      adyen.fake.calls.find(({ body }) => body["reference"] === reference)?.body["shopperEmail"];

    test("is the payment request's, and none where the merchant gave none", async () => {
      const { shop } = await newShop();
      const { transactionId } = await payOnce(shop, { customerRequest: { email: "jo@shop.example" } });
      assert.equal(emailOf(transactionId), "jo@shop.example");
      assert.equal(emailOf((await payOnce(shop)).transactionId), undefined);
    });

    test("is the customer's record's, as it is at the time of the payment", async () => {
      const { shop } = await newShop();
      const customer = { name: "Jo", email: "old@shop.example" };
      const { id } = ok(await callApi(shop, "POST", "/customers", customer));
      const known = { customerRequest: { id, paymentInstrument: "create" } };
      const { requestId, transactionId } = await payOnce(shop, known, { consent: true });
      assert.equal(emailOf(transactionId), "old@shop.example");
      const { customerResult } = ok(await callApi(shop, "GET", `/paymentrequests/${requestId}`));
      ok(await callApi(shop, "PUT", `/customers/${id}`, { email: "new@shop.example" }));
      const { paymentInstrumentId } = customerResult;
      const charged = ok(await callApi(shop, "POST", "/transactions", chargeOf({ id, paymentInstrumentId })));
      assert.equal(emailOf(charged.id), "new@shop.example");
    });
  });

  describe("native 3D Secure of a live merchant", () => {
    const SECURE = { category: { authenticationType: "3d_secure" } } as const;

    const mpiDataOf = (reference: string) =>
      adyen.fake.calls.find(({ body }) => body["reference"] === reference)?.body["mpiData"] as
        | Readonly<Record<string, string>>
        | undefined;

    const JO = { customerRequest: { email: "jo@shop.example" } } as const;

    /** The bank had the payer in between: what the payer's first request showed is in both calls. */
    function assertPayerIn(reference: string): void {
      for (const one of [`${reference}-3ds`, reference]) {
        const { body } = adyen.fake.calls.find((call) => call.body["reference"] === one) ?? assert.fail();
        assert.deepEqual([body["shopperIP"], body["shopperEmail"]], ["127.0.0.1", "jo@shop.example"], one);
      }
    }

    test("is in the payment, and takes no money of its own", async () => {
      const { shop } = await adyen.newLiveShop();
      const { transactionId, paid } = await payOnce(shop, { amount: 3000, ...SECURE });
      assert.equal(paid.state, "approved");
      const { eci, cavv, directoryResponse } = mpiDataOf(transactionId) ?? {};
      assert.deepEqual([eci, directoryResponse], ["05", "Y"]);
      assert.equal(Buffer.from(String(cavv), "base64").length, 20);
      const { authentication } = await getTransaction(shop, transactionId);
      assert.deepEqual([authentication.status, authentication.eci], ["authenticated", "05"]);
      assert.equal(adyen.fake.ledgerOf(`${transactionId}-3ds`).held, 0);
    });

    test("that fails declines the payment, and Adyen gets none", async () => {
      const { shop } = await adyen.newLiveShop();
      const { transactionId } = await payOnce(shop, { amount: FAKE_3DS_AMOUNTS.fails, ...SECURE });
      const { result, authentication } = await getTransaction(shop, transactionId);
      assert.deepEqual([result.codes[0].id, authentication.status], ["D04417", "failed"]);
      assert.equal(mpiDataOf(transactionId), undefined);
      assert.equal(adyen.fake.ledgerOf(transactionId).held, 0);
    });

    for (const passed of [true, false]) {
      test(`with a challenge that the payer ${passed ? "passes" : "fails"}`, async () => {
        const { shop } = await adyen.newLiveShop();
        const frame = await openFrame(shop, { amount: FAKE_3DS_AMOUNTS.challenges, ...SECURE, ...JO });
        const { state, challenge, transactionId } = ok(await frame.pay());
        assert.deepEqual([state, challenge.url], ["challenge", "https://acs.example/challenge"]);
        const creq = JSON.parse(Buffer.from(challenge.fields.creq, "base64url").toString());
        const cres = adyen.fake.answerChallenge(creq.acsTransID, passed);
        const paid = ok(await frame.continue(challenge.sealed, { cres }));
        assert.equal(paid.state, passed ? "approved" : "declined");
        if (passed) assertPayerIn(transactionId);
        assert.equal(mpiDataOf(transactionId)?.["directoryResponse"], passed ? "Y" : undefined);
      });
    }

    test("with the issuer's method step before it", async () => {
      const { shop } = await adyen.newLiveShop();
      const frame = await openFrame(shop, { amount: FAKE_3DS_AMOUNTS.method, ...SECURE, ...JO });
      const { state, method, transactionId } = ok(await frame.pay({ browser: BROWSER }));
      assert.deepEqual([state, method?.url], ["method", "https://acs.example/method"]);
      const paid = ok(await frame.continue(method.sealed, { methodCompletion: "Y" }));
      assert.equal(paid.state, "approved");
      assert.equal(mpiDataOf(transactionId)?.["eci"], "05");
      assertPayerIn(transactionId);
    });
  });

  test("I27: a notification is acknowledged only once it is recorded", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, { amount: FAKE_AMOUNTS.pending });
    adyen.fake.conclude(transactionId, true);
    const body = notificationOf(transactionId);
    const release = await holdTable(adyen.gateway.database, "transactions");
    let isAnswered = false;
    const answering = adyen.notify(account, body).then((answer) => {
      isAnswered = true;
      return answer.text();
    });
    try {
      await eventually("it waits for the table", async () => (await waiting(adyen.gateway.database)) > 0);
      // An answer to the notification would have been sent before the answer to a later request.
      assert.equal((await adyen.gateway.get("/healthz")).status, 200);
      assert.equal(isAnswered, false);
    } finally {
      await release();
    }
    assert.equal(await answering, "[accepted]");
    assert.equal(await statusOf(shop, transactionId), "approved");
  });

  test("a forged notification is refused and changes nothing", async () => {
    const { shop, account } = await newShop();
    const { transactionId } = await payOnce(shop, { amount: FAKE_AMOUNTS.pending });
    adyen.fake.conclude(transactionId, true);
    const genuine = notificationOf(transactionId);
    const forged = genuine.replace('"value":14497', '"value":1');
    assert.notEqual(forged, genuine);
    assert.equal((await adyen.notify(account, forged)).status, 401);
    assert.equal((await adyen.notify(account, "")).status >= 400, true);
    assert.equal(await statusOf(shop, transactionId), "pending");
    assert.equal((await adyen.notify(account, genuine)).status, 200);
    assert.equal(await statusOf(shop, transactionId), "approved");
  });
});
