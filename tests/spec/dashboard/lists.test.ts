import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId } from "../../../src/kernel/ids.ts";
import { instant } from "../../../src/kernel/time.ts";
import {
  callApi,
  createRequest,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { debit, NZ_ACCOUNT, runSettlements, storedAccount, whenStatus } from "../../support/debits.ts";
import { disputeOf } from "../../support/disputes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { storedCard } from "../../support/stored-cards.ts";

let gateway: TestGateway;
let shop: Shop;
let viewer: Visitor;
let base: string;
let merchantId: string;

before(async () => {
  gateway = await startTestGateway();
  const merchant = await gateway.newMerchant();
  merchantId = merchant.id;
  shop = shopOf(gateway, merchant.key);
  viewer = await signedIn(gateway, { role: "viewer", merchantId });
  base = `/dashboard/${merchantId}`;
});
after(() => gateway.stop());

const shown = async (path: string, visitor = viewer) => {
  const page = await visitor.get(base + path);
  assert.equal(page.status, 200, `${path}: ${page.text}`);
  return page.text;
};

/** References and statuses of a list's rows. */
const rowsOf = (page: string): readonly (readonly [string, string])[] =>
  [
    ...page.matchAll(
      /<tr><th scope="row"[^>]*>.*?<a href="[^"]*">([^<]*)<\/a>.*?class="badge[^"]*">([^<]*)</gs,
    ),
  ].map(([, reference = "", status = ""]) => [reference, status]);
const namesOf = (page: string) => rowsOf(page).map(([reference]) => reference);

const MANUAL = { category: { captureType: "manual" } };

/** One payment of every kind that a merchant meets, with its reference as its kind. */
async function makeEveryKind(): Promise<void> {
  const pay = (reference: string, more: object = {}) => payOnce(shop, { amount: 3000, reference, ...more });
  await pay("paid");
  await pay("declined", { amount: 14_451 });
  await pay("authorised", MANUAL);
  const voided = await pay("voided", MANUAL);
  ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
  for (const [reference, amount] of [
    ["half refunded", 1000],
    ["all refunded", 3000],
  ] as const) {
    const { transactionId } = await pay(reference);
    ok(
      await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {
        payment: { amount },
        reference,
      }),
    );
  }
  ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
  await disputeOf(shop, { reference: "disputed" });
  const challenged = { amount: 14_418, reference: "pending", category: { authenticationType: "3d_secure" } };
  await (await openFrame(shop, challenged)).pay();
  await createRequest(shop, { amount: 3000, reference: "open" });
  const cancelled = (await createRequest(shop, { amount: 3000, reference: "cancelled" })) as { id: string };
  ok(await callApi(shop, "POST", `/paymentrequests/${cancelled.id}/cancel`));
}

const KINDS: Readonly<Record<string, readonly [request: string, transaction: string | undefined]>> = {
  paid: ["paid", "paid"],
  declined: ["unpaid", "declined"],
  authorised: ["authorised", "authorised"],
  voided: ["unpaid", "cancelled"],
  "half refunded": ["partly refunded", "partly refunded"],
  "all refunded": ["refunded", "refunded"],
  pending: ["processing", "processing"],
  disputed: ["disputed", "disputed"],
  open: ["unpaid", undefined],
  cancelled: ["cancelled", undefined],
};

describe("paid or not paid, everywhere the same", () => {
  before(makeEveryKind);

  test("both lists, the pages and the filter by each word agree", async () => {
    for (const [list, at] of [
      ["payment-requests", 0],
      ["transactions", 1],
    ] as const) {
      const statuses = new Map(rowsOf(await shown(`/${list}`)));
      for (const [kind, words] of Object.entries(KINDS)) {
        const word = words[at];
        assert.equal(statuses.get(kind), word, `${list} ${kind}`);
        if (word === undefined) continue;
        const page = await shown(`/${list}?status=${encodeURIComponent(word)}`);
        assert.ok(namesOf(page).includes(kind), `${list}?status=${word} has ${kind}`);
        assert.ok(
          rowsOf(page).every(([, status]) => status === word),
          `${list}?status=${word} has nothing else`,
        );
      }
    }
  });

  test("the page of a request says the same word, and a declined one is nowhere green", async () => {
    const list = await shown("/payment-requests");
    for (const [kind, [word]] of Object.entries(KINDS)) {
      const href = new RegExp(`<a href="([^"]*)">${kind}</a>`).exec(list)?.[1] ?? "";
      const { text } = await viewer.get(href);
      assert.match(
        text,
        new RegExp(`payment-head" role="status">[^§]*?<span class="badge[^"]*">${word}<`),
        kind,
      );
    }
    const declined = /<a href="([^"]*)">declined<\/a>/.exec(list)?.[1] ?? "";
    const { text } = await viewer.get(declined);
    assert.doesNotMatch(text, /badge-good|which was paid/);
    assert.match(text, /Opened a checkout; the payment was declined/);
    assert.match(
      text,
      /It ended without a payment\. The last attempt was declined: insufficient funds\. Ask the payer/,
    );
  });

  test("a payment link says paid once it is, and unpaid before", async () => {
    const staff = await signedIn(gateway, { role: "staff", merchantId });
    await staff.get(`${base}/payment-links/new`);
    const made = await staff.submit(`${base}/payment-links/new`, { amount: "12.00", reference: "link" });
    assert.match((await staff.get(made.goTo)).text, /badge-waiting">unpaid</);
  });

  test("a customer's page has the newest payments with the same words", async () => {
    const { id } = await storedCard(shop, { reference: "of-a-customer", customerRequest: { name: "Ann" } });
    assert.match(await shown(`/customers/${id}`), /of-a-customer[\s\S]*?badge-good">paid</);
  });

  test("an unknown word matches nothing", async () => {
    for (const word of ["approved", "__proto__", "constructor"])
      assert.match(await shown(`/transactions?status=${word}`), /No results/);
    assert.match(await shown("/payment-requests?status=created"), /No results/);
  });

  test("the file has the word, too", async () => {
    const file = (await viewer.get(`${base}/payment-requests.csv?q=declined`)).text;
    assert.match(file, /,completed,checkout,[^,]+,unpaid,[^,]+\r\n/);
    const transactions = (await viewer.get(`${base}/transactions.csv?q=voided`)).text;
    assert.match(transactions, /,cancelled,[^,]+\r\n/);
  });

  test("the name of the file has the days of the export", async () => {
    const nameOf = async (query: string) =>
      (await viewer.get(`${base}/transactions.csv${query}`)).headers.get("content-disposition");
    assert.equal(
      await nameOf("?from=2026-10-01&to=2026-10-31"),
      'attachment; filename="transactions-2026-10-01-2026-10-31.csv"',
    );
    assert.equal(await nameOf(""), 'attachment; filename="transactions.csv"');
    assert.equal(await nameOf("?from=&to="), 'attachment; filename="transactions.csv"');
  });
});

describe("one search field", () => {
  const found = async (list: string, text: string) =>
    namesOf(await shown(`/${list}?q=${encodeURIComponent(text)}`));
  let paid: { readonly transactionId: string; readonly requestId: string };

  before(async () => {
    paid = await payOnce(shop, {
      amount: 123_456,
      reference: "needle",
      metadata: { order: "n-1" },
    });
    await storedCard(shop, {
      reference: "needle-stored",
      amount: 765_432,
      customerRequest: { name: "Nia", email: "Nia@Example.com" },
    });
  });

  test("finds by id, reference, last four, amount, e-mail and metadata", async () => {
    const { card } = (await getTransaction(shop, paid.transactionId)).payment.instrument;
    assert.equal(card.last4, "1111", "the card of the tests");
    for (const text of ["needle", "$1,234.56", "1234.56", "1,234.56", "order=n-1", " needle "]) {
      assert.deepEqual(await found("transactions", text), ["needle"], text);
      assert.deepEqual(await found("payment-requests", text), ["needle"], text);
    }
    assert.ok((await found("transactions", "1111")).includes("needle"));
    for (const list of ["transactions", "payment-requests"])
      assert.deepEqual(await found(list, "nia@example.COM"), ["needle-stored"], list);
    for (const text of ["needl", "1234.57", "9999", "other@example.com", "order=n-2", "'; --"])
      assert.deepEqual(await found("transactions", text), [], text);
    const { goTo } = await viewer.get(`${base}/customers?q=${paid.transactionId}`);
    assert.equal(goTo, `${base}/transactions/${paid.transactionId}`);
  });

  test("a row that fits in two ways is listed once, and filters apply to what is found", async () => {
    await payOnce(shop, { amount: 111_100, reference: "1111" });
    const both = await found("transactions", "1111");
    assert.equal(both.filter((name) => name === "1111").length, 1);
    const page = await shown("/transactions?q=1111&status=declined");
    assert.ok(rowsOf(page).every(([, status]) => status === "declined"));
    assert.ok(namesOf(page).includes("declined"));
  });

  test("a pair of metadata filters what is found, in the list, its totals and its file", async () => {
    for (const [pair, names] of [
      ["order=n-1", ["needle"]],
      ["order=n-2", []],
    ] as const)
      for (const list of ["transactions", "payment-requests"]) {
        const query = `?q=1234.56&metadata=${encodeURIComponent(pair)}`;
        const page = await shown(`/${list}${query}`);
        assert.deepEqual(namesOf(page), names, `${list} with ${pair}`);
        assert.equal(/class="totals">[^1]*1 (transaction|payment request)\b/.test(page), names.length === 1);
        assert.equal(
          /needle/.test((await viewer.get(`${base}/${list}.csv${query}`)).text),
          names.length === 1,
        );
        assert.deepEqual(namesOf(await shown(`/${list}${query}&sort=-amount`)), names);
      }
  });

  test("another merchant's records are not found", async () => {
    const other = await gateway.newMerchant();
    const stranger = await signedIn(gateway, { role: "admin", merchantId: other.id });
    for (const text of ["needle", "1234.56", "1111", "nia@example.com", "order=n-1"]) {
      const { text: page } = await stranger.get(
        `/dashboard/${other.id}/transactions?q=${encodeURIComponent(text)}`,
      );
      assert.match(page, /No results/, text);
    }
  });
});

describe("a search by e-mail address leaves out no payment", () => {
  const LISTS = ["transactions", "payment-requests"];
  let own: Shop;
  let owner: Visitor;
  let root: string;

  before(async () => {
    const merchant = await gateway.newMerchant();
    own = shopOf(gateway, merchant.key);
    owner = await signedIn(gateway, { role: "admin", merchantId: merchant.id });
    root = `/dashboard/${merchant.id}`;
  });

  const page = async (path: string) => {
    const { status, text } = await owner.get(root + path);
    assert.equal(status, 200, text);
    return text;
  };
  /** The references of all pages, by way of “Older”. */
  async function walked(path: string): Promise<readonly string[]> {
    const names: string[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const text = await page(next);
      names.push(...namesOf(text));
      next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&").slice(root.length);
    }
    return names;
  }
  const filed = async (path: string) => {
    const [, ...lines] = (await page(path)).trimEnd().split("\r\n");
    return lines.map((line) => line.split(","));
  };

  test("of a payer who is a customer once for each purchase", async () => {
    const references = Array.from({ length: 30 }, (_, at) => `bought-${130 - at}`);
    for (const reference of references.toReversed())
      await storedCard(own, { reference, amount: 1_000, customerRequest: { email: "often@shop.example" } });
    for (const list of LISTS) {
      const query = "?q=Often@shop.example";
      assert.deepEqual(await walked(`/${list}${query}`), references, list);
      assert.match(await page(`/${list}${query}`), /class="totals"><span>30 .*?\$300\.00/, list);
      const lines = await filed(`/${list}.csv${query}`);
      assert.deepEqual(
        lines.map(([, , reference]) => reference),
        [...references, ""],
        list,
      );
      assert.deepEqual(lines.at(-1)?.slice(5, 8), ["30000", "AUD", "30 rows"], list);
      assert.deepEqual(
        namesOf(await page(`/${list}${query}&sort=reference`)),
        references.toReversed().slice(0, 25),
      );
    }
  });

  test("whose request was given the address, without a customer", async () => {
    const customerRequest = { name: "Gia", email: "Given@shop.example" };
    await createRequest(own, { amount: 100, reference: "unpaid", customerRequest });
    await payOnce(own, { amount: 200, reference: "not stored", customerRequest });
    await payOnce(own, { amount: 14_451, reference: "declined", customerRequest });
    await storedCard(own, { amount: 300, reference: "stored", customerRequest });
    await payOnce(own, {
      amount: 400,
      reference: "of another payer",
      customerRequest: { email: "g@shop.example" },
    });
    const query = "?q=given@SHOP.example";
    const paid = ["stored", "declined", "not stored"];
    assert.deepEqual(await walked(`/transactions${query}`), paid);
    assert.deepEqual(await walked(`/payment-requests${query}`), [...paid, "unpaid"]);
    assert.match(await page(`/transactions${query}`), /class="totals"><span>3 transactions/);
    assert.match(await page(`/payment-requests${query}&status=unpaid`), /class="totals"><span>2 payment/);
  });

  test("of a customer with many payments, also with a filter", async () => {
    const { id: customerId } = await storedCard(own, {
      reference: "month-0",
      customerRequest: { email: "member@shop.example" },
    });
    const [first] = ok(await callApi(own, "GET", `/transactions?customerid=${customerId}`)).transactions;
    const newest = Date.parse(first.createdDateTime);
    const [requests, transactions] = (["paymentRequest", "transaction"] as const).map((noun) =>
      Array.from({ length: 1_200 }, (_, at) => newId(noun, instant(newest - (at + 1) * 60_000))),
    );
    // Each is a copy of the first payment; the oldest one is declined.
    for (const [table, id, change, last] of [
      [
        "payment_requests",
        first.paymentRequestId,
        "'id', n.request, 'approved_transaction_id', n.transaction",
        { approved_transaction_id: null, customer_id: null, payment_instrument_id: null },
      ],
      [
        "transactions",
        first.id,
        "'id', n.transaction, 'payment_request_id', n.request",
        { status: "declined", code: "D04451", capture_status: null, captured: 0, fee: 0 },
      ],
    ] as const)
      await gateway.database.rows(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${change}, 'reference', 'month-' || n.at)
           || case when n.at = 1200 then $4::jsonb else '{}' end)).*
         from ${table} t
         cross join unnest($2::text[], $3::text[]) with ordinality as n (request, transaction, at) where t.id = $1`,
        [id, requests, transactions, JSON.stringify(last)],
      );
    const query = "?q=member@shop.example";
    for (const [list, rows, word] of [
      ["transactions", "transactions", "declined"],
      ["payment-requests", "payment requests", "unpaid"],
    ] as const) {
      assert.ok((await page(`/${list}${query}`)).includes(`class="totals"><span>1,201 ${rows}<`), list);
      const lines = await filed(`/${list}.csv${query}`);
      assert.equal(lines.length, 1_202);
      assert.equal(lines.at(-1)?.[7], "1201 rows");
      assert.deepEqual(await walked(`/${list}${query}&status=${word}`), ["month-1200"]);
    }
    const all = await walked(`/payment-requests${query}&sort=created`);
    assert.deepEqual([all.length, new Set(all).size, all[0]], [1_201, 1_201, "month-1200"]);
  });
});

describe("lists are sorted and added up", () => {
  const total = (page: string) =>
    (/<p class="totals">(.*?)<\/p>/s.exec(page)?.[1] ?? "")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();

  test("by amount, reference and age, in both directions, over several pages", async () => {
    for (let at = 0; at < 30; at += 1)
      await createRequest(shop, { amount: 50_000 + ((at * 7) % 30), reference: `sorted-${100 + at}` });
    const amounts = async (query: string) => {
      const all: number[] = [];
      let path: string | undefined = `/payment-requests?status=unpaid&${query}`;
      while (path !== undefined) {
        const page = await shown(path);
        all.push(
          ...[...page.matchAll(/<td class="number">\$([\d,.]+)/g)].map(([, text = ""]) =>
            Math.round(100 * Number(text.replace(",", ""))),
          ),
        );
        path = /rel="next" href="[^"]*(\/payment-requests[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
      }
      return all;
    };
    const up = await amounts("sort=amount");
    assert.ok(up.length > 30);
    assert.deepEqual(
      up,
      [...up].sort((one, other) => one - other),
    );
    assert.deepEqual(await amounts("sort=-amount"), [...up].reverse());
    const oldest = namesOf(await shown("/payment-requests?q=&sort=created"));
    assert.equal(oldest[0], "paid", "the first request of this merchant");
    const names = namesOf(await shown("/payment-requests?sort=-reference"));
    assert.deepEqual(names, [...names].sort().reverse());
    const first = await shown("/payment-requests?sort=-amount");
    const second = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const back = /rel="prev" href="([^"]*)"/
      .exec((await viewer.get(second)).text)?.[1]
      ?.replaceAll("&amp;", "&");
    assert.deepEqual(namesOf((await viewer.get(back ?? "")).text), namesOf(first), "back to the first page");
    assert.match(first, /aria-sort="descending"><a href="[^"]*sort=amount">Amount/);
  });

  test("an unknown order is the usual one", async () => {
    for (const sort of ["nonsense", "-details", "amount;drop", "id", "__proto__", "-constructor"])
      assert.deepEqual(
        namesOf(await shown(`/transactions?sort=${encodeURIComponent(sort)}`)),
        namesOf(await shown("/transactions")),
      );
  });

  test("what is filtered is added up by currency; an unfiltered list is not", async () => {
    await payOnce(shop, { amount: 1100, reference: "sum" });
    await payOnce(shop, { amount: 2200, reference: "sum" });
    await payOnce(shop, { amount: 50, reference: "sum", currencyCode: "NZD" });
    await payOnce(shop, { amount: 14_451, reference: "sum" });
    assert.equal(
      total(await shown("/transactions?q=sum&status=paid")),
      "3 transactions Amount $33.00 AUD Captured $33.00 AUD Amount $0.50 NZD Captured $0.50 NZD",
    );
    assert.match(total(await shown("/payment-requests?q=sum")), /^4 payment requests Amount \$177\.51 AUD/);
    assert.equal(total(await shown("/transactions")), "");
    assert.equal(total(await shown("/transactions?sort=amount")), "");
  });
});

describe("every list is searched and sorted", () => {
  test("disputes and payouts by their amount", async () => {
    await disputeOf(shop, { reference: "second dispute" });
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const disputes = await shown("/disputes?q=144.90&sort=-amount");
    assert.ok(namesOf(disputes).includes("second dispute"));
    assert.match(disputes, /aria-sort="descending"><a href="[^"]*sort=amount[^"]*">Amount</);
    assert.match(await shown("/disputes?q=144.91"), /No results/);
    const amountOf = (page: string) => /<strong>\$([\d,.-]+)<\/strong> AUD/.exec(page)?.[1];
    const payouts = await shown("/payouts?sort=-amount");
    assert.match(payouts, /aria-sort="descending"><a[^>]*>Paid out</);
    const first = /href="([^"]*\/payouts\/po_\w+)"/.exec(payouts)?.[1] ?? "";
    const amount = amountOf((await viewer.get(first)).text) ?? "";
    assert.ok((await shown(`/payouts?q=${amount}`)).includes(first), amount);
    assert.match(await shown("/payouts?q=0.07"), /No results/);
  });

  test("a search without results leads to the other lists with the same words", async () => {
    const page = await shown("/payment-requests?q=4444&status=paid");
    assert.match(page, /No results/);
    const href = /Search for “4444” in[\s\S]*?<a href="([^"]*)">transactions</.exec(page)?.[1];
    assert.equal(href, `${base}/transactions?q=4444`);
    assert.ok(namesOf((await viewer.get(href ?? "")).text).includes("disputed"));
    assert.doesNotMatch(page, />payment requests<\/a>[^<]*<a[^>]*>transactions/, "not to itself");
    assert.doesNotMatch(await shown("/payment-requests?status=partly+paid"), /Search for/);
  });

  for (const list of [
    "payment-requests",
    "transactions",
    "refunds",
    "disputes",
    "customers",
    "payouts",
    "events",
  ]) {
    test(`${list} are searched for anything without an error`, async () => {
      for (const searched of ["a%00b", "%ff", "99999999999999999999", "-1", "1e9", "'", "a".repeat(2_000)])
        assert.match(await shown(`/${list}?q=${searched}`), /No results/, searched);
      assert.doesNotMatch(await shown(`/${list}?q=<script>x`), /<script>x/);
    });
  }

  test("events show the reference first and are found by the id of their record", async () => {
    const { transactionId, requestId } = await payOnce(shop, { amount: 100, reference: "order <9>" });
    const page = await shown(`/events?q=${transactionId}`);
    assert.equal(page.match(/>order &lt;9&gt;<\/a>/g)?.length, 2);
    assert.match(page, /2 events/);
    assert.match(page, /data-copy-text="evt_\w+"/);
    assert.doesNotMatch(page, new RegExp(requestId));
    assert.match(await shown(`/events?q=${transactionId}&event=payment_requests`), /No results/);
    assert.match(await shown(`/events?q=${transactionId}&delivery=failed`), /No results/);
    assert.match(await shown("/events?q=order"), /No results/);
    const bare = ok(await callApi(shop, "POST", "/customers", { name: "Ana", email: "ana@x.example" })) as {
      id: string;
    };
    assert.match(await shown(`/events?q=${bare.id}`), />cus_…\w{6}<\/a>/, "without a reference");
    const id = /data-copy-text="(evt_\w+)"/.exec(page)?.[1] ?? "";
    assert.equal((await viewer.get(`${base}/events?q=${id}`)).goTo, `${base}/events/${id}`);
    const file = await shown(`/events.csv?q=${transactionId}`);
    assert.equal(
      file
        .trim()
        .split("\r\n")
        .filter((line) => line.includes(transactionId)).length,
      2,
    );
  });

  test("a long reference stays readable for the pointer", async () => {
    const reference = `order ${"long ".repeat(8)}`.trim();
    await payOnce(shop, { amount: 100, reference });
    assert.ok((await shown("/transactions")).includes(`title="${reference}">${reference}</a>`));
  });
});

describe("the overview leads to lists of what it counts", () => {
  test("open requests are the open ones, and declines those of the period", async () => {
    const page = await shown("?period=7d");
    const open = Number(/\?state=created">(\d+) request/.exec(page)?.[1]);
    const list = await shown("/payment-requests?state=created");
    assert.equal(/class="totals"><span>(\d+) payment request/.exec(list)?.[1], String(open));
    assert.deepEqual(namesOf(await shown("/payment-requests?state=created&q=open")), ["open"]);
    assert.match(await shown("/payment-requests?state=created&q=declined"), /No results/, "unpaid, not open");
    const href = /href="([^"]*result=declined[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    assert.match(href, /&from=\d{4}-\d{2}-\d{2}$/);
    assert.ok(namesOf((await viewer.get(href)).text).includes("declined"));
  });

  test("debits in processing have an amount for each currency", async () => {
    const merchant = await gateway.newMerchant();
    const owner = await signedIn(gateway, { role: "admin", merchantId: merchant.id });
    const own = shopOf(gateway, merchant.key);
    const inProcessing = async () =>
      /Debits in processing<\/dt><dd>(.*?)<\/dd>/
        .exec((await owner.get(`/dashboard/${merchant.id}`)).text)?.[1]
        ?.replace(/<[^>]*>/g, "");
    const [australian, other] = [
      await debit(own, 1_000),
      await debit(own, 1_050, await storedAccount(own, NZ_ACCOUNT)),
    ];
    await runSettlements(own);
    for (const { id } of [australian, other]) await whenStatus(own, id, "approved");
    assert.equal(await inProcessing(), "None");
    /** A copy that stays pending: no job knows it. */
    const copy = ({ id }: { readonly id: string }) =>
      gateway.database.rows(
        `insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', t.id || 'x', 'status', 'pending',
           'phase', 'waiting', 'code', null, 'capture_status', null, 'captured', 0, 'fee', 0))).*
         from transactions t where t.id = $1`,
        [id],
      );
    await copy(australian);
    assert.equal(await inProcessing(), "1 debit, $10.00 AUD");
    await copy(other);
    assert.equal(await inProcessing(), "2 debits, $10.00 AUD, $10.50 NZD");
  });
});

describe("saved filters", () => {
  const save = async (visitor: Visitor, query: string, name: string, list = "transactions") => {
    await visitor.get(`${base}/${list}?${query}`);
    return visitor.follow(await visitor.submit(`${base}/${list}/filters`, { name }));
  };

  test("a user saves a filter under a name, uses it and deletes it; others don't see it", async () => {
    const saved = await save(viewer, "status=declined&before=txn_x&sort=-amount&colour=red", "Lost <sales>");
    assert.match(saved.text, /The filter is saved as “Lost &lt;sales&gt;”/);
    const list = await shown("/transactions");
    const href = /class="saved-filter" href="([^"]*)">Lost &lt;sales&gt;/
      .exec(list)?.[1]
      ?.replaceAll("&amp;", "&");
    assert.equal(href, `${base}/transactions?sort=-amount&status=declined`);
    assert.ok(namesOf((await viewer.get(href ?? "")).text).includes("declined"));
    assert.doesNotMatch(await shown("/refunds"), /Lost/);
    const admin = await signedIn(gateway, { role: "admin", merchantId });
    assert.doesNotMatch(await shown("/transactions", admin), /Lost/);
    await viewer.get(href ?? "");
    const gone = await viewer.follow(await viewer.submit(`${base}/transactions/filters/delete`));
    assert.match(gone.text, /The filter is deleted/);
    assert.doesNotMatch(gone.text, /Lost/);
  });

  test("a name is replaced, and has 1 to 40 characters", async () => {
    await save(viewer, "status=paid", "N".repeat(40));
    await save(viewer, "status=declined", "N".repeat(40));
    const list = await shown("/transactions");
    assert.equal(list.match(/N{40}/g)?.length, 1);
    assert.match(list, /status=declined">N{40}/);
    for (const name of ["", "   ", "N".repeat(41)])
      assert.match((await save(viewer, "status=paid", name)).text, /Type a name of 1 to 40 characters/);
  });

  test("a filter with a card number is not saved", async () => {
    for (const [query, name] of [
      ["q=4111111111111111", "By number"],
      ["q=4111%201111+1111+1111", "By number"],
      ["q=1111", "4111 1111 1111 1111"],
    ] as const)
      assert.match((await save(viewer, query, name)).text, /Remove the card number/);
    assert.match((await save(viewer, "q=1111", "By number")).text, /is saved as/);
  });

  test("a list has at most 20, and removing the user removes them", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId, email: "saver@shop.example" });
    for (let at = 1; at <= 20; at += 1) await save(admin, `status=paid&q=${at}`, `Filter ${at}`, "refunds");
    assert.match((await save(admin, "q=x", "Filter 21", "refunds")).text, /at most 20 saved filters/);
    assert.match((await save(admin, "q=x", "Filter 20", "refunds")).text, /is saved as/);
    assert.equal((await shown("/refunds", admin)).match(/class="saved-filter"/g)?.length, 20);
    const rows = await gateway.database.rows<{ n: number }>(
      "select count(*)::int as n from dashboard_filters where user_id = (select id from dashboard_users where email = $1)",
      ["saver@shop.example"],
    );
    assert.equal(rows[0]?.n, 20);
  });
});
