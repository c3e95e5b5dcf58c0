import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, ok, openFrame, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { type MailServer, partOf, startMailServer } from "../../support/mail-server.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

const PATIENCE_MS = 20_000;

describe("receipts by e-mail", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let mail: MailServer;
  before(async () => {
    mail = await startMailServer();
    gateway = await startTestGateway({
      environment: { TIDEGATE_SMTP_URL: mail.url, TIDEGATE_MAIL_FROM: "Corner Shop <pay@shop.example>" },
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    await gateway.stop();
    await mail.stop();
  });

  let payers = 0;
  const newAddress = () => `payer${payers++}@example.com`;
  const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address));
  const receiptFor = (address: string) =>
    eventually(`a receipt for ${address}`, async () => mailsTo(address)[0], PATIENCE_MS);
  const jobs = () =>
    gateway.database.rows<{ subject_id: string; tries: number; problem: string | null }>(
      "select subject_id, tries, problem from jobs where kind = 'receipt_send'",
    );
  const noJobLeft = () =>
    eventually("no receipt waits", async () => (await jobs()).length === 0, PATIENCE_MS);

  test("an approved payment sends one, once, as plain text and as HTML", async () => {
    const email = newAddress();
    const { transactionId } = await payOnce(shop, {
      amount: 123456,
      reference: "order <7>",
      customerRequest: { email },
    });
    const got = await receiptFor(email);
    assert.equal(got.from, "pay@shop.example");
    assert.match(got.source, /^From: "?Corner Shop"? <pay@shop\.example>/m);
    assert.match(got.source, new RegExp(`^Message-ID: <${transactionId}@shop\\.example>`, "m"));
    assert.match(got.source, /^Subject: \[Test\] Receipt from .*\$1,234\.56 AUD/m);
    const text = partOf(got, "text/plain");
    for (const words of ["$1,234.56 AUD", "order <7>", transactionId, "Visa ending in 1111", "test payment"])
      assert.ok(text.includes(words), `${words} in ${text}`);
    assert.match(text, /^Date: \d{1,2} \w+ \d{4} at \d{1,2}:\d\d\s[ap]m AE[DS]T$/m);
    const html = partOf(got, "text/html");
    for (const words of ["$1,234.56 AUD", "order &#60;7&#62;", transactionId, "Visa ending in 1111"])
      assert.ok(html.includes(words), `${words} in ${html}`);
    assert.doesNotMatch(html, /<script|<img|https?:|4111111111111111/);
    await noJobLeft();
    assert.equal(mailsTo(email).length, 1);
    const rows = await gateway.database.rows("select was_refused from receipts where transaction_id = $1", [
      transactionId,
    ]);
    assert.deepEqual(rows, [{ was_refused: false }]);
  });

  test("so does a payment on the hosted page, to an existing customer's address", async () => {
    const email = newAddress();
    const { id } = ok(await callApi(shop, "POST", "/customers", { name: "Ann", email }));
    const { hostedPaymentPage } = await createHosted(shop, {
      description: "Two <tickets>",
      page: { merchantName: "Harbour Coffee" },
      more: { customerRequest: { id } },
    });
    await visitPage(shop, hostedPaymentPage.url, CARD_FORM);
    const got = await receiptFor(email);
    assert.match(
      partOf(got, "text/plain"),
      /You paid \$30\.00 AUD to Harbour Coffee[\s\S]*For: Two <tickets>/,
    );
    assert.match(partOf(got, "text/html"), /Two &#60;tickets&#62;/);
  });

  test("a receipt is in the language of the payer's page, else in the request's", async () => {
    const subjectOf = async (email: string) => {
      const got = await receiptFor(email);
      return { text: partOf(got, "text/plain"), html: partOf(got, "text/html") };
    };
    const asked = newAddress();
    await payOnce(shop, { amount: 123456, locale: "vi", customerRequest: { email: asked } });
    const vietnamese = await subjectOf(asked);
    assert.match(vietnamese.text, /Bạn đã thanh toán 1\.234,56\u00a0\$ AUD/);
    assert.match(vietnamese.text, /Thanh toán bằng: Visa số cuối 1111/);

    const browsed = newAddress();
    const { hostedPaymentPage } = await createHosted(shop, { more: { customerRequest: { email: browsed } } });
    await visitPage(shop, hostedPaymentPage.url, CARD_FORM, { "accept-language": "ar-EG" });
    const arabic = await subjectOf(browsed);
    assert.match(arabic.html, /<html lang="ar" dir="rtl">/);
    assert.match(arabic.text, /كانت هذه دفعة تجريبية/);

    const chosen = newAddress();
    const frame = await openFrame(shop, { locale: "vi", customerRequest: { email: chosen } });
    ok(await frame.pay({ language: "en" }));
    assert.match((await subjectOf(chosen)).text, /You paid \$30\.00 AUD/);
  });

  test("a declined payment, an open authorisation and a payer without an address get none", async () => {
    const [declined, held] = [newAddress(), newAddress()];
    await payOnce(shop, { amount: 14405, customerRequest: { email: declined } });
    await payOnce(shop, { category: { captureType: "manual" }, customerRequest: { email: held } });
    await payOnce(shop);
    const last = newAddress();
    await payOnce(shop, { customerRequest: { email: last } });
    await receiptFor(last);
    await noJobLeft();
    assert.deepEqual([mailsTo(declined), mailsTo(held)], [[], []]);
  });

  const authorise = async () => {
    const email = newAddress();
    const { transactionId } = await payOnce(shop, {
      category: { captureType: "manual" },
      customerRequest: { email },
    });
    return { email, transactionId };
  };

  test("a later capture sends one, with the amount that was captured", async () => {
    const [whole, part, voided] = [await authorise(), await authorise(), await authorise()];
    ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
    ok(
      await callApi(shop, "POST", `/transactions/${part.transactionId}/capture`, {
        payment: { amount: 1234 },
      }),
    );
    const capture = `/transactions/${whole.transactionId}/capture`;
    ok(await callApi(shop, "POST", capture));
    assert.equal((await callApi(shop, "POST", capture)).status, 409);
    assert.match(partOf(await receiptFor(part.email), "text/plain"), /Total: \$12\.34 AUD/);
    assert.match(partOf(await receiptFor(whole.email), "text/plain"), /Total: \$30\.00 AUD/);
    await noJobLeft();
    assert.deepEqual(
      [whole, part, voided].map(({ email }) => mailsTo(email).length),
      [1, 1, 0],
    );
  });

  for (const crashAt of ["capture:after", "transaction_change:committed"] as const) {
    test(`a capture whose process is killed at ${crashAt} sends one`, async () => {
      const { email, transactionId } = await authorise();
      const dying = await startGatewayProcess(gateway.database, crashAt, {
        TIDEGATE_ROLES: "api",
        TIDEGATE_SMTP_URL: mail.url,
        TIDEGATE_MAIL_FROM: "pay@shop.example",
      });
      try {
        await assert.rejects(
          callApi(dying.shop, "POST", `/transactions/${transactionId}/capture`),
          TypeError,
        );
        await dying.untilGone();
      } finally {
        await dying.kill();
      }
      await gateway.database.rows("update jobs set due_at = now() where kind = 'transaction_operation'");
      await receiptFor(email);
      await noJobLeft();
      await eventually(
        "no operation waits",
        async () =>
          (await gateway.database.rows("select 1 from jobs where kind = 'transaction_operation'")).length ===
          0,
        PATIENCE_MS,
      );
      assert.equal(mailsTo(email).length, 1);
    });
  }

  test("a mail server that is busy gets it again, with the same id, until it takes it", async () => {
    const email = newAddress();
    let attempts = 0;
    mail.answer = ({ to }) => {
      attempts += to.includes(email) ? 1 : 0;
      return attempts === 1 ? { code: 451, words: "try later" } : undefined;
    };
    const { transactionId } = await payOnce(shop, { customerRequest: { email } });
    const got = await receiptFor(email);
    assert.match(got.source, new RegExp(`^Message-ID: <${transactionId}@`, "m"));
    await noJobLeft();
    assert.deepEqual([attempts, mailsTo(email).length], [2, 1]);
    mail.answer = () => undefined;
  });

  test("one that the server refuses for good is not sent again, and the payment stays as it is", async () => {
    const email = newAddress();
    let attempts = 0;
    mail.answer = ({ to }) => {
      if (!to.includes(email)) return undefined;
      attempts += 1;
      return { code: 554, words: "no such mailbox" };
    };
    const { transactionId, paid } = await payOnce(shop, { customerRequest: { email } });
    assert.equal(paid.result.status, "approved");
    const [row] = await eventually(
      "the refusal is on record",
      async () => {
        const rows = await gateway.database.rows(
          "select was_refused from receipts where transaction_id = $1",
          [transactionId],
        );
        return rows.length > 0 && rows;
      },
      PATIENCE_MS,
    );
    assert.deepEqual(row, { was_refused: true });
    await noJobLeft();
    assert.equal(attempts, 1);
    mail.answer = () => undefined;
  });

  test("a job that runs again after the mail was sent sends nothing", async () => {
    const email = newAddress();
    const { transactionId } = await payOnce(shop, { customerRequest: { email } });
    await receiptFor(email);
    await noJobLeft();
    const { id: merchantId } = (
      await gateway.database.rows<{ id: string }>(
        "select merchant_id as id from transactions where id = $1",
        [transactionId],
      )
    )[0] ?? { id: "" };
    await gateway.database.rows(
      "insert into jobs (kind, merchant_id, subject_id, due_at) values ('receipt_send', $1, $2, now())",
      [merchantId, transactionId],
    );
    await noJobLeft();
    assert.equal(mailsTo(email).length, 1);
  });
});

describe("receipts are off by default", () => {
  test("no mail server: no job, no receipt", async () => {
    const gateway = await startTestGateway();
    try {
      await payOnce(shopOf(gateway), { customerRequest: { email: "ann@example.com" } });
      const rows = await gateway.database.rows("select 1 from jobs where kind = 'receipt_send'");
      assert.deepEqual(rows, []);
    } finally {
      await gateway.stop();
    }
  });
});
