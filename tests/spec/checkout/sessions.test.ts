import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  callFrame,
  createRequest,
  createToken,
  getTransaction,
  initialise,
  MERCHANT_PAGE,
  ok,
  openFrame,
  openFrameOn,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

describe("spec 3: the one-time token, from creation to payment", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);

  /** No attempt was made on the request. */
  async function assertNoAttempt(on: Shop, requestId: string): Promise<void> {
    const found = await callApi(on, "GET", `/transactions?paymentrequestid=${requestId}`);
    assert.equal(ok(found).count, 0);
  }

  test("initialising returns what the payer may see, and nothing else", async () => {
    const request = await createRequest(shop, {
      amount: 2599,
      reference: "order-1",
      customerRequest: { name: "Ada", email: "ada@example.com", paymentInstrument: "create" },
    });
    const { session, ...shown } = ok(await initialise(shop, await createToken(shop, request.id)));
    assert.match(session, /^[0-9a-z]{29}\.[\w-]{43}$/);
    assert.deepEqual(shown, {
      merchantName: "Sandbox merchant",
      mode: "sandbox",
      payment: { amount: 2599, currencyCode: "AUD", reference: "order-1" },
      paymentMethods: ["card"],
      wallets: [],
      surcharging: null,
      storeCard: "asked",
      savedCards: [],
      allowRemoval: false,
      prefill: { name: "Ada" },
      threeDSecure: false,
      expiryDateTime: request.expiryDateTime,
      result: { mode: "sandbox", status: "ok" },
    });
  });

  test("a customer's name that can't be on a card neither prefills the form nor is stored on the card", async () => {
    for (const [name, prefill, stored] of [
      ["12345", {}, "VALUED CARDHOLDER"],
      ["Ada 2", { name: "Ada 2" }, "Ada 2"],
    ] as const) {
      const request = await createRequest(shop, { customerRequest: { name } });
      const token = await createToken(shop, request.id);
      assert.deepEqual(ok(await initialise(shop, token)).prefill, prefill);
      const { transactionId } = await payOnce(shop, { customerRequest: { name } });
      const { payment } = await getTransaction(shop, transactionId);
      assert.equal(payment.instrument.card.name, stored);
    }
  });

  test("contract 4: a page of the same origin initialises a token again, and the newer session takes over", async () => {
    const older = await openFrame(shop);
    const { session } = ok(await initialise(shop, older.token));
    assert.notEqual(session, older.session);
    for (const refused of [await older.pay(), await older.outcome(), await older.abandon()]) {
      assert.equal(refused.status, 401);
      assert.deepEqual(problemsOf(refused), ["V11615"]);
    }
    await assertNoAttempt(shop, older.requestId);
    const newer = older.with(session);
    assert.equal(ok(await newer.pay()).state, "approved");
    assert.equal(ok(await newer.outcome()).state, "approved");
    const paid = await initialise(shop, older.token);
    assert.equal(paid.status, 409, "after it has paid");
    assert.deepEqual(problemsOf(paid), ["V11610 /token"]);
    assert.deepEqual([paid.body.paymentRequestStatus, paid.body.paid], ["completed", true]);
    assert.equal(ok(await newer.outcome()).state, "approved");
    const elsewhere = await initialise(shop, older.token, "https://other.example");
    assert.deepEqual(problemsOf(elsewhere), ["V11610 /token"]);
    assert.equal(elsewhere.body.paymentRequestStatus, undefined, "another origin learns nothing");
  });

  test("contract 4: a page of another origin cannot initialise it again, and the session stays", async () => {
    const frame = await openFrame(shop);
    for (const origin of ["https://other.example", `${MERCHANT_PAGE}:8443`, "null"]) {
      const refused = await initialise(shop, frame.token, origin);
      assert.equal(refused.status, 409, origin);
      assert.deepEqual(problemsOf(refused), ["V11610 /token"]);
    }
    assert.equal(ok(await frame.pay()).state, "approved");
  });

  test("of ten concurrent initialisations of a token, the last one's session is the only one", async () => {
    const frame = await openFrame(shop);
    const answers = await Promise.all(Array.from({ length: 10 }, () => initialise(shop, frame.token)));
    const sessions = answers.map((answer) => ok(answer).session as string);
    const outcomes = await Promise.all(sessions.map((session) => frame.with(session).outcome()));
    assert.equal(outcomes.filter(({ status }) => status === 200).length, 1);
    assert.equal(outcomes.filter(({ status }) => status === 401).length, 9);
  });

  test("of a payment and a reload at the same moment, exactly one takes effect", async () => {
    for (let time = 0; time < 10; time += 1) {
      const frame = await openFrame(shop);
      const [paid, reloaded] = await Promise.all([frame.pay(), initialise(shop, frame.token)]);
      const winner = paid.status === 200 ? "pay" : "reload";
      if (winner === "pay") assert.ok([409, 200].includes(reloaded.status));
      else assert.equal(reloaded.status, 200);
      const found = await callApi(shop, "GET", `/transactions?paymentrequestid=${frame.requestId}`);
      assert.equal(ok(found).count, winner === "pay" ? 1 : 0);
    }
  });

  test("a malformed or forged token is refused", async () => {
    const made = await createToken(shop, (await createRequest(shop)).id);
    const guess = `${made.slice(0, -43)}${"A".repeat(43)}`;
    for (const token of [guess, made.slice(0, -1), `${made}x`, "tok_", "x"]) {
      assert.deepEqual(problemsOf(await initialise(shop, token)), ["V11610 /token"]);
    }
    ok(await initialise(shop, made));
  });

  test("an unknown checkout version is refused", async () => {
    const token = await createToken(shop, (await createRequest(shop)).id);
    const body = { token, parentOrigin: MERCHANT_PAGE, version: "9.9.9" };
    assert.deepEqual(problemsOf(await callFrame(shop, "/checkout/initialise", body)), ["V11603 /version"]);
    ok(await initialise(shop, token));
  });

  test("a token initialises and pays until an hour has passed, and not after", async () => {
    const ours = await newShop();
    const requests = [await createRequest(ours), await createRequest(ours)] as const;
    const spare = await createToken(ours, requests[0].id);
    const [early, late] = [await openFrameOn(ours, requests[0].id), await openFrameOn(ours, requests[1].id)];
    await advanceClock(ours, 60 * 60 - 30);
    assert.equal(ok(await early.pay()).state, "approved");
    await advanceClock(ours, 31);
    const paid = await late.pay();
    assert.equal(paid.status, 409);
    assert.deepEqual(problemsOf(paid), ["V11610"]);
    await assertNoAttempt(ours, requests[1].id);
    const renewed = await openFrameOn(ours, requests[1].id);
    assert.equal(ok(await renewed.pay()).state, "approved");
    assert.equal((await initialise(ours, spare)).status, 409);
  });

  test("a token never outlives its payment request", async () => {
    const ours = await newShop();
    const expiryDateTime = new Date(Date.now() + 120_000).toISOString();
    const { id } = await createRequest(ours, { expiryDateTime });
    const made = ok(await callApi(ours, "POST", "/tokens", { scope: "payui", paymentRequestId: id }));
    assert.equal(made.expiryDateTime, expiryDateTime);
    const frame = await openFrameOn(ours, id);
    await advanceClock(ours, 121);
    assert.deepEqual(problemsOf(await frame.pay()), ["V11190"]);
    assert.deepEqual(problemsOf(await initialise(ours, made.token)), ["V11190"]);
    await assertNoAttempt(ours, id);
  });

  test("an open frame pays no overdue request, though no worker has expired it", async () => {
    const idle = await startTestGateway({ environment: { TIDEGATE_ROLES: "api,checkout" } });
    try {
      const expiryDateTime = new Date(Date.now() + 120_000).toISOString();
      const frame = await openFrame(shopOf(idle), { expiryDateTime });
      await advanceClock(shopOf(idle), 121);
      assert.equal((await frame.pay()).status, 409);
      const path = `/transactions?paymentrequestid=${frame.requestId}`;
      assert.equal(ok(await callApi(shopOf(idle), "GET", path)).count, 0);
    } finally {
      await idle.stop();
    }
  });

  test("a missing or unknown session is 401", async () => {
    for (const path of ["/checkout/outcome", "/checkout/continue", "/checkout/pay"]) {
      const body = {
        "/checkout/outcome": {},
        "/checkout/continue": { sealed: "x" },
        "/checkout/pay": {
          method: "card",
          card: { number: "4111111111111111", expiryMonth: 12, expiryYear: 2030, securityCode: "123" },
          total: 1,
          consent: false,
        },
      }[path];
      for (const session of [undefined, "", "x".repeat(43)]) {
        const answer = await callFrame(shop, path, body, session);
        assert.equal(answer.status, 401, path);
        assert.deepEqual(problemsOf(answer), ["V11615"]);
      }
    }
    assert.equal((await callFrame(shop, "/checkout/abandon", { session: "x".repeat(43) })).status, 401);
  });

  test("a token is not a session, and a session is not a token", async () => {
    const frame = await openFrame(shop);
    assert.equal((await callFrame(shop, "/checkout/outcome", {}, frame.token)).status, 401);
    assert.deepEqual(problemsOf(await initialise(shop, frame.session)), ["V11610 /token"]);
  });

  test("the outcome is none before a payment; afterwards the token pays no more and returns the outcome", async () => {
    const frame = await openFrame(shop);
    assert.deepEqual(ok(await frame.outcome()), { state: "none", result: { mode: "sandbox", status: "ok" } });
    const paid = ok(await frame.pay());
    const again = await frame.pay();
    assert.equal(again.status, 409);
    assert.deepEqual(problemsOf(again), ["V11610"]);
    assert.deepEqual(ok(await frame.outcome()), paid);
    assert.equal(ok(await frame.abandon()).result.status, "ok");
    assert.equal(ok(await frame.outcome()).state, "approved");
  });

  test("a payment with a second token is refused after the request has ended", async () => {
    const one = await openFrame(shop);
    const other = await openFrameOn(shop, one.requestId);
    const spare = await createToken(shop, one.requestId);
    ok(await one.pay());
    assert.deepEqual(problemsOf(await other.pay()), ["V11190"]);
    assert.deepEqual(problemsOf(await initialise(shop, spare)), ["V11190"]);
    assert.equal(ok(await other.outcome()).state, "none");
  });

  test("a cancelled request accepts no payment and no token", async () => {
    const frame = await openFrame(shop);
    ok(await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`));
    assert.deepEqual(problemsOf(await frame.pay()), ["V11190"]);
    const body = { scope: "payui", paymentRequestId: frame.requestId };
    assert.equal((await callApi(shop, "POST", "/tokens", body)).status, 409);
    await assertNoAttempt(shop, frame.requestId);
  });

  test("only allowedOrigins may initialise; without them any page may", async () => {
    const ours = await newShop();
    const { id } = await createRequest(ours);
    ok(await initialise(ours, await createToken(ours, id), "https://anyone.example"));
    const allowedOrigins = [MERCHANT_PAGE, "http://localhost:8080"];
    ok(await callApi(ours, "PUT", "/management/account", { allowedOrigins }));
    const otherOrigins = [
      "https://anyone.example",
      "http://shop.example",
      "https://shop.example:8443",
      `${MERCHANT_PAGE}/`,
      `${MERCHANT_PAGE}.evil.example`,
      "null",
    ];
    for (const origin of otherOrigins) {
      const token = await createToken(ours, id);
      const refused = await initialise(ours, token, origin);
      assert.equal(refused.status, 403, origin);
      assert.deepEqual(problemsOf(refused), ["V11611 /parentOrigin"]);
      // A refused call uses up the token too.
      assert.deepEqual(problemsOf(await initialise(ours, token)), ["V11610 /token"]);
    }
    for (const origin of allowedOrigins) ok(await initialise(ours, await createToken(ours, id), origin));
  });

  test("an origin with a card number is refused, and leaves the token as it was", async () => {
    const { id } = await createRequest(shop);
    const token = await createToken(shop, id);
    const refused = await initialise(shop, token, `${MERCHANT_PAGE}/?card=4111111111111111`);
    assert.equal(refused.status, 400);
    assert.deepEqual(problemsOf(refused), ["V11031 /parentOrigin"]);
    ok(await initialise(shop, token));
  });

  test("consent is a yes or a no, and for payments that recur the page must have said that paying is the consent", async () => {
    const frame = await openFrame(shop, {
      customerRequest: { paymentInstrument: "create" },
      category: { frequency: "recurring" },
    });
    for (const consent of [false, "yes", null]) {
      const refused = await frame.pay({ consent });
      assert.equal(refused.status, 400);
      assert.deepEqual(problemsOf(refused), ["V11614 /consent"]);
    }
    await assertNoAttempt(shop, frame.requestId);
    assert.equal(ok(await frame.pay({ consent: true })).state, "approved");
  });

  test("a payment method that the request does not accept is refused", async () => {
    const made = await callApi(shop, "POST", "/paymentrequests", {
      payment: { amount: 3000 },
      paymentMethods: ["google_pay"],
      transactionRequest: {},
    });
    const frame = await openFrameOn(shop, ok(made).id);
    assert.deepEqual(problemsOf(await frame.pay()), ["V11616 /method"]);
    await assertNoAttempt(shop, frame.requestId);
  });

  test("a live merchant never reaches the simulators: without an acquirer no attempt is made", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows(
      `update merchants set capabilities = '{"cardNotPresent":true,"threeDSecure":true}' where id = $1`,
      [id],
    );
    const body = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };
    const refused = await callApi(shopOf(gateway, key), "POST", "/paymentrequests", body);
    assert.deepEqual([refused.status, problemsOf(refused)], [403, ["V11618"]]);
  });

  test("a merchant whose acquirer was removed after the form was opened makes no attempt", async () => {
    const { id, key } = await gateway.newMerchant();
    const merchant = shopOf(gateway, key);
    const frame = await openFrame(merchant);
    await gateway.database.rows("update merchants set mode = 'live' where id = $1", [id]);
    const refused = await frame.pay();
    assert.deepEqual([refused.status, problemsOf(refused)], [403, ["V11618"]]);
    await assertNoAttempt(merchant, frame.requestId);
  });

  test("another merchant cannot see the request or its transaction", async () => {
    const otherShop = await newShop();
    const frame = await openFrame(shop);
    const { transactionId } = ok(await frame.pay());
    const body = { scope: "payui", paymentRequestId: frame.requestId };
    assert.deepEqual(problemsOf(await callApi(otherShop, "POST", "/tokens", body)), [
      "V11401 /paymentRequestId",
    ]);
    const list = await callApi(otherShop, "GET", `/transactions?paymentrequestid=${frame.requestId}`);
    assert.equal(ok(list).count, 0);
    assert.equal((await callApi(otherShop, "GET", `/transactions/${transactionId}`)).status, 404);
  });
});
