import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import {
  createTidegate,
  type Tidegate,
  TidegateConnectionError,
  TidegateError,
} from "../../packages/client/src/index.ts";
import type { CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import { decline } from "../../src/kernel/codes/outcomes.ts";
import { payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { AU_ACCOUNT } from "../support/debits.ts";
import { disputeOf } from "../support/disputes.ts";
import { eventually } from "../support/eventually.ts";
import { withAcquirer } from "../support/fake-acquirer.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { storedCard } from "../support/stored-cards.ts";
import { gate, type Listener, watchContext } from "../support/watched-context.ts";

const CHECKOUT = {
  payment: { amount: 3000 },
  paymentMethods: ["card"],
  transactionRequest: {},
} as const;

describe("the client retries only where a retry is safe", () => {
  let gateway: TestGateway;
  let proxy: FaultProxy;
  let shop: Shop;
  let tidegate: Tidegate;
  let onPoint: Listener = () => {};
  /** Replaces calls of the acquirer. */
  let acquirerAnswers: Partial<CardAcquirer> = {};
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(
          withAcquirer(ctx, () => acquirerAnswers),
          (point) => onPoint(point),
        ),
    });
    proxy = await startFaultProxy(gateway.baseUrl);
    shop = shopOf(gateway);
    tidegate = clientOf({});
  });
  after(async () => {
    try {
      await proxy.close();
    } finally {
      await gateway.stop();
    }
  });

  const authorise = async (amount: number) =>
    (await payOnce(shop, { amount, category: { captureType: "manual" } })).transactionId;
  const clientOf = (options: object) =>
    createTidegate({ apiKey: TEST_KEY, baseUrl: proxy.url, backoffMs: 5, ...options });
  const keysSent = () => proxy.seen.map(({ headers }) => headers["x-idempotency-key"]);
  const countOf = async (reference: string) =>
    (await Array.fromAsync(createDirect().paymentRequests.listAll({ reference }))).length;
  const createDirect = () =>
    createTidegate({ apiKey: TEST_KEY, baseUrl: gateway.baseUrl.replace("localhost", "127.0.0.1") });

  for (const fault of ["cut before", "cut after", "cut meanwhile", "half"] as const) {
    test(`a create with a connection fault (${fault}) creates one payment request and returns it`, async () => {
      const reference = `once-${fault}`;
      proxy.plan(fault, fault);
      const made = await tidegate.paymentRequests.create({ ...CHECKOUT, reference });
      assert.equal(await countOf(reference), 1);
      assert.deepEqual(made, await createDirect().paymentRequests.get(made.id));
      const posts = proxy.seen.filter(({ method }) => method === "POST");
      assert.ok(posts.length >= 3, `${posts.length} attempts`);
      const keys = new Set(posts.map(({ headers }) => headers["x-idempotency-key"]));
      assert.equal(keys.size, 1, "every attempt carries the same key");
      assert.match([...keys][0] as string, /^[0-9a-f-]{36}$/);
    });
  }

  test("two calls send two keys", async () => {
    proxy.plan();
    await tidegate.customers.create({ name: "Ann", email: "ann@example.com" });
    await tidegate.customers.create({ name: "Ann", email: "ann@example.com" });
    assert.equal(new Set(keysSent()).size, 2);
  });

  test("every change returns its result after the first response is lost", async () => {
    const direct = createDirect();
    const afterLostResponse = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      proxy.plan("cut after");
      return call();
    };
    const customer = await afterLostResponse(() =>
      tidegate.customers.create({ name: "Bo", email: "bo@example.com" }),
    );
    assert.deepEqual(customer, await direct.customers.get(customer.id));
    const metadata = { crm: "88" };
    const moved = await afterLostResponse(() =>
      tidegate.customers.update(customer.id, { email: "li@shop.example", metadata }),
    );
    assert.deepEqual([moved.email, moved.metadata], ["lXXXXXXXXXX@shop.example", metadata]);
    const renamed = await afterLostResponse(() => tidegate.customers.update(customer.id, { name: "Bo Li" }));
    assert.equal(renamed.name, "Bo Li");
    const account = await afterLostResponse(() =>
      tidegate.paymentInstruments.create(customer.id, { bankAccount: AU_ACCOUNT }),
    );
    assert.deepEqual(account, await direct.paymentInstruments.get(customer.id, account.id));
    assert.equal((await direct.paymentInstruments.list(customer.id)).count, 1);
    const relabelled = await afterLostResponse(() =>
      tidegate.paymentInstruments.update(customer.id, account.id, { reference: "main", metadata }),
    );
    assert.equal(relabelled.reference, "main");
    const debit = await afterLostResponse(() =>
      tidegate.transactions.create({
        reference: "lost-debit",
        payment: {
          amount: 2500,
          instrument: { customer: { id: customer.id, paymentInstrumentId: account.id } },
        },
      }),
    );
    assert.equal((await direct.transactions.list({ reference: "lost-debit" })).count, 1);
    await afterLostResponse(() => tidegate.sandbox.runSettlements());
    await eventually("the debit is approved", async () => {
      return (await direct.transactions.get(debit.id)).result.status === "approved";
    });
    const [whole, part, released] = [await authorise(5000), await authorise(5000), await authorise(5000)];
    const captured = await afterLostResponse(() => tidegate.transactions.capture(whole));
    assert.deepEqual([captured.captureStatus, captured.payment.capturedAmount], ["captured", 5000]);
    const partly = await afterLostResponse(() =>
      tidegate.transactions.capture(part, { payment: { amount: 1200 } }),
    );
    assert.deepEqual([partly.captureStatus, partly.payment.capturedAmount], ["captured", 1200]);
    const voided = await afterLostResponse(() => tidegate.transactions.cancel(released));
    assert.deepEqual([voided.id, voided.captureStatus], [released, "voided"]);
    const refund = await afterLostResponse(() =>
      tidegate.transactions.refund(debit.id, { payment: { amount: 700 } }),
    );
    assert.equal(refund.payment.amount, 700);
    assert.equal((await direct.transactions.refunds.list(debit.id)).count, 1);
    const gone = await afterLostResponse(() => tidegate.paymentInstruments.delete(customer.id, account.id));
    assert.deepEqual(gone, { id: account.id, result: { mode: "sandbox", status: "ok" } });
    const request = await tidegate.paymentRequests.create(CHECKOUT);
    const token = await afterLostResponse(() => tidegate.tokens.create({ paymentRequestId: request.id }));
    assert.match(token.token, /^tok_/);
    const cancelled = await afterLostResponse(() => tidegate.paymentRequests.cancel(request.id));
    assert.equal(cancelled.paymentRequestStatus, "cancelled");
    const webhook = await afterLostResponse(() =>
      tidegate.webhooks.create({ event: "payouts", url: "http://127.0.0.1:9999/hook" }),
    );
    assert.deepEqual(webhook, await direct.webhooks.get(webhook.id));
    const paused = await afterLostResponse(() =>
      tidegate.webhooks.update(webhook.id, { status: "disabled" }),
    );
    assert.equal(paused.status, "disabled");
    assert.equal((await afterLostResponse(() => tidegate.webhooks.delete(webhook.id))).id, webhook.id);
    const settings = await afterLostResponse(() =>
      tidegate.webhooks.settings.update({ username: "u", password: "p" }),
    );
    assert.equal(settings.username, "u");
    await afterLostResponse(() =>
      tidegate.webhooks.settings.update({ username: null, password: null, header: null }),
    );
    const rotated = await afterLostResponse(() => tidegate.webhooks.signingKey.rotate());
    assert.deepEqual(rotated, await direct.webhooks.signingKey.get());
    const domains = await afterLostResponse(() => tidegate.walletDomains.register(["localhost"]));
    assert.deepEqual(domains.domains, ["localhost"]);
    assert.deepEqual(
      (await afterLostResponse(() => tidegate.walletDomains.remove(["localhost"]))).domains,
      [],
    );
    const named = await afterLostResponse(() => tidegate.account.update({ name: "Renamed" }));
    assert.equal(named.name, "Renamed");
    const rates = { visa: { percent: 1.5, from: null }, amex: null };
    const limits = await afterLostResponse(() =>
      tidegate.account.update({
        allowedOrigins: ["https://shop.example"],
        surcharging: { rates },
        cardTesting: { bin: null },
      }),
    );
    assert.equal(limits.surcharging.rates.visa?.percent, 1.5);
    await afterLostResponse(() => tidegate.account.update({ allowedOrigins: [] }));
    const [contested, lost] = [await disputeOf(shop), await disputeOf(shop)];
    const reviewed = await afterLostResponse(() =>
      tidegate.disputes.sendEvidence(contested.id, { text: "win" }),
    );
    assert.notEqual(reviewed.status, "needs_response");
    assert.equal((await afterLostResponse(() => tidegate.disputes.accept(lost.id))).status, "accepted");
  });

  test("the client waits while the first request is in progress, and charges once", async () => {
    const stored = await storedCard(shop);
    const [arrived, held] = [gate(), gate()];
    onPoint = (point) => {
      if (point !== "authorise:made") return undefined;
      arrived.open();
      return held.opened;
    };
    // Not before the gateway has begun: a retry that overtakes the first call would wait for the bank instead.
    proxy.plan({ cutWhen: arrived.opened });
    const charging = tidegate.transactions.create({
      reference: "held",
      payment: { amount: 1234, instrument: { customer: stored } },
    });
    await eventually("the client has retried", async () => proxy.seen.length >= 4);
    onPoint = () => {};
    held.open();
    const charged = await charging;
    assert.equal(charged.result.status, "approved");
    assert.equal((await createDirect().transactions.list({ reference: "held" })).count, 1);
  });

  test('a change that is done but cannot be read again is a 409 error with original status "done"', async () => {
    proxy.plan("cut after");
    const error = await apiErrorOf(tidegate.sandbox.advanceClock({ seconds: 60 }));
    assert.equal(error.status, 409);
    assert.ok(error.has("V10018"));
    assert.equal(error.original?.status, "done");
    assert.equal(error.outcomeUnknown, true, "it was carried out");
  });

  test("the client also waits for a change that can't be read again, and gives up with an unknown outcome", async () => {
    const original = { requestId: "r", status: "processing", id: null, location: null };
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ original, result: { codes: [{ id: "V10018" }] } });
    const repeated = { status: 409, headers, body };
    proxy.plan("cut after", repeated, repeated);
    const error = await apiErrorOf(tidegate.sandbox.advanceClock({ seconds: 60 }));
    assert.deepEqual([error.original?.status, proxy.seen.length], ["done", 4]);
    proxy.plan(...Array.from({ length: 100 }, () => repeated));
    const unfinished = await errorOf(tidegate.sandbox.advanceClock({ seconds: 60 }, { giveUpAfterMs: 200 }));
    assert.equal((unfinished as TidegateError).outcomeUnknown, true);
  });

  test("a token that an earlier call created with the same key was carried out", async () => {
    proxy.plan();
    const { id: paymentRequestId } = await tidegate.paymentRequests.create(CHECKOUT);
    const key = { idempotencyKey: "token-1" };
    await tidegate.tokens.create({ paymentRequestId }, key);
    const error = await apiErrorOf(tidegate.tokens.create({ paymentRequestId }, key));
    assert.deepEqual([error.original?.status, error.outcomeUnknown], ["done", true]);
  });

  for (const verb of ["capture", "cancel"] as const) {
    test(`a declined ${verb} whose response is lost is an error, and can be repeated`, async () => {
      const id = await authorise(20_000);
      const refused = async () => decline("do_not_honour");
      acquirerAnswers = { capture: refused, void: refused };
      try {
        proxy.plan("cut after");
        const error = await apiErrorOf(
          verb === "capture" ? tidegate.transactions.capture(id) : tidegate.transactions.cancel(id),
        );
        assert.ok(error.has("V10018"));
        assert.deepEqual([error.original?.status, error.original?.id], ["done", id]);
        assert.equal(error.outcomeUnknown, false);
        assert.equal(error.idempotencyKey, keysSent()[0]);
        assert.match(
          error.message,
          new RegExp(`does not show this ${verb === "capture" ? "capture" : "void"}`),
        );
        proxy.plan();
        const declined = await tidegate.transactions[verb](id);
        assert.equal(declined.result.status, "declined", "an answer that is not lost says so");
      } finally {
        acquirerAnswers = {};
      }
      proxy.plan("cut after");
      const done = await tidegate.transactions[verb](id);
      assert.equal(done.captureStatus, verb === "capture" ? "captured" : "voided");
    });
  }

  test("a capture of another amount, or of another transaction, does not replace a lost response", async () => {
    const [id, other] = [await authorise(20_000), await authorise(20_000)];
    proxy.plan();
    const key = { idempotencyKey: `capture-${id}` };
    // Declined by the sandbox for its amount. Then a colleague captures less.
    const declined = await tidegate.transactions.capture(id, { payment: { amount: 14_405 } }, key);
    assert.equal(declined.result.status, "declined");
    await tidegate.transactions.capture(id, { payment: { amount: 500 } });
    for (const [of, body] of [
      [id, { payment: { amount: 14_405 } }],
      [id, undefined],
      [other, { payment: { amount: 500 } }],
    ] as const) {
      const error = await apiErrorOf(tidegate.transactions.capture(of, body, key));
      assert.ok(error.has("V10018"));
    }
  });

  test("a caller's own key returns what an earlier process created", async () => {
    const key = "order-1001";
    proxy.plan();
    const first = await tidegate.paymentRequests.create(
      { ...CHECKOUT, reference: "own" },
      { idempotencyKey: key },
    );
    const again = await tidegate.paymentRequests.create(
      { ...CHECKOUT, reference: "own" },
      { idempotencyKey: key },
    );
    assert.deepEqual(again, first);
    const elsewhere = await apiErrorOf(
      tidegate.customers.create({ name: "Di", email: "di@example.com" }, { idempotencyKey: key }),
    );
    assert.ok(elsewhere.has("V10018"), "a key used by another operation is a conflict");
  });

  test("a key that was used for another call is a conflict, and nothing is reported as done", async () => {
    proxy.plan();
    const idempotencyKey = "order-1003";
    const key = { idempotencyKey };
    const isConflict = async (call: Promise<unknown>) => {
      const error = await apiErrorOf(call);
      assert.ok(error.has("V10018"));
      assert.deepEqual([error.original?.status, error.outcomeUnknown], ["done", false]);
    };
    const request = await tidegate.paymentRequests.create(CHECKOUT, key);
    await isConflict(tidegate.paymentRequests.cancel(request.id, key));
    assert.equal((await tidegate.paymentRequests.get(request.id)).paymentRequestStatus, "created");
    await isConflict(tidegate.paymentRequests.create({ ...CHECKOUT, payment: { amount: 3001 } }, key));
    await isConflict(tidegate.walletDomains.register(["localhost"], key));
    assert.deepEqual((await tidegate.walletDomains.list()).domains, []);
    const webhook = await tidegate.webhooks.create({
      event: "transactions",
      url: "http://127.0.0.1:9999/hook",
    });
    await isConflict(tidegate.webhooks.delete(webhook.id, key));

    const of = { idempotencyKey: "customer-7" };
    const [customer, other] = [
      await tidegate.customers.create({ name: "Eve", email: "eve@example.com" }, of),
      await tidegate.customers.create({ name: "Fay", email: "fay@example.com" }),
    ];
    await isConflict(tidegate.customers.update(customer.id, { name: "Eve Li" }, of));
    await isConflict(tidegate.customers.update(customer.id, { email: "li@example.com" }, of));
    await isConflict(tidegate.customers.update(customer.id, { metadata: { crm: "1" } }, of));
    await isConflict(tidegate.customers.update(other.id, { name: "Eve" }, of));

    const stored = { idempotencyKey: "account-7" };
    const account = await tidegate.paymentInstruments.create(
      customer.id,
      { bankAccount: AU_ACCOUNT, metadata: { crm: "1" } },
      stored,
    );
    await isConflict(tidegate.paymentInstruments.update(customer.id, account.id, { metadata: {} }, stored));
    await isConflict(tidegate.paymentInstruments.delete(customer.id, account.id, stored));
    assert.equal((await tidegate.paymentInstruments.list(customer.id)).count, 1);
    await isConflict(tidegate.paymentInstruments.create(other.id, { bankAccount: AU_ACCOUNT }, stored));
    assert.equal((await tidegate.paymentInstruments.list(other.id)).count, 0);

    const set = { idempotencyKey: "settings-7" };
    await tidegate.webhooks.settings.update({ username: "u", password: "p" }, set);
    await isConflict(tidegate.webhooks.settings.update({ username: null, password: null }, set));
    const refunded = { idempotencyKey: "refund-7" };
    const [one, two] = [await payOnce(shop), await payOnce(shop)];
    await tidegate.transactions.refund(one.transactionId, {}, refunded);
    await isConflict(tidegate.transactions.refund(two.transactionId, {}, refunded));
    const answered = { idempotencyKey: "dispute-7" };
    const dispute = await disputeOf(shop);
    await tidegate.disputes.accept(dispute.id, answered);
    await isConflict(tidegate.disputes.sendEvidence(dispute.id, { text: "win" }, answered));
  });

  test("after the last attempt the error holds the key, and the key returns the outcome", async () => {
    const impatient = clientOf({ maxRetries: 1 });
    proxy.plan("cut after", "cut after");
    const error = await connectionErrorOf(
      impatient.paymentRequests.create({ ...CHECKOUT, reference: "later" }),
    );
    assert.equal(proxy.seen.length, 2);
    assert.equal(error.outcomeUnknown, true);
    assert.equal(error.idempotencyKey, keysSent()[0]);
    proxy.plan();
    await tidegate.paymentRequests.create(
      { ...CHECKOUT, reference: "later" },
      { idempotencyKey: error.idempotencyKey },
    );
    assert.equal(await countOf("later"), 1);
  });

  test("if the result of a change cannot be read after its response was lost, the outcome is unknown", async () => {
    proxy.plan("cut after", "pass", { status: 503 }, { status: 503 });
    const error = await apiErrorOf(
      tidegate.paymentRequests.create({ ...CHECKOUT, reference: "unread" }, { maxRetries: 1 }),
    );
    assert.deepEqual(
      proxy.seen.map(({ method }) => method),
      ["POST", "POST", "GET", "GET"],
    );
    assert.equal(error.status, 503);
    assert.equal(error.outcomeUnknown, true);
    assert.equal(error.idempotencyKey, keysSent()[0]);
    assert.equal(await countOf("unread"), 1);
  });

  test("a refused connection is an error with a known outcome: nothing was done", async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const nowhere = createTidegate({ apiKey: TEST_KEY, baseUrl, maxRetries: 1, backoffMs: 5 });
    const error = await connectionErrorOf(nowhere.paymentRequests.create(CHECKOUT));
    assert.equal(error.reason, "network");
    const found = `the gateway could not be reached at ${baseUrl} (ECONNREFUSED)`;
    assert.equal(error.message, `${found}: check that it runs and that \`baseUrl\` is right`);
    assert.equal(error.outcomeUnknown, false);
  });

  test("a read is retried without a key, and its outcome is never unknown", async () => {
    proxy.plan("cut after", { status: 503 }, { status: 502, body: "<html>" });
    assert.equal((await tidegate.account.get()).result.status, "ok");
    assert.deepEqual(keysSent(), [undefined, undefined, undefined, undefined]);
    proxy.plan("cut after");
    const error = await connectionErrorOf(tidegate.account.get({ maxRetries: 0 }));
    assert.equal(error.outcomeUnknown, false);
    assert.equal(error.idempotencyKey, undefined);
  });

  test("429 and 503 are retried after Retry-After, changes with the same key", async () => {
    proxy.plan(
      { status: 429, headers: { "retry-after": "1" } },
      { status: 503, headers: { "retry-after": "0" } },
    );
    const began = performance.now();
    await tidegate.customers.create({ name: "Cy", email: "cy@example.com" });
    assert.ok(performance.now() - began >= 990, "the client waited for Retry-After");
    assert.equal(new Set(keysSent()).size, 1);
  });

  test("the client does not wait for a Retry-After beyond the call's deadline", async () => {
    proxy.plan({ status: 429, headers: { "retry-after": "3600" } });
    const error = await apiErrorOf(tidegate.account.get());
    assert.equal(error.status, 429);
    assert.equal(proxy.seen.length, 1);
  });

  test("500, 501, 404 and a redirect are not retried", async () => {
    for (const status of [500, 501, 404, 302]) {
      proxy.plan({ status, headers: { location: `${gateway.baseUrl}/management/account` } });
      const error = await apiErrorOf(tidegate.webhooks.signingKey.rotate());
      assert.equal(error.status, status);
      assert.equal(error.outcomeUnknown, status >= 500, String(status));
      assert.equal(proxy.seen.length, 1);
    }
  });

  test("a refusal after an attempt with unknown outcome leaves the outcome unknown", async () => {
    proxy.plan("hang", { status: 400 });
    const error = await apiErrorOf(tidegate.paymentRequests.create(CHECKOUT, { timeoutMs: 1_000 }));
    assert.equal(error.status, 400);
    assert.equal(error.outcomeUnknown, true);
  });

  test("a response that times out is retried", async () => {
    proxy.plan("hang");
    const made = await tidegate.paymentRequests.create(
      { ...CHECKOUT, reference: "slow" },
      { timeoutMs: 5_000 },
    );
    assert.equal(made.reference, "slow");
    assert.equal(await countOf("slow"), 1);
    proxy.plan("hang");
    const error = await connectionErrorOf(tidegate.account.get({ timeoutMs: 100, maxRetries: 0 }));
    assert.equal(error.reason, "timeout");
  });

  test("a call ends at its deadline, whatever retries are left", async (t) => {
    // An attempt that was under way may arrive later, and must not take an answer that the next test plans.
    const own = await startFaultProxy(gateway.baseUrl);
    t.after(own.close);
    own.plan(...Array.from({ length: 50 }, () => ({ status: 503 })));
    const client = clientOf({ baseUrl: own.url });
    const error = await errorOf(client.account.get({ giveUpAfterMs: 60, maxRetries: 1000 }));
    // The deadline can come while an attempt is under way.
    if (error instanceof TidegateConnectionError) assert.equal(error.reason, "timeout");
    else assert.equal((error as TidegateError).status, 503);
    assert.ok(own.seen.length < 50, `${own.seen.length} attempts in 60 ms`);
  });

  for (const [attempt, before] of [
    ["the first attempt", []],
    ["a retry", [{ status: 503 }]],
  ] as const) {
    test(`a call ends at its deadline if the gateway does not answer ${attempt}`, async () => {
      proxy.plan(...before, "hang");
      const began = performance.now();
      const error = await connectionErrorOf(
        tidegate.paymentRequests.create(CHECKOUT, { giveUpAfterMs: 5_000, timeoutMs: 30_000 }),
      );
      const tookMs = performance.now() - began;
      assert.ok(tookMs >= 4_990 && tookMs < 25_000, `${tookMs} ms`);
      assert.equal(proxy.seen.length, before.length + 1);
      assert.deepEqual([error.reason, error.outcomeUnknown], ["timeout", true]);
      assert.equal(error.idempotencyKey, keysSent()[0]);
    });
  }

  test("an abort ends a call in flight and a call that waits to retry", async () => {
    const inFlight = new AbortController();
    proxy.plan("hang");
    const call = connectionErrorOf(tidegate.paymentRequests.create(CHECKOUT, { signal: inFlight.signal }));
    await eventually("the request is in flight", async () => proxy.seen.length === 1);
    inFlight.abort(new Error("the payer left"));
    const error = await call;
    assert.equal(error.reason, "aborted");
    assert.equal(error.outcomeUnknown, true);
    assert.equal((error.cause as Error).message, "the payer left");

    const waiting = new AbortController();
    proxy.plan({ status: 503, headers: { "retry-after": "30" } });
    const pausing = connectionErrorOf(tidegate.account.get({ signal: waiting.signal }));
    await eventually("the client waits to retry", async () => proxy.seen.length === 1);
    waiting.abort();
    assert.equal((await pausing).reason, "aborted");

    proxy.plan();
    const beforeStart = await connectionErrorOf(
      tidegate.paymentRequests.create(CHECKOUT, { signal: AbortSignal.abort() }),
    );
    assert.deepEqual([beforeStart.reason, beforeStart.outcomeUnknown], ["aborted", false]);
    assert.equal(proxy.seen.length, 0);
  });

  test("the API key appears in no error and not on the inspected client", async () => {
    proxy.plan("cut after");
    const lost = await connectionErrorOf(tidegate.account.get({ maxRetries: 0 }));
    const refused = await apiErrorOf(createDirect().paymentRequests.get("pr_nothing"));
    for (const shown of [lost, refused, tidegate]) {
      const text = inspect(shown, { depth: 20, showHidden: true }) + JSON.stringify(shown);
      assert.ok(!text.includes(TEST_KEY));
    }
    assert.throws(
      () => createTidegate({ apiKey: "sécret key" }),
      (error: Error) => error instanceof TypeError && !error.message.includes("cret key"),
    );
    assert.throws(() => createTidegate({ apiKey: undefined }), TypeError);
  });

  test("an error lists every problem with its code and field", async () => {
    const error = await apiErrorOf(
      createDirect().paymentRequests.create({
        payment: { amount: 0 },
        paymentMethods: ["card"],
        transactionRequest: {},
      }),
    );
    assert.equal(error.status, 400);
    assert.ok(error.requestId);
    assert.ok(error.has("V11101"));
    assert.match(error.message, /400: .*V11101 payment_request_amount_invalid at \/payment\/amount/);
    assert.equal(error.outcomeUnknown, false);
  });
});

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
}

async function apiErrorOf(call: Promise<unknown>): Promise<TidegateError> {
  const error = await errorOf(call);
  assert.ok(error instanceof TidegateError, inspect(error));
  return error;
}

async function connectionErrorOf(call: Promise<unknown>): Promise<TidegateConnectionError> {
  const error = await errorOf(call);
  assert.ok(error instanceof TidegateConnectionError, inspect(error));
  return error;
}
