import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readNotification } from "../../../src/connectors/adyen/notification.ts";
import type {
  Notification,
  NotifiedAnswer,
  NotifiedFact,
} from "../../../src/connectors/ports/card-acquirer.ts";
import { cents } from "../../../src/kernel/money.ts";
import { DESCRIPTIONS_MISSING, findAdyenDescription } from "../../support/adyen-description.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import type { FakeItem } from "../../support/fake-adyen-notification.ts";
import {
  approvedPayment,
  newOperation,
  newRequest,
  type OpenAdyen,
  openAdyen,
  paymentOf,
  WAIT,
} from "./open-adyen.ts";

/** Every event of Adyen's about a dispute, by what it means here. */
const DISPUTE_EVENTS = {
  information_requested: ["REQUEST_FOR_INFORMATION"],
  opened: ["NOTIFICATION_OF_CHARGEBACK", "CHARGEBACK"],
  defended: ["INFORMATION_SUPPLIED", "CHARGEBACK_REVERSED", "PREARBITRATION_OPEN", "SCHEME_ARBITRATION"],
  won: [
    "ISSUER_RESPONSE_TIMEFRAME_EXPIRED",
    "PREARBITRATION_ISSUER_WITHDRAWN",
    "PREARBITRATION_WON",
    "SCHEME_ARBITRATION_WON",
  ],
  lost: [
    "DISPUTE_DEFENSE_PERIOD_ENDED",
    "SECOND_CHARGEBACK",
    "PREARBITRATION_LOST",
    "SCHEME_ARBITRATION_LOST",
  ],
} as const;

const APPROVED = { kind: "approved", code: "approved" };
const DECLINED = { kind: "declined", code: "invalid_transaction" };

describe("Adyen: notifications", () => {
  let adyen: OpenAdyen;
  before(async () => {
    adyen = await openAdyen();
  });
  after(() => adyen.close());

  const read = async (body: string): Promise<Notification> =>
    (await adyen.acquirer.notification?.({}, body)) ?? assert.fail("no notifications");

  async function only(): Promise<NotifiedAnswer> {
    const facts = await adyen.notified();
    assert.equal(facts.length, 1);
    return facts[0] ?? assert.fail();
  }

  test("the signature is the one of Adyen's published example", () => {
    const item = {
      pspReference: "7914073381342284",
      merchantAccountCode: "TestMerchant",
      merchantReference: "TestPayment-1407325143704",
      amount: { value: 1130, currency: "EUR" },
      eventCode: "AUTHORISATION",
      success: "true",
      additionalData: { hmacSignature: "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=" },
    };
    const body = JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] });
    const key = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
    const account = { merchantAccount: "TestMerchant", webhookHmacKey: Buffer.from(key, "hex") };
    assert.equal(readNotification(account, body).kind, "verified");
    assert.equal(readNotification(account, body.replace("1130", "1131")).kind, "refused");
  });

  test("an authorisation and a refusal are about the payment, with their facts", async () => {
    const payment = await approvedPayment(adyen.acquirer);
    assert.deepEqual(await only(), {
      about: "authorisation",
      reference: payment.reference,
      answer: {
        ...APPROVED,
        facts: {
          acquirerReference: payment.facts.acquirerReference,
          responseCode: "Authorised",
          authorisationCode: "058747",
          networkTransactionId: "MCC123456789012",
        },
      },
    });
    const request = newRequest({ amount: cents(FAKE_AMOUNTS.insufficientFunds) });
    const answer = await adyen.acquirer.authorise(request, WAIT);
    assert.ok(answer.kind === "declined");
    const { about, reference, answer: notified } = await only();
    assert.deepEqual([about, reference], ["authorisation", request.reference]);
    assert.ok(notified.kind === "declined");
    assert.deepEqual([notified.code, notified.advice], [answer.code, answer.advice]);
    assert.equal(notified.facts?.responseCode, answer.facts?.responseCode);
  });

  test("the bank's own text behind a reason does not hide it", async () => {
    const body = adyen.fake.notification({
      eventCode: "AUTHORISATION",
      reference: "txn_1",
      isSuccess: false,
      reason: "Not enough balance : 51 : Insufficient funds",
    });
    const [fact] = await adyen.notified([body]);
    assert.ok(fact?.answer.kind === "declined" && fact.answer.code === "insufficient_funds");
  });

  test("a reason that is not listed is kept as it came", async () => {
    const item = { eventCode: "AUTHORISATION", reference: "txn_1", isSuccess: false, reason: "Next year's" };
    const [fact] = await adyen.notified([adyen.fake.notification(item)]);
    assert.ok(fact?.answer.kind === "declined" && fact.answer.code === "declined");
    assert.equal(fact.answer.facts?.responseCode, "Next year's");
  });

  test("a part that was approved is named", async () => {
    const item = { eventCode: "AUTHORISATION", reference: "txn_1", amount: 900 };
    const part = (authorisedAmountValue: string) =>
      adyen.fake.notification({ ...item, additionalData: { authorisedAmountValue } });
    const facts = await adyen.notified([part("400"), part("900")]);
    const approved = facts.map(({ answer }) =>
      answer.kind === "approved" ? answer.approvedAmount : "declined",
    );
    assert.deepEqual(approved, [400, undefined]);
  });

  for (const isSuccess of [true, false]) {
    test(`a pending payment that ${isSuccess ? "succeeds" : "fails"} is notified later`, async () => {
      const request = newRequest({ amount: cents(FAKE_AMOUNTS.pending) });
      assert.equal((await adyen.acquirer.authorise(request, WAIT)).kind, "accepted");
      assert.deepEqual(await adyen.notified(), []);
      adyen.fake.conclude(request.reference, isSuccess);
      const { reference, answer } = await only();
      assert.deepEqual([reference, answer.kind], [request.reference, isSuccess ? "approved" : "declined"]);
    });
  }

  test("captures, voids and refunds are about our operation, and say whether they succeeded", async () => {
    const payment = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    adyen.fake.takeNotifications();
    const { acquirer } = adyen;
    const steps = [
      ["capture", newOperation(payment, 3001), DECLINED],
      ["capture", newOperation(payment, 3000), APPROVED],
      ["refund", newOperation(payment, 3001), DECLINED],
      ["refund", newOperation(payment, 1), APPROVED],
      ["void", newOperation(payment, 3000), DECLINED],
    ] as const;
    for (const [about, operation, answer] of steps) {
      await acquirer[about]({ ...operation, isFinal: true }, WAIT);
      assert.deepEqual(await only(), { about, reference: operation.reference, answer });
    }
    const held = await approvedPayment(acquirer, { isCapturedAtOnce: false });
    adyen.fake.takeNotifications();
    const release = newOperation(held, 3000);
    await acquirer.void(release, WAIT);
    assert.deepEqual(await only(), { about: "void", reference: release.reference, answer: APPROVED });
    assert.equal(adyen.fake.ledgerOf(held.reference).held, 0);
  });

  test("a capture and a refund that the scheme takes back are declined, although the event is a success", async () => {
    const payment = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    const capture = newOperation(payment, 3000);
    await adyen.acquirer.capture({ ...capture, isFinal: true }, WAIT);
    const refund = newOperation(payment, 7);
    await adyen.acquirer.refund(refund, WAIT);
    adyen.fake.takeNotifications();
    adyen.fake.fail(refund.reference);
    assert.deepEqual(await only(), { about: "refund", reference: refund.reference, answer: DECLINED });
    adyen.fake.fail(capture.reference);
    assert.deepEqual(await only(), { about: "capture", reference: capture.reference, answer: DECLINED });
  });

  test("a reversal of a hold whose answer was lost releases it", async () => {
    const request = newRequest({ isCapturedAtOnce: false });
    adyen.fake.fault("/payments", { does: "drop", after: true });
    assert.deepEqual(await adyen.acquirer.authorise(request, WAIT), { kind: "unknown" });
    const approval = adyen.fake.takeNotifications();
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.deepEqual(await adyen.acquirer.reverse(reversal, WAIT), { kind: "accepted" });
    const { about, reference, answer } = await only();
    const [late] = await adyen.notified(approval);
    assert.ok(late?.about === "authorisation");
    // The approval may be notified after it, and is known then.
    const acquirerReference = late.answer.facts?.acquirerReference ?? "";
    const facts = { reversedReference: acquirerReference };
    assert.deepEqual([about, reference, answer], ["reversal", request.reference, { ...APPROVED, facts }]);
    const known = { reference, payment: paymentOf(request, { ...facts, acquirerReference }) };
    assert.deepEqual(await adyen.acquirer.reverse(known, WAIT), APPROVED);
    const other = { reference, payment: paymentOf(request, { ...facts, acquirerReference: "OTHER" }) };
    assert.deepEqual(await adyen.acquirer.reverse(other, WAIT), { kind: "accepted" });
    assert.equal(adyen.fake.ledgerOf(request.reference).held, 0);
  });

  test("a reversal of a payment that Adyen never saw is approved: nothing is held", async () => {
    const request = newRequest();
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.deepEqual(await adyen.acquirer.reverse(reversal, WAIT), { kind: "accepted" });
    assert.deepEqual(await only(), {
      about: "reversal",
      reference: request.reference,
      answer: APPROVED,
    });
  });

  test("a reversal that finds a captured payment names it, and the next one returns the money", async () => {
    const request = newRequest();
    adyen.fake.fault("/payments", { does: "drop", after: true });
    await adyen.acquirer.authorise(request, WAIT);
    adyen.fake.takeNotifications();
    const { reference } = request;
    await adyen.acquirer.reverse({ reference, payment: paymentOf(request) }, WAIT);
    const first = await only();
    assert.ok(first.about === "reversal" && first.answer.kind === "declined");
    assert.ok(first.answer.facts?.acquirerReference !== undefined);
    const payment = paymentOf(request, first.answer.facts);
    assert.deepEqual(await adyen.acquirer.reverse({ reference, payment }, WAIT), { kind: "accepted" });
    const facts = { reversedReference: first.answer.facts.acquirerReference };
    assert.deepEqual(await only(), { about: "reversal", reference, answer: { ...APPROVED, facts } });
    const { captured, refunded } = adyen.fake.ledgerOf(reference);
    assert.deepEqual([captured, refunded], [3000, 3000]);
  });

  test("a notification says the same however often and in which order it comes", async () => {
    const payment = await approvedPayment(adyen.acquirer);
    await adyen.acquirer.refund(newOperation(payment, 1), WAIT);
    await adyen.acquirer.refund(newOperation(payment, 2), WAIT);
    const bodies = adyen.fake.takeNotifications();
    const facts = await adyen.notified(bodies);
    assert.equal(facts.length, 3);
    assert.deepEqual(await adyen.notified([...bodies, ...bodies]), [...facts, ...facts]);
    assert.deepEqual(await adyen.notified(bodies.toReversed()), facts.toReversed());
  });

  for (const eventCode of ["REPORT_AVAILABLE", "NOTIFICATION_OF_FRAUD", "NEXT_YEARS_EVENT"]) {
    test(`${eventCode} is acknowledged and changes nothing`, async () => {
      const notification = await read(adyen.fake.notification({ eventCode, reference: "txn_1" }));
      assert.deepEqual(notification, { kind: "verified", facts: [], reply: "[accepted]" });
    });
  }

  async function disputeFact(
    item: Partial<FakeItem> & { eventCode: string },
  ): Promise<NotifiedFact | undefined> {
    const notification = await read(adyen.fake.notification({ reference: "txn_1", amount: 700, ...item }));
    assert.ok(notification.kind === "verified");
    return notification.facts[0];
  }

  for (const [step, events] of Object.entries(DISPUTE_EVENTS)) {
    test(`${events.join(", ")}: a dispute is ${step}`, async () => {
      for (const eventCode of events) {
        assert.deepEqual(await disputeFact({ eventCode, reason: "Other Fraud" }), {
          about: "dispute",
          reference: "txn_1",
          step,
          amount: 700,
          currency: "AUD",
          reason: "Other Fraud",
        });
        assert.equal(await disputeFact({ eventCode, isSuccess: false }), undefined);
      }
    });
  }

  test("a dispute has its deadline and a reason, whatever Adyen left out", async () => {
    const eventCode = "CHARGEBACK";
    const additionalData = {
      chargebackReasonCode: " 4853",
      defensePeriodEndsAt: "2026-12-24T01:00:00+01:00",
    };
    const full = await disputeFact({ eventCode, additionalData });
    assert.ok(full?.about === "dispute");
    assert.deepEqual([full.reason, full.respondBy], ["4853", Date.parse("2026-12-24T00:00:00Z")]);
    const bare = await disputeFact({ eventCode, additionalData: { defensePeriodEndsAt: "soon" } });
    assert.ok(bare?.about === "dispute");
    assert.deepEqual([bare.reason, bare.respondBy], ["unknown", undefined]);
    const odd = await disputeFact({ eventCode, reason: `\u0007bell${"x".repeat(200)}` });
    assert.ok(odd?.about === "dispute");
    assert.equal(odd.reason, `bell${"x".repeat(96)}`);
  });

  test("every signed field counts, and nothing is believed without its signature", async () => {
    const genuine = adyen.fake.notification({
      eventCode: "REFUND",
      reference: "rfd_genuine",
      original: "ORIGINAL1",
      amount: 700,
    });
    assert.equal((await read(genuine)).kind, "verified");
    const changes: readonly (readonly [string, string])[] = [
      ["rfd_genuine", "rfd_another"],
      ["ORIGINAL1", "ORIGINAL2"],
      ["700", "70"],
      ['"REFUND"', '"CAPTURE"'],
      ['"success":"true"', '"success":"false"'],
      ['"AUD"', '"NZD"'],
      ['"hmacSignature":"', '"hmacSignature":"A'],
      ['"hmacSignature"', '"other"'],
    ];
    for (const [from, to] of changes) {
      const changed = genuine.replace(from, to);
      assert.notEqual(changed, genuine);
      assert.equal((await read(changed)).kind, "refused", `${from} to ${to}`);
    }
  });

  test("a genuine item does not carry a forged one along", async () => {
    const genuine = JSON.parse(adyen.fake.notification({ eventCode: "REFUND", reference: "rfd_1" }));
    const [item] = genuine.notificationItems;
    const forged = {
      NotificationRequestItem: { ...item.NotificationRequestItem, merchantReference: "rfd_2" },
    };
    const both = JSON.stringify({ ...genuine, notificationItems: [item, forged] });
    assert.equal((await read(both)).kind, "refused");
    const twice = JSON.stringify({ ...genuine, notificationItems: [item, item] });
    const notification = await read(twice);
    assert.ok(notification.kind === "verified" && notification.facts.length === 2);
  });

  test("an item of another merchant account is refused, although it is signed", async () => {
    const item = { eventCode: "REFUND", reference: "rfd_1", merchantAccount: "Other_ECOM" };
    const notification = await read(adyen.fake.notification(item));
    assert.ok(notification.kind === "refused");
    assert.match(notification.reason, /another merchant account/);
  });

  const unreadable = ["", "[]", "{}", "null", "[accepted]", '{"notificationItems":[]}'];
  for (const body of [...unreadable, '{"notificationItems":[{}]}', '{"notificationItems":{"0":1}}']) {
    test(`${JSON.stringify(body)} is refused`, async () => {
      assert.equal((await read(body)).kind, "refused");
    });
  }

  test("a signed item beside nesting that is too deep is refused", async () => {
    const body = adyen.fake.notification({ eventCode: "REFUND", reference: "rfd_1" });
    assert.equal((await read(body)).kind, "verified");
    const deep = `${body.slice(0, -1)},"more":${"[".repeat(40)}${"]".repeat(40)}}`;
    assert.equal((await read(deep)).kind, "refused");
  });

  test("what the fake sends is valid against Adyen's own description", async (t) => {
    const description = findAdyenDescription();
    if (description === undefined) return t.skip(DESCRIPTIONS_MISSING);
    const payment = await approvedPayment(adyen.acquirer);
    const refund = newOperation(payment, 1);
    await adyen.acquirer.refund(refund, WAIT);
    await adyen.acquirer.void(newOperation(payment, 1), WAIT);
    await adyen.acquirer.capture({ ...newOperation(payment, 1), isFinal: true }, WAIT);
    await adyen.acquirer.reverse({ reference: payment.reference, payment }, WAIT);
    await adyen.acquirer.reverse(
      { reference: "txn_1", payment: paymentOf(newRequest({ reference: "txn_1" })) },
      WAIT,
    );
    adyen.fake.fail(refund.reference);
    const bodies = adyen.fake.takeNotifications();
    assert.equal(bodies.length, 7);
    for (const body of bodies) {
      const { notificationItems } = JSON.parse(body);
      const { eventCode } = notificationItems[0].NotificationRequestItem;
      assert.deepEqual(description.notificationProblems(eventCode, JSON.parse(body)), [], eventCode);
    }
    for (const eventCode of Object.values(DISPUTE_EVENTS).flat()) {
      const additionalData = {
        chargebackReasonCode: "10.4",
        defensePeriodEndsAt: "2026-12-24T01:00:00+01:00",
      };
      const body = JSON.parse(adyen.fake.notification({ eventCode, reference: "txn_1", additionalData }));
      // The description has these events, and lists them as values of `eventCode` only in part.
      const problems: readonly string[] = description
        .notificationProblems(eventCode, body)
        .filter((problem) => !problem.includes("/eventCode must be equal"));
      assert.deepEqual(problems, [], eventCode);
    }
  });
});
