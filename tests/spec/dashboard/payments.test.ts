import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CODES_BY_ID } from "../../../src/kernel/codes/catalogue.ts";
import {
  callApi,
  createRequest,
  getTransaction,
  ok,
  payOnce,
  type Shop,
  shopOf,
  startDay,
} from "../../support/checkout.ts";
import { formFields, signedIn, type Visitor } from "../../support/dashboard.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type Receiver, startReceiver, withStatus } from "../../support/receiver.ts";
import { storedCard } from "../../support/stored-cards.ts";

let gateway: TestGateway;
let shop: Shop;
let webhookId: string;
let own: string;
let staff: Visitor;
let viewer: Visitor;
let otherAdmin: Visitor;
let base: string;
let otherBase: string;

before(async () => {
  gateway = await startTestGateway();
  const [merchant, other] = [await gateway.newMerchant(), await gateway.newMerchant()];
  own = merchant.id;
  shop = await startDay(shopOf(gateway, merchant.key));
  const url = "http://127.0.0.1:18999/unused";
  webhookId = ok(await callApi(shop, "POST", "/webhooks", { event: "transactions", url })).id;
  staff = await signedIn(gateway, { role: "staff", merchantId: own });
  viewer = await signedIn(gateway, { role: "viewer", merchantId: own });
  otherAdmin = await signedIn(gateway, { role: "admin", merchantId: other.id });
  base = `/dashboard/${own}`;
  otherBase = `/dashboard/${other.id}`;
});
after(() => gateway.stop());

/** Points the webhook to a new receiver of this test. */
async function startEndpoint(): Promise<Receiver> {
  const receiver = await startReceiver();
  ok(await callApi(shop, "PUT", `/webhooks/${webhookId}`, { url: receiver.url, status: "active" }));
  return receiver;
}

const authorised = { category: { captureType: "manual" } };
const shown = async (path: string, visitor = staff) => {
  const page = await visitor.get(base + path);
  assert.equal(page.status, 200, page.text);
  return page.text;
};

describe("the timeline of one payment", () => {
  test("shows the request, its token, the attempts with their reasons, and the deliveries of each event", async () => {
    const receiver = await startEndpoint();
    const { requestId, transactionId } = await payOnce(shop, { amount: 14451, reference: "short-of-money" });
    await receiver.until(2);
    const pages = await eventually("the deliveries are recorded", async () => {
      const both = [
        await shown(`/payment-requests/${requestId}`),
        await shown(`/transactions/${transactionId}`),
      ];
      const isRecorded = (page: string) =>
        (page.match(/badge-good">delivered/g) ?? []).length >= 2 && !page.includes('data-live="on"');
      return both.every(isRecorded) && both;
    });
    for (const page of pages) {
      for (const text of [
        "short-of-money",
        "Payment request created: $144.51",
        "One-time token created",
        "Payment attempt: $144.51",
      ])
        assert.ok(page.includes(text), text);
      assert.match(page, /Declined<\/h3>[\s\S]*?Insufficient funds \(D04451\)/);
      assert.match(page, /Payment request ended without a payment/);
      assert.match(page, /Insufficient funds \(D04451\) · Try again: later/);
      assert.match(page, /HTTP 200, \d+ ms/);
      assert.ok(page.indexOf("Declined</h3>") < page.indexOf("Payment attempt"), "newest first");
      assert.doesNotMatch(page, /data-live="on"|style=|<script>/);
    }
    assert.match(pages[1] ?? "", /<dt>Try again<\/dt><dd>later/);
    assert.match(pages[1] ?? "", /<dt>Acquirer<\/dt><dd>sandbox, answer 51/);
  });

  test("an event's page shows its JSON and its deliveries", async () => {
    const { transactionId } = await payOnce(shop);
    const page = await shown(`/transactions/${transactionId}`);
    const id = /events\/(evt_\w+)"/.exec(page)?.[1] ?? "";
    assert.match(await shown(`/events/${id}`), /&quot;version&quot;: &quot;1\.0\.0&quot;/);
    assert.equal((await otherAdmin.get(`${otherBase}/events/${id}`)).status, 404);
  });

  test("another merchant's payment is 404, like an unknown one (I18)", async () => {
    const { requestId, transactionId } = await payOnce(shop);
    for (const path of [`/payment-requests/${requestId}`, `/transactions/${transactionId}`]) {
      await shown(path);
      const [foreign, none] = [
        await otherAdmin.get(otherBase + path),
        await otherAdmin.get(`${otherBase}${path.slice(0, -3)}zzz`),
      ];
      assert.deepEqual([foreign.status, none.status], [404, 404]);
      assert.equal(foreign.text, none.text);
    }
    for (const action of ["refund", "capture", "cancel"])
      assert.equal(
        (await otherAdmin.get(`${otherBase}/transactions/${transactionId}/${action}`)).status,
        404,
      );
  });
});

describe("a refund from the dashboard", () => {
  test("asks for confirmation of the exact amount, and is made once however often the form is sent", async () => {
    const { transactionId } = await payOnce(shop, { amount: 3000, reference: "to-refund" });
    const path = `${base}/transactions/${transactionId}/refund`;
    assert.match(await shown(`/transactions/${transactionId}`), /\/refund">Refund</);
    const refundPage = await staff.get(path);
    assert.match(refundPage.text, /value="30\.00"/);
    const confirm = await staff.get(`${path}?amount=12.50`);
    assert.match(confirm.text, /Refund \$12\.50 of transaction to-refund/);
    const form = { ...formFields(confirm.text, path), reference: "broken" };
    const [one, two] = [await staff.post(path, form), await staff.post(path, form)];
    assert.deepEqual([one.status, two.status], [303, 303]);
    assert.match((await staff.follow(two)).text, /sent twice\. It was done once/);
    const { refunds } = ok(await callApi(shop, "GET", `/transactions/${transactionId}/refunds`));
    assert.deepEqual(
      refunds.map(({ payment, reference }: { payment: { amount: number }; reference: string }) => [
        payment.amount,
        reference,
      ]),
      [[1250, "broken"]],
    );
    const after = await shown(`/transactions/${transactionId}`);
    assert.match(after, /Refund requested: \$12\.50/);
    assert.match(after, /data-live="on"/);
    assert.match(await shown("/refunds?q=broken"), /\$12\.50/);
  });

  test("shows a problem beside its field", async () => {
    const { transactionId } = await payOnce(shop, { amount: 3000 });
    const path = `${base}/transactions/${transactionId}/refund`;
    for (const [amount, text] of [
      ["30.01", "At most $30.00 is left"],
      ["1999999999.98", "At most $30.00 is left"],
      ["1999999999.99", "Type an amount"],
      ["0", "Type an amount"],
      ["ten", "Type an amount"],
    ] as const) {
      const page = await staff.get(`${path}?amount=${amount}`);
      assert.equal(page.status, 400);
      assert.ok(page.text.includes(text), text);
      assert.match(page.text, /aria-invalid="true"/);
    }
    assert.match((await staff.get(`${path}?amount=30.00`)).text, /Refund \$30\.00/, "control");
    // Another refund is made while the page is open, so the refund itself is refused.
    const confirm = await staff.get(`${path}?amount=30.00`);
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 2000 } }));
    const refused = await staff.post(path, formFields(confirm.text, path));
    assert.equal(refused.status, 409);
    assert.match(refused.text, /class="problem"/);
  });
});

describe("contract 6: a card number that is typed in the dashboard is refused", () => {
  const NUMBER = "4111 1111 1111 1111";

  test("as the reference of a refund, beside its field", async () => {
    const { transactionId } = await payOnce(shop, { amount: 3000 });
    const path = `${base}/transactions/${transactionId}/refund`;
    assert.doesNotMatch((await staff.get(path)).text, /name="reference"/, "this form's text is in the URL");
    await staff.get(`${path}?amount=12.50`);
    const refused = await staff.submit(path, { reference: `card ${NUMBER}` });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /<span class="problem" id="p-reference">Remove the card number/);
    assert.match(refused.text, /Refund \$12\.50 of transaction/);
    const refunds = `/transactions/${transactionId}/refunds`;
    assert.equal(ok(await callApi(shop, "GET", refunds)).count, 0);
    await staff.follow(await staff.submit(path, { reference: "card returned" }));
    assert.equal(ok(await callApi(shop, "GET", refunds)).refunds[0].reference, "card returned");
  });

  test("as the e-mail address of a user", async () => {
    const operator = await signedIn(gateway, { role: "operator" });
    await operator.get("/dashboard/users");
    const invite = (email: string) =>
      operator.submit("/dashboard/users/invite", { email, name: "Ana", role: "staff", merchant: own });
    const refused = await invite("4111111111111111@shop.example");
    assert.equal(refused.status, 400);
    assert.match(refused.text, /<span class="problem" id="p-email">Remove the card number/);
    assert.equal((await invite("ana.4111@shop.example")).status, 200);
  });
});

describe("an authorisation is captured or cancelled", () => {
  test("captures a part and releases the rest", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5000, ...authorised });
    const path = `${base}/transactions/${transactionId}`;
    assert.match(await shown(`/transactions/${transactionId}`), /Capture \$50\.00/);
    await staff.get(`${path}/capture?amount=20`);
    assert.equal((await staff.submit(`${path}/capture`)).goTo, path);
    const { payment, captureStatus } = await getTransaction(shop, transactionId);
    assert.deepEqual([captureStatus, payment.capturedAmount], ["captured", 2000]);
    assert.match(await shown(`/transactions/${transactionId}`), /Captured \$20\.00/);
  });

  test("cancels an authorisation and an open request", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5000, ...authorised });
    const path = `${base}/transactions/${transactionId}/cancel`;
    assert.match((await staff.get(path)).text, /\$50\.00 AUD is released/);
    await staff.submit(path);
    assert.equal((await getTransaction(shop, transactionId)).captureStatus, "voided");
    const { id } = await createRequest(shop, { amount: 700 });
    assert.match((await staff.get(`${base}/payment-requests/${id}/cancel`)).text, /\$7\.00/);
    await staff.submit(`${base}/payment-requests/${id}/cancel`);
    assert.match(await shown(`/payment-requests/${id}`), />cancelled</);
    const again = await staff.get(`${base}/payment-requests/${id}/cancel`);
    const refused = await staff.post(
      `${base}/payment-requests/${id}/cancel`,
      formFields(again.text, `${base}/payment-requests/${id}/cancel`),
    );
    assert.match((await staff.follow(refused)).text, /role="alert"/);
  });
});

describe("a viewer can read but not act", () => {
  test("a viewer sees no action buttons, and a forged form is 403", async () => {
    const { transactionId } = await payOnce(shop, { amount: 3000 });
    const page = await shown(`/transactions/${transactionId}`, viewer);
    assert.doesNotMatch(page, /\/refund"|Deliver again/);
    assert.match(await shown(`/transactions/${transactionId}`), /\/refund"[\s\S]*Deliver again/, "control");
    const { token = "" } = formFields(page, "/dashboard/signout");
    const eventId = /events\/(evt_\w+)"/.exec(page)?.[1] ?? "";
    const forged = [
      await viewer.post(`${base}/transactions/${transactionId}/refund`, { token, amount: "30.00" }),
      await viewer.post(`${base}/events/${eventId}/redeliver`, { token }),
      await viewer.post(`${base}/sandbox/clock`, { token, seconds: "60" }),
      await viewer.get(`${base}/transactions/${transactionId}/refund`),
      await viewer.get(`${base}/events/redeliver`),
    ];
    assert.deepEqual(
      forged.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    );
    assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 0);
  });
});

describe("redelivery", () => {
  test("of one event, and of a time range", async () => {
    const receiver = await startEndpoint();
    const { transactionId } = await payOnce(shop);
    await eventually("both events are delivered", async () => {
      const page = await shown(`/transactions/${transactionId}`);
      return (page.match(/badge-good">delivered/g) ?? []).length >= 2;
    });
    const page = await shown(`/transactions/${transactionId}`);
    const action = /action="([^"]*\/redeliver\?back=[^"]*)"/.exec(page)?.[1] ?? "";
    const before = receiver.received.length;
    const sent = await staff.submit(action);
    assert.equal(sent.goTo, `${base}/transactions/${transactionId}`);
    await receiver.until(before + 1);
    const nonePending = () =>
      eventually("no delivery is pending", async () => {
        const waiting = "select from deliveries where merchant_id = $1 and status = 'pending'";
        return (await gateway.database.rows(waiting, [own])).length === 0;
      });
    // What is still on its way is not sent once more.
    await nonePending();
    const range = `${base}/events/redeliver`;
    const wrong = await staff.get(`${range}?from=yesterday&to=2026-11-15+09:00`);
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /value="yesterday"[^>]*aria-invalid="true"/, "the input stays and is marked");
    assert.ok(
      wrong.text.includes(CODES_BY_ID.V11931.meaning.replaceAll("`", "")),
      "the message is the API's",
    );
    const emptyRange = await staff.get(`${range}?from=2026-11-15+09:00&to=2026-11-15+09:00`);
    assert.match(emptyRange.text, /id="p-to"/);
    const none = await staff.get(`${range}?from=2020-01-01+00:00&to=2020-01-01+01:00`);
    assert.match(none.text, /No event was made from 1 Jan 2020, 12:00 am AEDT to 1 Jan 2020, 1:00 am AEDT/);
    assert.doesNotMatch(none.text, /method="post" action="[^"]*redeliver"/);
    const { from = "", to = "" } = formFields((await staff.get(range)).text, range);
    const rounds = async () =>
      (
        await gateway.database.rows<{ sum: number }>(
          "select coalesce(sum(round), 0)::int as sum from deliveries where merchant_id = $1",
          [own],
        )
      )[0]?.sum ?? 0;
    const earlier = await rounds();
    const step = await staff.get(`${range}?${new URLSearchParams({ from, to, event: "" }).toString()}`);
    const announced = Number(/(\d+) deliveries are sent once more/.exec(step.text)?.[1]);
    assert.ok(announced >= 2);
    assert.equal(await rounds(), earlier, "nothing is redelivered before confirmation");
    const many = await staff.submit(range);
    assert.match(
      (await staff.follow(many)).text,
      new RegExp(`>${announced} deliveries are on their way again`),
    );
    assert.equal(await rounds(), earlier + announced, "as many as the page announced");
    await receiver.until(before + 3);
    await nonePending();
  });

  test("a subscription to all events counts beside one to an event value, and no event is passed over", async () => {
    const other = await gateway.newMerchant();
    const visitor = await signedIn(gateway, { role: "staff", merchantId: other.id });
    const endpoint = await startReceiver();
    for (const event of ["*", "customers"]) {
      const body = { event, url: endpoint.url };
      assert.equal((await gateway.post("/webhooks", body, { key: other.key })).status, 200);
    }
    await gateway.post("/customers", { name: "Ada", email: "ada@shop.example" }, { key: other.key });
    await payOnce(shopOf(gateway, other.key));
    await endpoint.until(6);
    const range = `/dashboard/${other.id}/events/redeliver`;
    const { from = "", to = "" } = formFields((await visitor.get(range)).text, range);
    const query = new URLSearchParams({ from, to, event: "" }).toString();
    const { text } = await visitor.get(`${range}?${query}`);
    assert.match(text, /5 events were made/);
    assert.match(text, /6 deliveries are sent once more/);
    assert.doesNotMatch(text, /passed over/);
    await endpoint.close();
  });

  test("an event whose delivery failed for good is listed", async () => {
    const endpoint = await startEndpoint();
    endpoint.answer(withStatus(410));
    // A node reads its subscriptions several times a second, and delivers to the old endpoint until then.
    const refused = await eventually("an event arrives at the new endpoint", async () => {
      await payOnce(shop);
      return endpoint.received[0];
    });
    const { payload } = JSON.parse(refused.body);
    await eventually("the delivery has failed", async () =>
      /HTTP 410/.test(await shown(`/transactions/${payload.id}`)),
    );
    assert.match(await shown("/events?delivery=failed"), /badge-bad">failed/);
    assert.match(await shown(""), /delivery=failed/);
  });
});

describe("customers and payouts", () => {
  test("a customer's instruments are masked and can be deleted", async () => {
    const stored = await storedCard(shop, { customerRequest: { name: "Ann Lee", email: "ann@example.com" } });
    const path = `${base}/customers/${stored.id}`;
    const page = await shown(`/customers/${stored.id}`);
    assert.match(page, /Visa ending 1111/);
    assert.match(page, /aXXXXXXXXXX@example\.com/);
    assert.doesNotMatch(page, /ann@example|41111111/);
    assert.match(await shown("/customers?q=ann@example.com"), /Ann Lee/);
    assert.doesNotMatch(await shown("/customers?q=unknown@example.com"), /Ann Lee/);
    const deletePath = `${path}/instruments/${stored.paymentInstrumentId}/delete`;
    assert.match((await staff.get(deletePath)).text, /Delete Visa ending 1111/);
    assert.equal((await staff.submit(deletePath)).goTo, path);
    assert.match(await shown(`/customers/${stored.id}`), /has stored nothing/);
    assert.equal((await otherAdmin.get(`${otherBase}/customers/${stored.id}`)).status, 404);
  });

  test("a payout shows its lines and offers all of them as CSV", async () => {
    await payOnce(shop, { amount: 4200 });
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const list = await shown("/payouts");
    const id = /payouts\/(po_\w+)"/.exec(list)?.[1] ?? "";
    assert.match(await shown(`/payouts/${id}`), /\$42\.00/);
    const csv = await staff.get(`${base}/payouts/${id}/lines.csv`);
    assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(csv.text, /,4200,AUD,/);
    assert.equal((await otherAdmin.get(`${otherBase}/payouts/${id}/lines.csv`)).status, 404);
  });

  test("a payout reads like a statement: references, running total, and a file that ends with the amount", async () => {
    const { transactionId } = await payOnce(shop, { amount: 5100, reference: "=statement" });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const id = /payouts\/(po_\w+)"/.exec(await shown("/payouts"))?.[1] ?? "";
    const page = await shown(`/payouts/${id}`);
    assert.match(page, /transactions\/txn_\w+">=statement<[\s\S]*?\$51\.00/);
    const paid = /<strong>\$([\d,.]+)<\/strong> AUD/.exec(page)?.[1] ?? "";
    const amount = Math.round(100 * Number(paid.replace(",", "")));
    const file = await staff.get(`${base}/payouts/${id}/statement.csv`);
    const lines = file.text.split("\r\n").slice(0, -1);
    assert.match(
      lines[0] ?? "",
      /^id,transactionId,reference,.*,status,type,grossAmount,feeAmount,netAmount,runningTotal,createdLocalTime$/,
    );
    assert.ok(
      lines.some(
        (line) => line.includes(",'=statement,") && line.includes(",5100,AUD,cleared,payment,5100,"),
      ),
    );
    assert.equal(lines.at(-2)?.split(",").at(-2), String(amount), "the running total ends at the amount");
    const last = lines.at(-1)?.split(",") ?? [];
    assert.deepEqual(last.slice(0, 7), ["total", "", "", "", "", String(amount), "AUD"]);
    const [gross, fees, net] = last.slice(9, 12).map(Number);
    assert.deepEqual([net, Number(gross) + Number(fees)], [amount, amount]);
    assert.equal((await otherAdmin.get(`${otherBase}/payouts/${id}/statement.csv`)).status, 404);
  });
});

describe("every list as a file", () => {
  const fileOf = async (path: string, visitor = staff) => {
    const file = await visitor.get(base + path);
    assert.equal(file.status, 200, path);
    assert.match(file.headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(file.headers.get("content-disposition") ?? "", /^attachment; filename="[\w-]+\.csv"$/);
    return file.text.split("\r\n").slice(0, -1);
  };

  test("a button leads to all rows that fit the filters, with the total of each currency", async () => {
    const reference = "=exported";
    const paid = await payOnce(shop, { amount: 3100, reference });
    await payOnce(shop, { amount: 14_451, reference });
    await payOnce(shop, { amount: 50, reference, currencyCode: "NZD" });
    ok(await callApi(shop, "POST", `/transactions/${paid.transactionId}/refunds`, { reference }));
    await eventually("it is refunded", async () => {
      const { payment } = await getTransaction(shop, paid.transactionId);
      return payment.refundedAmount === 3100;
    });
    const query = `?q=${encodeURIComponent(reference)}`;
    const form =
      /<form class="filters"[\s\S]*?<\/form>/.exec(await shown(`/transactions${query}`))?.[0] ?? "";
    assert.equal(/formaction="([^"]+)"/.exec(form)?.[1], `${base}/transactions.csv`);
    assert.match(form, new RegExp(`name="q"[^>]*value="${reference}"`));
    const [head = "", ...lines] = await fileOf(`/transactions.csv${query}`);
    assert.ok(
      head.startsWith(
        "id,transactionId,reference,createdDateTime,updatedDateTime,amount,currencyCode,status,",
      ),
    );
    assert.equal(lines.length, 5);
    assert.match(
      lines[2] ?? "",
      new RegExp(`^${paid.transactionId},${paid.transactionId},'=exported,.*,3100,AUD,approved,`),
    );
    assert.deepEqual(lines.slice(3), [
      "total,,,,,17551,AUD,2 rows,,,,17551,3100",
      "total,,,,,50,NZD,1 row,,,,50,0",
    ]);
    assert.equal((await fileOf(`/transactions.csv${query}&status=declined`)).length, 3);
    assert.equal((await fileOf(`/transactions.csv${query}&amount=31.00`, viewer)).length, 3);
    assert.equal((await fileOf(`/transactions.csv${query}&to=2020-01-01`)).length, 1);
    assert.deepEqual((await fileOf(`/refunds.csv${query}`)).at(-1), "total,,,,,3100,AUD,1 row");
    assert.equal((await fileOf(`/payment-requests.csv${query}`)).length, 6);
  });

  test("payouts and customers are files, too; e-mail addresses stay masked", async () => {
    await payOnce(shop, { amount: 4300 });
    await storedCard(shop, {}, {});
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    assert.match(
      (await fileOf("/payouts.csv")).at(-1) ?? "",
      /^total,,,,,\d+,\w{3},\d+ rows?,,\d+,\d+,-?\d+,/,
    );
    const customers = (await fileOf("/customers.csv")).join("\n");
    assert.match(customers, /XXXXXXXXXX@/);
    assert.match(customers, /\ntotal,,,,,,,\d+ rows?$/);
    assert.doesNotMatch(customers, /ann@example/);
  });

  test("a user of another merchant gets none of it", async () => {
    for (const section of ["transactions", "refunds", "payment-requests", "customers", "payouts"]) {
      assert.equal((await otherAdmin.get(`${base}/${section}.csv`)).status, 404, section);
    }
  });
});

describe("the sandbox page", () => {
  test("simulates a payment once, however often the form is sent", async () => {
    await staff.get(`${base}/sandbox`);
    const form = {
      ...formFields((await staff.get(`${base}/sandbox`)).text, `${base}/sandbox/payment`),
      scenario: "card-14451",
    };
    const [one, two] = [
      await staff.post(`${base}/sandbox/payment`, form),
      await staff.post(`${base}/sandbox/payment`, form),
    ];
    assert.match((await staff.get(one.goTo)).text, /Insufficient funds \(D04451\)/);
    assert.equal(two.goTo, `${base}/sandbox`);
    const wrong = await staff.post(`${base}/sandbox/payment`, { ...form, scenario: "nonsense" });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /Choose what should happen/);
  });

  test("opens a hosted page for manual payment, and returns a late transfer", async () => {
    await staff.get(`${base}/sandbox`);
    const hosted = await staff.submit(`${base}/sandbox/payment`, { scenario: "approved", by: "hand" });
    const url =
      /href="([^"]+)"[^>]*>Open the hosted page/.exec((await staff.get(hosted.goTo)).text)?.[1] ?? "";
    assert.equal((await fetch(url.replace("localhost", "127.0.0.1"))).status, 200);
    await staff.get(`${base}/sandbox`);
    const waiting = await staff.submit(`${base}/sandbox/payment`, { scenario: "payid" });
    for (const path of [`${base}/sandbox`, waiting.goTo]) {
      const link = /href="([^"]+\/sandbox\/bankapp\/pr_[^"]+)"/.exec((await staff.get(path)).text)?.[1] ?? "";
      const bankApp = await fetch(link.replace("localhost", "127.0.0.1"));
      assert.equal(bankApp.status, 200, `the bank app's link on ${path}`);
    }
    await staff.get(`${base}/sandbox`);
    const stale = formFields((await staff.get(`${base}/sandbox`)).text, `${base}/sandbox/transfer`);
    const late = await staff.submit(`${base}/sandbox/transfer`, { how: "late" });
    await eventually("the transfer is back", async () =>
      /Transfer of \$30\.00 sent back[\s\S]*It came too late/.test((await staff.get(late.goTo)).text),
    );
    const refused = await staff.post(`${base}/sandbox/transfer`, stale);
    assert.match(refused.text, /notice-bad"[^>]*>This PayID waits for nothing any more/);
    const page = await shown("/sandbox");
    assert.match(page, /ahead of real time/);
    await staff.get(`${base}/sandbox`);
    assert.equal((await staff.submit(`${base}/sandbox/clock`, { count: "367", unit: "days" })).status, 400);
  });

  test("does not exist for a live merchant", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    const visitor = await signedIn(gateway, { role: "admin", merchantId: live.id });
    const page = await visitor.get(`/dashboard/${live.id}`);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, />Sandbox</);
    assert.match(await shown(""), />Sandbox</, "control");
    const { token = "" } = formFields(page.text, "/dashboard/signout");
    assert.equal((await visitor.get(`/dashboard/${live.id}/sandbox`)).status, 404);
    assert.equal(
      (await visitor.post(`/dashboard/${live.id}/sandbox/clock`, { token, count: "1", unit: "days" })).status,
      404,
    );
  });
});

describe("metadata on the dashboard", () => {
  test("a list finds records by one pair, and their pages show it", async () => {
    const metadata = { "order.no": "88=1", channel: "<b>web</b>" };
    const { requestId, transactionId } = await payOnce(shop, { reference: "with-pairs", metadata });
    const refunds = `/transactions/${transactionId}/refunds`;
    const refund = ok(await callApi(shop, "POST", refunds, { reference: "paired-refund", metadata }));
    const customer = { name: "Pat Pairs", email: "pat@example.com", metadata };
    const { id } = ok(await callApi(shop, "POST", "/customers", customer));
    await payOnce(shop, { reference: "without-pairs" });
    for (const [list, found] of [
      ["payment-requests", requestId],
      ["transactions", transactionId],
      ["refunds", refund.id],
      ["customers", id],
    ]) {
      const page = await shown(`/${list}?metadata=${encodeURIComponent("order.no=88=1")}`);
      assert.ok(page.includes(found), list);
      assert.doesNotMatch(page, /without-pairs/);
      for (const other of ["order.no=88", "Order.no=88=1", "order.no"])
        assert.ok(
          !(await shown(`/${list}?metadata=${encodeURIComponent(other)}`)).includes(found),
          `${list} ${other}`,
        );
    }
    for (const path of [
      `/payment-requests/${requestId}`,
      `/transactions/${transactionId}`,
      `/customers/${id}`,
    ]) {
      assert.match(await shown(path), /<code>order\.no<\/code> 88=1/);
      assert.match(await shown(path), /<code>channel<\/code> &lt;b&gt;web/);
    }
    const foreign = await otherAdmin.get(`${otherBase}/transactions?metadata=order.no%3D88%3D1`);
    assert.ok(foreign.status === 200 && !foreign.text.includes(transactionId));
  });
});
