import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import type { AcquirerAnswer } from "../../../src/connectors/ports/card-acquirer.ts";
import { DECLINES } from "../../../src/kernel/codes/outcomes.ts";
import { cents } from "../../../src/kernel/money.ts";
import { SECOND } from "../../../src/kernel/time.ts";
import { eventually } from "../../support/eventually.ts";
import type { Fault } from "../../support/fake-adyen.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import {
  approvedPayment,
  newOperation,
  newRequest,
  type OpenAdyen,
  openAdyen,
  paymentOf,
  WAIT,
} from "./open-adyen.ts";

/** Of the account that waits a short time only. */
const ANSWERS_WITHIN = SECOND / 2;
const EXCHANGE_WITHIN = 4 * ANSWERS_WITHIN;

describe("Adyen: what an answer means", () => {
  let adyen: OpenAdyen;
  let impatient: OpenAdyen;
  before(async () => {
    adyen = await openAdyen();
    impatient = await openAdyen({ answersWithinMs: ANSWERS_WITHIN });
  });
  after(async () => {
    await adyen.close();
    await impatient.close();
  });

  const authorise = (amount: number, { acquirer } = adyen): Promise<AcquirerAnswer> =>
    acquirer.authorise(newRequest({ amount: cents(amount) }), WAIT);

  test("an authorised payment is approved, with the facts of Adyen", async () => {
    const answer = await authorise(FAKE_AMOUNTS.approved);
    assert.ok(answer.kind === "approved" && answer.facts?.acquirerReference !== undefined);
    const { acquirerReference, ...facts } = answer.facts;
    assert.match(acquirerReference, /^[0-9A-F]{16}$/);
    assert.equal(answer.code, "approved");
    assert.equal(answer.approvedAmount, undefined);
    assert.deepEqual(facts, {
      responseCode: "Authorised",
      authorisationCode: "058747",
      networkTransactionId: "MCC123456789012",
      securityCodeResult: "1 Matches",
      addressResult: "4 AVS not supported for this card type",
    });
  });

  test("a partly authorised payment says how much was approved", async () => {
    const { amount, approved } = FAKE_AMOUNTS.partial;
    const answer = await authorise(amount);
    assert.ok(answer.kind === "approved");
    assert.deepEqual([answer.code, answer.approvedAmount], ["approved_for_partial_amount", approved]);
  });

  const declines: readonly (readonly [string, number, string, string, string | undefined])[] = [
    ["a refusal", FAKE_AMOUNTS.insufficientFunds, "insufficient_funds", "12", "later"],
    ["a soft decline", FAKE_AMOUNTS.authenticationRequired, "3d_secure_error", "38", "with_authentication"],
    ["a refusal of a kind that is not listed", FAKE_AMOUNTS.unlistedRefusal, "declined", "999", undefined],
    ["a refusal with Mastercard's advice", FAKE_AMOUNTS.advisedAgainst, "do_not_honour", "2", "never"],
    ["a cancelled payment", FAKE_AMOUNTS.cancelled, "declined", "Cancelled", undefined],
    ["a redirect", FAKE_AMOUNTS.redirect, "3d_secure_error", "RedirectShopper", "with_authentication"],
  ];
  for (const [title, amount, code, raw, advice] of declines) {
    test(`${title} is declined as ${code}, and the raw code is kept`, async () => {
      const answer = await authorise(amount);
      assert.ok(answer.kind === "declined" && answer.code in DECLINES);
      assert.equal(answer.code, code);
      assert.equal(answer.facts?.responseCode, raw);
      assert.equal(answer.advice, advice);
    });
  }

  for (const name of ["pending", "received"] as const) {
    test(`a payment that is ${name} is accepted: its outcome follows`, async () => {
      const answer = await authorise(FAKE_AMOUNTS[name]);
      assert.ok(answer.kind === "accepted" && answer.facts?.acquirerReference !== undefined);
    });
  }

  test("an error at Adyen is an unknown outcome", async () => {
    assert.deepEqual(await authorise(FAKE_AMOUNTS.error), { kind: "unknown" });
  });

  const unknown: readonly (readonly [string, Fault])[] = [
    ["status 500", { does: "answer", status: 500, body: { errorCode: "905", message: "failed" } }],
    ["status 503", { does: "answer", status: 503 }],
    ["a redirect of HTTP", { does: "answer", status: 307, headers: { location: "http://127.0.0.1:1/" } }],
    ["no JSON", { does: "say", text: "<html>maintenance</html>" }],
    ["an array", { does: "say", text: "[]" }],
    ["an empty answer", { does: "say", text: "" }],
    ["no result code", { does: "answer", status: 200, body: { pspReference: "X" } }],
    ["a result code that is not described", { does: "answer", status: 200, body: { resultCode: "Maybe" } }],
    ["an approval without pspReference", { does: "answer", status: 200, body: { resultCode: "Authorised" } }],
    ["an answer without end", { does: "say", text: `{"a":"${"x".repeat(300 * 1024)}"}` }],
    ["a connection that ends before the call is processed", { does: "drop", after: false }],
    ["a connection that ends after the call was processed", { does: "drop", after: true }],
    ["silence", { does: "hang", after: true }],
    [
      "a call that Adyen knows already",
      { does: "answer", status: 422, body: { errorCode: "704", message: "in progress" } },
    ],
    [
      "an error that passes",
      { does: "answer", status: 422, body: { errorCode: "000" }, headers: { "transient-error": "true" } },
    ],
  ];
  for (const [title, fault] of unknown) {
    test(`${title}: the outcome of a payment and of an operation is unknown`, async () => {
      const isSilent = fault.does === "hang";
      const caller = isSilent ? impatient : adyen;
      caller.fake.fault("/payments", fault);
      assert.deepEqual(await authorise(3000, caller), { kind: "unknown" });
      const payment = isSilent
        ? paymentOf(newRequest(), { acquirerReference: "SOME_PAYMENT" })
        : await approvedPayment(adyen.acquirer);
      caller.fake.fault("/refunds", fault);
      assert.deepEqual(await caller.acquirer.refund(newOperation(payment, 1), WAIT), { kind: "unknown" });
    });
  }

  test("a payment that Adyen rejects is declined, with the reason in the log", async () => {
    const answer = await adyen.acquirer.authorise(
      newRequest({ card: { ...newRequest().card, number: "4111111111111112" } }),
      WAIT,
    );
    assert.deepEqual(answer, {
      kind: "declined",
      code: "invalid_card_number",
      facts: { responseCode: "101" },
    });
    assert.match(adyen.logged.at(-1) ?? "", /status 422, error 101, Invalid card number …/);
  });

  const rejections = [
    [400, "format_error"],
    [401, "no_merchant"],
    [403, "no_merchant"],
    [404, "unable_to_route_transaction"],
    [422, "format_error"],
    [429, "suspected_malfunction"],
  ] as const;
  for (const [status, code] of rejections) {
    test(`status ${status} declines a payment as ${code}`, async () => {
      adyen.fake.fault("/payments", { does: "answer", status });
      const answer = await authorise(3000);
      assert.ok(answer.kind === "declined");
      assert.deepEqual([answer.code, answer.facts?.responseCode], [code, String(status)]);
    });
  }

  test("status 401, 403, 404 and 429 leave an operation unknown, because an earlier call may have arrived", async () => {
    const payment = await approvedPayment(adyen.acquirer);
    const calls = {
      "/captures": () => adyen.acquirer.capture({ ...newOperation(payment, 1), isFinal: true }, WAIT),
      "/refunds": () => adyen.acquirer.refund(newOperation(payment, 1), WAIT),
      "/cancels": () => adyen.acquirer.void(newOperation(payment, 1), WAIT),
      "/reversals": () => adyen.acquirer.reverse({ reference: payment.reference, payment }, WAIT),
    };
    for (const status of [401, 403, 404, 429])
      for (const [path, call] of Object.entries(calls)) {
        adyen.fake.fault(path, { does: "answer", status });
        assert.deepEqual(await call(), { kind: "unknown" }, `${path} ${status}`);
      }
  });

  test("an operation that Adyen rejects is declined", async () => {
    const payment = paymentOf(newRequest(), { acquirerReference: "NEVER_SEEN" });
    const answer = await adyen.acquirer.refund(newOperation(payment, 1), WAIT);
    assert.deepEqual(answer, { kind: "declined", code: "format_error" });
  });

  test("an operation on a payment without Adyen's reference is declined without a call", async () => {
    const before = adyen.fake.calls.length;
    const answer = await adyen.acquirer.refund(newOperation(paymentOf(newRequest()), 1), WAIT);
    assert.equal(answer.kind, "declined");
    assert.equal(adyen.fake.calls.length, before);
  });

  test("a refund is never reversed, because it can be repeated", async () => {
    const payment = await approvedPayment(adyen.acquirer);
    assert.equal(adyen.acquirer.can.repeatRefund, true);
    const answer = await adyen.acquirer.reverse({ reference: "rfd_1", payment }, WAIT);
    assert.equal(answer.kind, "declined");
  });

  test("a payment that Adyen refused is not reversed: nothing is held", async () => {
    const request = newRequest({ amount: cents(FAKE_AMOUNTS.insufficientFunds) });
    const answer = await adyen.acquirer.authorise(request, WAIT);
    assert.ok(answer.kind === "declined");
    const before = adyen.fake.calls.length;
    const payment = paymentOf(request, answer.facts);
    const reversed = await adyen.acquirer.reverse({ reference: request.reference, payment }, WAIT);
    assert.deepEqual(reversed, { kind: "approved", code: "approved" });
    assert.equal(adyen.fake.calls.length, before);
  });

  test("a payment that waits for the payer at the bank is no refusal: it is cancelled", async () => {
    const request = newRequest();
    for (const responseCode of ["RedirectShopper", "PresentToShopper", "Received"]) {
      const payment = paymentOf(request, { responseCode });
      const reversed = await adyen.acquirer.reverse({ reference: request.reference, payment }, WAIT);
      assert.deepEqual(reversed, { kind: "accepted" }, responseCode);
    }
    const refused = paymentOf(request, { responseCode: "A reason of next year" });
    const answer = await adyen.acquirer.reverse({ reference: request.reference, payment: refused }, WAIT);
    assert.equal(answer.kind, "approved");
  });

  test("captures, voids, refunds and reversals are accepted", async () => {
    const payment = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    const { acquirer } = adyen;
    assert.deepEqual(await acquirer.capture({ ...newOperation(payment, 5), isFinal: true }, WAIT), {
      kind: "accepted",
    });
    assert.deepEqual(await acquirer.refund(newOperation(payment, 5), WAIT), { kind: "accepted" });
    assert.deepEqual(await acquirer.void(newOperation(payment, 5), WAIT), { kind: "accepted" });
    const request = newRequest();
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.deepEqual(await acquirer.reverse(reversal, WAIT), { kind: "accepted" });
  });

  test("a refund repeated after a lost answer is refunded once", async () => {
    const payment = await approvedPayment(adyen.acquirer);
    const refund = newOperation(payment, 700);
    adyen.fake.fault("/refunds", { does: "drop", after: true });
    assert.deepEqual(await adyen.acquirer.refund(refund, WAIT), { kind: "unknown" });
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual(await adyen.acquirer.refund(refund, WAIT), { kind: "accepted" });
    assert.equal(adyen.fake.ledgerOf(payment.reference).refunded, 700);
  });

  test("two equal calls at once are processed once", async () => {
    const request = newRequest();
    adyen.fake.fault("/payments", { does: "delay", milliseconds: 2_000 });
    const answers = await Promise.all([
      adyen.acquirer.authorise(request, WAIT),
      adyen.acquirer.authorise(request, WAIT),
    ]);
    assert.deepEqual(answers.map(({ kind }) => kind).sort(), ["approved", "unknown"]);
    assert.equal(adyen.fake.ledgerOf(request.reference).held, 3000);
  });

  test("a late answer is still returned, silence ends by itself", async () => {
    assert.equal(impatient.acquirer.answersWithinMs, ANSWERS_WITHIN);
    await eventually("a late answer is returned", async () => {
      impatient.fake.fault("/payments", { does: "delay", milliseconds: 2 * ANSWERS_WITHIN });
      return (await authorise(3000, impatient)).kind === "approved";
    });
    impatient.fake.fault("/payments", { does: "hang", after: false });
    const begun = performance.now();
    assert.deepEqual(await authorise(3000, impatient), { kind: "unknown" });
    const took = performance.now() - begun;
    assert.ok(took > EXCHANGE_WITHIN * 0.9, `${took} ms`);
  });

  test("a call is left when nothing waits for it any more", async () => {
    const stopped = new AbortController();
    adyen.fake.fault("/payments", { does: "hang", after: true });
    const begun = performance.now();
    const answering = adyen.acquirer.authorise(newRequest(), stopped.signal);
    setTimeout(() => stopped.abort(), 50);
    assert.deepEqual(await answering, { kind: "unknown" });
    assert.ok(performance.now() - begun < 30 * SECOND);
  });

  test("a call that is over before it begins is not sent", async () => {
    const before = adyen.fake.calls.length;
    const answer = await adyen.acquirer.authorise(newRequest(), AbortSignal.abort());
    assert.equal(answer.kind, "not_received");
    assert.equal(adyen.fake.calls.length, before);
  });

  test("connections are used again", async () => {
    const ports = new Set<number | undefined>();
    for (let count = 0; count < 10; count += 1) {
      await authorise(3000);
      ports.add(adyen.fake.calls.at(-1)?.from);
    }
    assert.ok(ports.size <= 5, `${ports.size} connections for 10 calls`);
  });
});

describe("Adyen: an account that cannot be reached", () => {
  test("a refused connection and an unknown name are not received, for payments and operations", async () => {
    const port = await closedPort();
    for (const endpoint of [`http://127.0.0.1:${port}`, "https://adyen.invalid/v71"]) {
      const adyen = await openAdyen({ settings: { endpoint } });
      const answer = await adyen.acquirer.authorise(newRequest(), WAIT);
      assert.equal(answer.kind, "not_received", endpoint);
      const request = newRequest();
      const reversal = { reference: request.reference, payment: paymentOf(request) };
      assert.equal((await adyen.acquirer.reverse(reversal, WAIT)).kind, "not_received", endpoint);
      assert.match(adyen.logged.at(-1) ?? "", /could not connect/);
      await adyen.close();
    }
  });

  test("a TLS handshake that fails is not received", async () => {
    const server = createServer((socket) => socket.end("no TLS here\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const adyen = await openAdyen({ settings: { endpoint: `https://127.0.0.1:${address.port}/v71` } });
    assert.equal((await adyen.acquirer.authorise(newRequest(), WAIT)).kind, "not_received");
    await adyen.close();
    server.close();
  });

  test("a connection that does not come about in time is not received", async () => {
    // A server that accepts no TLS handshake: bytes of ours never become a request.
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const adyen = await openAdyen({
      settings: { endpoint: `https://127.0.0.1:${address.port}/v71` },
      answersWithinMs: 300,
    });
    assert.equal((await adyen.acquirer.authorise(newRequest(), WAIT)).kind, "not_received");
    await adyen.close();
    server.close();
  });

  test("calls in flight end as unknown when the account is closed", async () => {
    const adyen = await openAdyen();
    adyen.fake.fault("/payments", { does: "hang", after: true });
    const answering = adyen.acquirer.authorise(newRequest(), WAIT);
    while (adyen.fake.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await adyen.acquirer.close();
    assert.deepEqual(await answering, { kind: "unknown" });
    await adyen.fake.close();
  });
});

describe("Adyen: acquirer test", () => {
  test("passes with the right key and account", async () => {
    const adyen = await openAdyen();
    const { hasPassed, milliseconds, detail } = await adyen.acquirer.test(WAIT);
    assert.equal(hasPassed, true);
    assert.ok(milliseconds >= 0);
    assert.match(detail, /merchant account TidegateTest_ECOM/);
    await adyen.close();
  });

  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ["a wrong key", { apiKey: "AQE_wrong" }, /refuses the API key/],
    ["another merchant account", { merchantAccount: "Other_ECOM" }, /Other_ECOM/],
    ["an endpoint that nothing listens on", { endpoint: "http://127.0.0.1:1" }, /cannot be reached/],
  ];
  for (const [title, settings, detail] of wrong) {
    test(`fails with ${title}, and says so`, async () => {
      const adyen = await openAdyen({ settings });
      const result = await adyen.acquirer.test(WAIT);
      assert.equal(result.hasPassed, false);
      assert.match(result.detail, detail);
      await adyen.close();
    });
  }
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 1;
}
