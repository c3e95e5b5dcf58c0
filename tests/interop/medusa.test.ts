import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { buildClient } from "../../tools/build-client.ts";
import { buildMedusa } from "../../tools/build-medusa.ts";
import { ensureChromium } from "../../tools/chromium.ts";
import { launchBrowser } from "../support/browser.ts";
import { ok, openFrameOn, shopOf } from "../support/checkout.ts";
import { checkoutPage, PATIENCE_MS } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import { hostedPage } from "../support/hosted-page.ts";
import { type MerchantSite, startMerchantSite } from "../support/merchant-page.ts";
import { type MedusaShop, openMedusaShop, type SeededShop, type Session } from "./medusa-shop.ts";
import { type MedusaServer, medusaShop, prepareMedusa, writeAsCommonJs } from "./start-medusa.ts";
import { installAsShown } from "./start-react-app.ts";

const run = promisify(execFile);
const GUIDE = "docs/guides/medusa.md";
/** Medusa handles a webhook five seconds after it arrived. */
const WEBHOOK_WITHIN_MS = 60_000;

const project = await prepareMedusa();
const skip = "obstacle" in project ? project.obstacle : false;
const folder = "folder" in project ? project.folder : "";

describe("@tidegate/medusa, packed, in a Medusa server from npm", { skip }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let site: MerchantSite;
  let server: MedusaServer;
  let medusa: MedusaShop;
  let signingKey: string;
  const database = `medusa_${process.pid}`;

  before(async () => {
    ensureChromium();
    gateway = await startTestGateway();
    browser = await launchBrowser();
    site = await startMerchantSite(gateway.hostedUrl);
    signingKey = (await gateway.get("/webhooks/signingkey")).body.signingKey;
    const { sh, ts } = await guideBlocks();
    await installPackages(sh[0] ?? assert.fail());
    await writeAsCommonJs(join(folder, "medusa-config.js"), ts[0] ?? assert.fail());
    const seed = await readFile("tests/interop/medusa-shop/seed.ts", "utf8");
    await writeAsCommonJs(join(folder, "seed.js"), seed);
    await inDatabaseServer(`create database ${database}`);
    const seedFile = join(folder, "seed.json");
    const shop = medusaShop(folder, {
      ...gatewayVariables(),
      DATABASE_URL: databaseUrl(database),
      STORE_CORS: "http://127.0.0.1",
      ADMIN_CORS: "http://127.0.0.1",
      AUTH_CORS: "http://127.0.0.1",
      JWT_SECRET: "secret of this test",
      COOKIE_SECRET: "secret of this test",
      DISABLE_ADMIN: "true",
      SEED_FILE: seedFile,
    });
    await shop.command("db:migrate", "--skip-scripts");
    await shop.command("exec", "./seed.js");
    server = await shop.start();
    medusa = openMedusaShop(server.url, JSON.parse(await readFile(seedFile, "utf8")) as SeededShop);
    await run("sh", ["-ec", sh[1] ?? assert.fail()], {
      env: { ...process.env, ...gatewayVariables(), MEDUSA_URL: server.url },
    });
  });
  after(async () => {
    await server?.stop();
    await browser?.close();
    await site?.stop();
    await gateway?.stop();
    await inDatabaseServer(`drop database if exists ${database} with (force)`);
  });

  const gatewayVariables = () => ({
    TIDEGATE_API_KEY: TEST_KEY,
    TIDEGATE_WEBHOOK_KEY: signingKey,
    TIDEGATE_URL: gateway.baseUrl,
    TIDEGATE_HOSTED_URL: gateway.hostedUrl,
  });

  /** One payer's visit. */
  async function visit(address: string, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      const page = await context.newPage();
      await page.goto(address);
      await work(page);
    } finally {
      await context.close();
    }
  }

  async function payEmbedded({ token }: Session): Promise<void> {
    await visit(await site.addressOf({ token: token ?? assert.fail() }), async (page) => {
      const checkout = checkoutPage(page);
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  }

  async function payOnPage({ payment_page_url }: Session): Promise<void> {
    await visit(payment_page_url ?? assert.fail(), async (page) => {
      const hosted = hostedPage(page);
      await hosted.waitFor("ready");
      await hosted.fill();
      await hosted.pay();
      await hosted.waitFor("approved");
    });
  }

  const transactionOf = async ({ payment_request_id }: Session) => {
    const request = (await gateway.get(`/paymentrequests/${payment_request_id}`)).body;
    return (await gateway.get(`/transactions/${request.transactionResult.id}`)).body;
  };

  test("a cart is paid in the embedded checkout, and its order is placed, captured and refunded in two parts", async () => {
    const cart = await medusa.newCart("bag");
    const session = await medusa.newSession(cart, "pp_tidegate_card", { locale: "en-AU" });
    assert.equal(session.hosted_url, gateway.hostedUrl);
    const request = (await gateway.get(`/paymentrequests/${session.payment_request_id}`)).body;
    assert.deepEqual(request.payment, { amount: 1999, currencyCode: "AUD" });
    assert.equal(request.reference, session.session_id);
    assert.equal(request.locale, "en-AU");
    await payEmbedded(session);

    const orderId = await medusa.placeOrder(cart);
    const order = await medusa.order(orderId);
    assert.equal(order.payment_status, "captured");
    const [payment = assert.fail()] = order.payments;
    assert.equal(payment.amount, 19.99);
    assert.equal(payment.data.transaction_id, (await transactionOf(session)).id);
    assert.deepEqual(payment.data.card, { brand: "visa", last4: "1111" });
    assert.equal(payment.data.token, null);

    assert.equal((await medusa.refund(payment.id, 5.01)).status, 200);
    assert.equal((await transactionOf(session)).payment.refundedAmount, 501);
    assert.equal((await medusa.order(orderId)).payment_status, "partially_refunded");
    const tooMuch = await medusa.refund(payment.id, 14.99);
    assert.equal(tooMuch.status, 400);
    assert.equal((await medusa.refund(payment.id, 14.98)).status, 200);
    assert.equal((await transactionOf(session)).payment.refundedAmount, 1999);
    assert.equal((await medusa.order(orderId)).payment_status, "refunded");
  });

  test("a payer who never returns from the hosted page gets the order: the webhook places it, the shop captures it", async () => {
    const cart = await medusa.newCart("sack");
    const session = await medusa.newSession(cart, "pp_tidegate_page");
    assert.equal(session.token, null);
    await payOnPage(session);
    const orderId = await eventually(
      "the webhook places the order",
      () => medusa.orderOf(cart),
      WEBHOOK_WITHIN_MS,
    );
    const order = await medusa.order(orderId);
    assert.equal(order.payment_status, "authorized");
    assert.equal((await transactionOf(session)).captureStatus, "uncaptured");
    const [payment = assert.fail()] = order.payments;
    assert.equal((await medusa.capture(payment.id)).status, 200);
    const transaction = await transactionOf(session);
    assert.equal(transaction.captureStatus, "captured");
    assert.equal(transaction.payment.capturedAmount, 6450);
    assert.equal((await medusa.order(orderId)).payment_status, "captured");
  });

  test("a capture on the gateway's dashboard reaches the order by webhook", async () => {
    const cart = await medusa.newCart("bag");
    const session = await medusa.newSession(cart, "pp_tidegate_page");
    await payOnPage(session);
    const orderId = await medusa.placeOrder(cart);
    const { id } = await transactionOf(session);
    assert.equal((await gateway.post(`/transactions/${id}/capture`, {})).status, 200);
    await eventually(
      "the order is captured",
      async () => (await medusa.order(orderId)).payment_status === "captured",
      WEBHOOK_WITHIN_MS,
    );
  });

  test("cancelling an authorised order voids its transaction", async () => {
    const cart = await medusa.newCart("bag");
    const session = await medusa.newSession(cart, "pp_tidegate_page");
    await payOnPage(session);
    const orderId = await medusa.placeOrder(cart);
    assert.equal((await medusa.order(orderId)).payment_status, "authorized");
    assert.equal((await medusa.cancelOrder(orderId)).status, 200);
    assert.equal((await transactionOf(session)).captureStatus, "voided");
    assert.equal((await medusa.order(orderId)).payment_status, "canceled");
  });

  test("a declined card leaves the cart unpaid, and another card pays the same session", async () => {
    // The sandbox declines the first attempt at 144.19.
    const cart = await medusa.newCart("tin");
    const session = await medusa.newSession(cart, "pp_tidegate_card");
    await visit(await site.addressOf({ token: session.token ?? assert.fail() }), async (page) => {
      const checkout = checkoutPage(page);
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      assert.equal((await checkout.event("process")).result.status, "declined");
      const refused = await medusa.completeCart(cart);
      assert.notEqual(refused.body.type, "order");
      assert.equal(await medusa.orderOf(cart), undefined);
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
    assert.equal((await medusa.order(await medusa.placeOrder(cart))).payment_status, "captured");
  });

  test("a changed cart cancels the payment request of its old amount", async () => {
    const cart = await medusa.newCart("bag");
    const old = await medusa.newSession(cart, "pp_tidegate_card");
    await medusa.addItem(cart, "sack");
    const session = await medusa.newSession(cart, "pp_tidegate_card");
    const request = async ({ payment_request_id }: Session) =>
      (await gateway.get(`/paymentrequests/${payment_request_id}`)).body;
    assert.equal((await request(old)).paymentRequestStatus, "cancelled");
    assert.equal((await request(session)).payment.amount, 8449);
  });

  test("a paid session is not replaced by a new one: its order is placed", async () => {
    const cart = await medusa.newCart("bag");
    const paid = await medusa.newSession(cart, "pp_tidegate_page");
    await payOnPage(paid);
    const refused = await medusa.trySession(cart, "pp_tidegate_page");
    assert.equal(refused.body.message, "Could not delete all payment sessions");
    const order = await medusa.order(await medusa.placeOrder(cart));
    assert.equal(order.payment_status, "authorized");
    assert.equal(order.payments[0]?.data.payment_request_id, paid.payment_request_id);
  });

  test("what a storefront writes into a session's data names no other payment", async () => {
    const paidCart = await medusa.newCart("bag");
    const paid = await medusa.newSession(paidCart, "pp_tidegate_card");
    await payEmbedded(paid);
    const { id } = await transactionOf(paid);
    const cart = await medusa.newCart("bag");
    const session = await medusa.newSession(cart, "pp_tidegate_card", {
      ...paid,
      transaction_id: id,
    });
    assert.notEqual(session.payment_request_id, paid.payment_request_id);
    assert.equal(session.transaction_id, null);
    assert.notEqual((await medusa.completeCart(cart)).body.type, "order");
  });

  test("refuses a currency that the gateway has not, and fractions of a cent", async () => {
    const dollars = await medusa.trySession(await medusa.newCart("bag", "usd"), "pp_tidegate_card");
    assert.equal(dollars.status, 400);
    assert.match(dollars.body.message, /AUD and NZD, not in USD/);
    const odd = await medusa.trySession(await medusa.newCart("odd"), "pp_tidegate_card");
    assert.equal(odd.status, 400);
    assert.match(odd.body.message, /16\.9915 has fractions of a cent/);
  });

  test("an event with a wrong signature places no order; the same bytes signed do", async () => {
    const cart = await medusa.newCart("bag");
    const session = await medusa.newSession(cart, "pp_tidegate_card");
    // Paid while no webhook is delivered: the subscriptions are away for the moment.
    const { webhooks } = (await gateway.get("/webhooks")).body;
    for (const { id } of webhooks) await gateway.call(`/webhooks/${id}`, { method: "DELETE" });
    await payEmbedded(session);
    const payload = (await gateway.get(`/paymentrequests/${session.payment_request_id}`)).body;
    const body = JSON.stringify({ id: "evt_1", event: "payment_requests", payload });
    const deliver = async (key: string) => {
      const signature = createHmac("sha256", key).update(body).digest("hex");
      const headers = { "content-type": "application/json", "x-signature": signature };
      return fetch(`${server.url}/hooks/payment/tidegate_card`, { method: "POST", headers, body });
    };
    assert.equal((await deliver("another key")).status, 200);
    await eventually(
      "Medusa logs the refusal",
      async () => /webhook is refused: signature_wrong/.test(await server.log()),
      WEBHOOK_WITHIN_MS,
    );
    assert.equal(await medusa.orderOf(cart), undefined);
    await deliver(signingKey);
    await eventually("the order is placed", () => medusa.orderOf(cart), WEBHOOK_WITHIN_MS);
  });

  describe("called directly, as Medusa's payment module does", () => {
    const shopRequire = createRequire(join(folder, "package.json"));
    const newProvider = (more: object = {}) => {
      const { TidegatePaymentProvider } = shopRequire("@tidegate/medusa");
      const { TIDEGATE_URL: baseUrl, TIDEGATE_HOSTED_URL: hostedUrl } = gatewayVariables();
      const options = { apiKey: TEST_KEY, webhookSigningKey: signingKey, baseUrl, hostedUrl, ...more };
      TidegatePaymentProvider.validateOptions(options);
      return new TidegatePaymentProvider(
        { logger: { warn: (line: string) => warnings.push(line) } },
        options,
      );
    };
    const warnings: string[] = [];
    let sessions = 0;
    const start = async (provider: ReturnType<typeof newProvider>, amount: unknown = 20) => {
      sessions += 1;
      const session_id = `payses_${process.pid}_${sessions}`;
      const context = { idempotency_key: session_id };
      return provider.initiatePayment({ amount, currency_code: "aud", data: { session_id }, context });
    };
    const pay = async ({ id }: { readonly id: string }) =>
      ok(await (await openFrameOn(shopOf(gateway), id)).pay());
    const refundsOf = async (data: Session) =>
      (await gateway.get(`/transactions/${data.transaction_id}/refunds`)).body.refunds;

    test("a repeated start, capture or refund with Medusa's key happens once", async () => {
      const provider = newProvider({ captureType: "manual" });
      const first = await start(provider);
      sessions -= 1;
      assert.equal((await start(provider)).id, first.id);
      await pay(first);
      const { status, data } = await provider.authorizePayment(first);
      assert.equal(status, "authorized");
      const capture = { data, context: { idempotency_key: "capt_1" } };
      await provider.capturePayment(capture);
      await provider.capturePayment(capture);
      assert.equal((await provider.getPaymentStatus({ data })).status, "captured");
      const refund = { data, amount: { value: "7.5", precision: 20 }, context: { idempotency_key: "ref_1" } };
      await provider.refundPayment(refund);
      await provider.refundPayment(refund);
      assert.deepEqual(
        (await refundsOf(data)).map((one: { payment: { amount: number } }) => one.payment.amount),
        [750],
      );
    });

    test("a declined refund is an error, and another one can follow", async () => {
      const provider = newProvider();
      const started = await start(provider, 144.05 + 20);
      await pay(started);
      const { data } = await provider.authorizePayment(started);
      const refund = (amount: number, key: string) =>
        provider.refundPayment({ data, amount, context: { idempotency_key: key } });
      await assert.rejects(
        refund(144.05, "ref_declined"),
        /Not refunded: the acquirer declined it \(D04405\)/,
      );
      await refund(20, "ref_after");
      assert.equal((await refundsOf(data)).length, 2);
    });

    test("a payment that is declined for good is an error, one that is cancelled is canceled", async () => {
      const provider = newProvider({ attempts: 1 });
      const declined = await start(provider, 144.05);
      await pay(declined);
      assert.equal((await provider.getPaymentStatus(declined)).status, "error");
      const deleted = await start(provider);
      assert.equal((await provider.getPaymentStatus(deleted)).status, "pending");
      await provider.deletePayment(deleted);
      assert.equal((await provider.getPaymentStatus(deleted)).status, "canceled");
      await provider.deletePayment(deleted);
    });

    test("what is captured cannot be cancelled or deleted", async () => {
      const provider = newProvider();
      const started = await start(provider);
      await pay(started);
      const { data } = await provider.authorizePayment(started);
      await assert.rejects(provider.cancelPayment({ data }), /is captured\. Refund it instead/);
      await assert.rejects(provider.deletePayment({ data }), /is paid\. Complete its cart/);
      const retrieved = (await provider.retrievePayment({ data })).data;
      assert.equal(retrieved.transaction_id, data.transaction_id);
    });

    test("an update with another amount replaces the payment request, with the same one renews the token", async () => {
      const provider = newProvider();
      const started = await start(provider);
      const update = (amount: number) =>
        provider.updatePayment({ ...started, amount, currency_code: "AUD", context: {} });
      const same = (await update(20)).data;
      assert.equal(same.payment_request_id, started.id);
      assert.notEqual(same.token, started.data.token);
      const other = (await update(21.5)).data;
      assert.notEqual(other.payment_request_id, started.id);
      assert.equal(other.amount, 2150);
      assert.equal((await update(21.5)).data.payment_request_id, other.payment_request_id);
      assert.equal((await provider.getPaymentStatus(started)).status, "canceled");
      await pay({ id: other.payment_request_id });
      await assert.rejects(
        provider.updatePayment({ data: other, amount: 5, currency_code: "aud" }),
        /is paid already/,
      );
    });

    test("a payment request of another session is refused", async () => {
      const provider = newProvider();
      const [mine, other] = [await start(provider), await start(provider)];
      await pay(other);
      const data = { ...mine.data, payment_request_id: other.id };
      await assert.rejects(provider.authorizePayment({ data }), /does not belong to payment session/);
      await assert.rejects(provider.authorizePayment({ data: {} }), /was not made by Tidegate/);
    });

    test("amounts become cents exactly, or are refused", async () => {
      const { centsOf, dollarsOf } = shopRequire(
        join(folder, "node_modules/@tidegate/medusa/dist/cjs/money.js"),
      );
      const exact = { round: false };
      const right: readonly (readonly [unknown, number])[] = [
        [0.01, 1],
        [19.99, 1999],
        ["1.1", 110],
        [{ value: "64.50" }, 6450],
        [999_999_999.99, 99_999_999_999],
        [1.005e3, 100_500],
      ];
      for (const [amount, cents] of right) {
        assert.equal(centsOf(amount, exact), cents);
        assert.equal(centsOf(dollarsOf(cents), exact), cents);
      }
      for (const amount of [0, -1, 0.001, "19.990000001", 1_000_000_000, "1e30", Number.NaN, "", 0.1 + 0.2])
        assert.throws(() => centsOf(amount, exact), /Tidegate: the amount/, String(amount));
      const round = { round: true };
      assert.equal(centsOf("16.9915", round), 1699);
      assert.equal(centsOf("0.995", round), 100);
      assert.throws(() => centsOf("0.0049", round), /not between 0\.01/);
    });

    test("wrong and unknown options stop the start, without showing a value", () => {
      assert.throws(
        () => newProvider({ apiKey: "", captureType: "later", signingKey: "secret-value" }),
        (error: Error) =>
          /apiKey must be a merchant's API key/.test(error.message) &&
          /captureType must be "auto" or "manual"/.test(error.message) &&
          /signingKey is no option/.test(error.message) &&
          !error.message.includes("secret-value"),
      );
      assert.throws(() => newProvider({ checkout: "hosted" }), /hostedPage is needed/);
    });

    test("an error of the gateway names its code, and no secret", async () => {
      const provider = newProvider({ apiKey: "key_of_nobody" });
      await assert.rejects(start(provider), (error: Error & { type?: string }) => {
        assert.match(error.message, /^Tidegate: the gateway answered 401: V\d{5}/);
        assert.ok(!error.message.includes("key_of_nobody"));
        return error.type === "not_allowed";
      });
    });

    test("a declined refund that is reported later is a warning in Medusa's log", async () => {
      const provider = newProvider();
      const payload = {
        id: "rfd_1",
        metadata: { medusa_session_id: "payses_1" },
        category: { method: "refund" },
        payment: { amount: 501, currencyCode: "AUD" },
        result: { status: "declined" },
      };
      const rawData = JSON.stringify({ id: "evt_1", event: "transactions", payload });
      const signature = createHmac("sha256", signingKey).update(rawData).digest("hex");
      const headers = { "x-signature": signature };
      const action = await provider.getWebhookActionAndData({ data: {}, rawData, headers });
      assert.equal(action.action, "not_supported");
      assert.match(warnings.at(-1) ?? "", /refund rfd_1 of 5\.01 AUD was declined/);
    });
  });

  test("its sources and the guide's programs compile against Medusa's own types", async () => {
    const place = join(folder, "types-check");
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    await cp("packages/medusa/src", join(place, "src"), { recursive: true });
    // The declarations that stand in for Medusa in this repository.
    await rm(join(place, "src/medusa.d.ts"));
    const { ts } = await guideBlocks();
    const readme = (await blocksOf("packages/medusa/README.md")).map(({ text }) => text);
    for (const [at, text] of [...ts, ...readme].entries())
      await writeFile(join(place, `block-${at}.ts`), text);
    await cp("tests/interop/medusa-shop/seed.ts", join(place, "seed.ts"));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      module: "nodenext",
      moduleResolution: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      types: ["node"],
      typeRoots: [resolve("node_modules/@types")],
    };
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const compiled = await run(resolve("node_modules/.bin/tsc"), ["-p", place]).catch(
      (error: unknown) => error as { stdout: string },
    );
    assert.equal(compiled.stdout, "");
  });
});

/** The blocks of the guide, by kind. */
async function guideBlocks(): Promise<{ readonly sh: readonly string[]; readonly ts: readonly string[] }> {
  const blocks = await blocksOf(GUIDE);
  const of = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ text }) => text);
  return { sh: of("sh"), ts: of("ts") };
}

/** Packs and installs as the guide shows, from a checkout that has only the two built packages. */
async function installPackages(commands: string): Promise<void> {
  const checkout = await mkdtemp(join(tmpdir(), "tidegate-medusa-"));
  try {
    buildClient(join(checkout, "packages/client/dist"));
    buildMedusa(join(checkout, "packages/medusa/dist"));
    for (const name of ["client", "medusa"]) {
      for (const file of ["package.json", "README.md"]) {
        await cp(join("packages", name, file), join(checkout, "packages", name, file));
      }
    }
    await installAsShown(commands, checkout, folder);
  } finally {
    await rm(checkout, { recursive: true, force: true });
  }
}

function databaseUrl(name: string): string {
  const url = new URL(process.env["TIDEGATE_TEST_DATABASE_URL"] ?? assert.fail("run it by npm run interop"));
  url.pathname = `/${name}`;
  // Without it Medusa expects TLS of every server but localhost; the tests' server listens on a socket.
  url.searchParams.set("sslmode", "disable");
  return url.href;
}

async function inDatabaseServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env["TIDEGATE_TEST_DATABASE_URL"] });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
