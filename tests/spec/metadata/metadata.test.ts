import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { eventsOf, getTransaction, ok, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { payIdShop } from "../../support/payid.ts";
import { CHECKOUT, HOSTED_PAGE } from "../../support/request-bodies.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
});
after(() => assertInvariantsAndStop(gateway));

const PAIRS = { order: "1001", "Cost.Centre-7": "Süd 🐢", empty: "", order_: "x" };
const ANN = { name: "Ann Lee", email: "ann@example.com" };
const ACCOUNT = { accountName: "Ann Lee", bsb: "062000", number: "12345678" };
const create = async (path: string, body: object) => ok(await gateway.post(path, body));
const newCustomer = async (more: object = {}) => create("/customers", { ...ANN, ...more });
const newAccount = async (more: object = {}) => {
  const { id } = await newCustomer();
  return create(`/customers/${id}/paymentinstruments`, { bankAccount: ACCOUNT, ...more });
};
const pairsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

describe("contract 2: metadata is answered and in events", () => {
  test("of payment requests of every flow, also when read and listed", async () => {
    const payId = { payment: { amount: 3000, instrument: { payId: { type: "single", value: "meta-1" } } } };
    for (const body of [CHECKOUT, HOSTED_PAGE, payId]) {
      const made = await create("/paymentrequests", { ...body, metadata: PAIRS });
      assert.deepEqual(made.metadata, PAIRS);
      assert.deepEqual(
        Object.keys(made.metadata),
        Object.keys(PAIRS),
        "in the order in which they were sent",
      );
      assert.deepEqual((await gateway.get(`/paymentrequests/${made.id}`)).body.metadata, PAIRS);
      assert.deepEqual(
        (await gateway.get("/paymentrequests?limit=1")).body.paymentRequests[0].metadata,
        PAIRS,
      );
      for (const event of await eventsOf(shop, made.id)) assert.deepEqual(event.payload.metadata, PAIRS);
    }
  });

  test("a checkout's transaction inherits its request's, a refund has its own", async () => {
    const { transactionId } = await payOnce(shop, { metadata: PAIRS });
    assert.deepEqual((await getTransaction(shop, transactionId)).metadata, PAIRS);
    const events = await eventsOf(shop, transactionId);
    assert.ok(events.length > 0);
    for (const event of events) assert.deepEqual(event.payload.metadata, PAIRS);
    const path = `/transactions/${transactionId}/refunds`;
    const refund = await create(path, { payment: { amount: 1 }, metadata: { why: "broken" } });
    assert.deepEqual(refund.metadata, { why: "broken" });
    assert.deepEqual((await gateway.get(`${path}/${refund.id}`)).body, refund);
    assert.deepEqual((await eventsOf(shop, refund.id))[0].payload.metadata, { why: "broken" });
    assert.ok(!("metadata" in (await create(path, { payment: { amount: 1 } }))));
  });

  test("a PayID's transaction inherits its request's", async () => {
    const payIds = payIdShop(gateway);
    const { id, payId } = await payIds.request({ metadata: PAIRS });
    await payIds.pay(payId, 3000);
    const { transactionResult } = await payIds.read(id);
    assert.deepEqual((await payIds.transaction(transactionResult.id)).metadata, PAIRS);
  });

  test("of a charge", async () => {
    const stored = await storedCard(shop, { metadata: { from: "request" } });
    const charged = await create("/transactions", { ...chargeOf(stored), metadata: PAIRS });
    assert.deepEqual(charged.metadata, PAIRS);
    const plain = await create("/transactions", chargeOf(stored));
    assert.ok(!("metadata" in plain));
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    assert.ok(!("metadata" in (await gateway.get(path)).body), "the stored card has none");
    assert.deepEqual(ok(await gateway.put(path, { metadata: { bankName: "Mine" } })).metadata, {
      bankName: "Mine",
    });
  });

  test("PUT of a customer replaces all pairs, the same pairs are no change, and no pairs remove them", async () => {
    const { id, metadata } = await newCustomer({ metadata: PAIRS });
    assert.deepEqual(metadata, PAIRS);
    const put = async (body: object) => ok(await gateway.put(`/customers/${id}`, body));
    assert.deepEqual((await put({ name: "Ann" })).metadata, PAIRS);
    assert.deepEqual((await put({ metadata: { b: "2", a: "1" } })).metadata, { b: "2", a: "1" });
    const { length } = await eventsOf(shop, id);
    assert.deepEqual((await put({ metadata: { a: "1", b: "2" } })).metadata, { b: "2", a: "1" });
    assert.equal((await eventsOf(shop, id)).length, length);
    assert.ok(!("metadata" in (await put({ metadata: {} }))));
    const events = await eventsOf(shop, id);
    assert.equal(events.length, length + 1);
    assert.ok(!("metadata" in events.at(-1).payload));
    assert.deepEqual((await put({ metadata: { back: "again" } })).metadata, { back: "again" });
  });

  test("a bank account's bankName stands beside the merchant's pairs and can't be changed", async () => {
    const bankName = "Commonwealth Bank";
    const made = await newAccount({ metadata: { plan: "a" } });
    assert.deepEqual(made.metadata, { plan: "a", bankName });
    const path = `/customers/${made.customerId}/paymentinstruments/${made.id}`;
    assert.deepEqual(ok(await gateway.put(path, { metadata: { plan: "b" } })).metadata, {
      plan: "b",
      bankName,
    });
    assert.deepEqual(ok(await gateway.put(path, { metadata: { x: "y", bankName } })).metadata, {
      x: "y",
      bankName,
    });
    const changed = await gateway.put(path, { metadata: { bankName: "Mine" } });
    assertRefused(changed, 400, ["V12303", "/metadata/bankName"]);
    assert.deepEqual((await gateway.get(path)).body.metadata, { x: "y", bankName });
    assert.deepEqual(ok(await gateway.put(path, { metadata: {} })).metadata, { bankName });
    const { id } = await newCustomer();
    const body = { bankAccount: ACCOUNT, metadata: { bankName: "Mine" } };
    const all = `/customers/${id}/paymentinstruments`;
    assertRefused(await gateway.post(all, body), 400, ["V12303", "/metadata/bankName"]);
    assert.equal((await gateway.get(all)).body.count, 0);
  });
});

describe("contract 2: a bank account with all 20 pairs", () => {
  test("can be sent back as it was read; 21 pairs of the merchant's own are refused", async () => {
    const made = await newAccount({ metadata: pairsOf(20) });
    assert.equal(Object.keys(made.metadata).length, 21);
    const path = `/customers/${made.customerId}/paymentinstruments/${made.id}`;
    const { metadata, reference } = made;
    assert.deepEqual(ok(await gateway.put(path, { metadata, reference })), made);
    assert.deepEqual(ok(await gateway.put(path, { metadata, reference: "x" })).metadata, metadata);
    const copy = await newAccount({ metadata });
    assert.deepEqual(copy.metadata, metadata);
    const all = `/customers/${made.customerId}/paymentinstruments`;
    for (const tooMany of [pairsOf(21), { ...pairsOf(21), bankName: metadata.bankName }]) {
      assertRefused(await gateway.put(path, { metadata: tooMany }), 400, ["V12300", "/metadata"]);
      const account = { bankAccount: ACCOUNT, metadata: tooMany };
      assertRefused(await gateway.post(all, account), 400, ["V12300", "/metadata"]);
    }
    assert.deepEqual((await gateway.get(path)).body.metadata, metadata);
  });

  test("of a stored card 20 pairs are taken and 21 refused, bankName among them", async () => {
    const stored = await storedCard(shop);
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    const full = { ...pairsOf(19), bankName: "Mine" };
    assert.deepEqual(ok(await gateway.put(path, { metadata: full })).metadata, full);
    const metadata = { ...pairsOf(20), bankName: "Mine" };
    assertRefused(await gateway.put(path, { metadata }), 400, ["V12300", "/metadata"]);
  });
});

describe("contract 2: the limits of metadata", () => {
  const send = (metadata: unknown) => gateway.post("/customers", { ...ANN, metadata });

  for (const [what, metadata] of [
    ["20 pairs", pairsOf(20)],
    ["a key of 40 characters", { ["k".repeat(40)]: "v" }],
    ["every character of a key", { "AZaz09_.-": "v" }],
    ["a value of 500 characters beyond the basic plane", { k: "🐢".repeat(500) }],
    ["an empty value", { k: "" }],
    ["names of methods", { toString: "a", hasOwnProperty: "b", proto: "c", Constructor: "d" }],
  ] as const) {
    test(`takes ${what}`, async () => {
      const { metadata: answered } = ok(await send(metadata));
      assert.deepEqual(answered, metadata);
    });
  }

  for (const [what, metadata, code, field] of [
    ["21 pairs", pairsOf(21), "V12300", "/metadata"],
    ["a list", ["a"], "V12300", "/metadata"],
    ["null", null, "V12300", "/metadata"],
    ["a text", "order=1", "V12300", "/metadata"],
    ["a key of 41 characters", { ["k".repeat(41)]: "v" }, "V12301", `/metadata/${"k".repeat(41)}`],
    ["an empty key", { "": "v" }, "V12301", "/metadata/"],
    ["a key with a space", { "a b": "v" }, "V12301", "/metadata/a b"],
    ["a key with a bracket", { "a]": "v" }, "V12301", "/metadata/a]"],
    ["a key with a slash", { "a/b": "v" }, "V12301", "/metadata/a~1b"],
    ["constructor", { constructor: "v" }, "V12301", "/metadata/constructor"],
    ["prototype", { prototype: "v" }, "V12301", "/metadata/prototype"],
    ["a value of 501 characters", { k: "🐢".repeat(501) }, "V12302", "/metadata/k"],
    ["a control character", { k: "a\nb" }, "V12302", "/metadata/k"],
    ["a number", { k: 1 }, "V12302", "/metadata/k"],
    ["an object", { k: {} }, "V12302", "/metadata/k"],
    ["a null", { k: null }, "V12302", "/metadata/k"],
  ] as const) {
    test(`refuses ${what}`, async () => assertRefused(await send(metadata), 400, [code, field]));
  }

  test("refuses __proto__, which JavaScript alone would hide", async () => {
    const body = `{"name":"Ann","email":"ann@example.com","metadata":{"__proto__":"v"}}`;
    assertRefused(await gateway.post("/customers", body), 400, ["V12301", "/metadata/__proto__"]);
  });

  test("names every wrong pair at once, beside other problems, and stores nothing", async () => {
    const before = await gateway.database.rows("select count(*) from customers");
    const wrong = { "a b": "v", c: "a\u0000", d: "fine" };
    const answer = await gateway.post("/customers", { name: "", email: ANN.email, metadata: wrong });
    assertRefused(answer, 400, ["V11800", "/name"], ["V12301", "/metadata/a b"], ["V12302", "/metadata/c"]);
    assert.deepEqual(await gateway.database.rows("select count(*) from customers"), before);
  });

  test("holds for requests, charges, refunds and instruments, too", async () => {
    const { transactionId } = await payOnce(shop);
    const { customerId, id } = await newAccount();
    const bad = { metadata: { k: 1 } };
    const instrument = `/customers/${customerId}/paymentinstruments`;
    const charge = chargeOf({ id: customerId, paymentInstrumentId: id });
    for (const answer of [
      await gateway.post("/paymentrequests", { ...CHECKOUT, ...bad }),
      await gateway.post("/transactions", { ...charge, ...bad }),
      await gateway.post(`/transactions/${transactionId}/refunds`, bad),
      await gateway.post(instrument, { bankAccount: ACCOUNT, ...bad }),
      await gateway.put(`${instrument}/${id}`, bad),
      await gateway.put(`/customers/${customerId}`, bad),
    ])
      assertRefused(answer, 400, ["V12302", "/metadata/k"]);
    assertRefused(
      await gateway.post(`/transactions/${transactionId}/capture`, { metadata: { k: "v" } }),
      400,
      ["V11003", "/metadata"],
    );
  });
});

describe("contract 2: lists take metadata[key]=value", () => {
  const idsIn = async (path: string, name: string) =>
    ok(await gateway.get(path))[name].map(({ id }: { id: string }) => id);

  test("for one pair, case-sensitive, newest first, page by page", async () => {
    const made: string[] = [];
    for (const at of [1, 2, 3])
      made.unshift(
        (await create("/paymentrequests", { ...CHECKOUT, metadata: { Batch: "7", at: `${at}` } })).id,
      );
    const list = (filter: string) => idsIn(`/paymentrequests?${filter}`, "paymentRequests");
    assert.deepEqual(await list("metadata[Batch]=7"), made);
    assert.deepEqual(await list("Metadata%5BBatch%5D=7"), made);
    assert.deepEqual(await list("metadata[at]=2&status=created"), [made[1]]);
    for (const other of [
      "metadata[batch]=7",
      "metadata[Batch]=70",
      "metadata[Batch]=",
      "metadata[Batch]=7&status=expired",
    ])
      assert.deepEqual(await list(other), [], other);
    assert.deepEqual(await list(`metadata[Batch]=7&reference=${made[2]}`), [made[2]]);
    assert.deepEqual(await list(`metadata[Batch]=7&status=created&reference=${made[2]}`), [made[2]]);
    const first = ok(await gateway.get("/paymentrequests?metadata[Batch]=7&limit=2"));
    assert.equal(first.count, 2);
    const rest = await list(`metadata[Batch]=7&limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual([...first.paymentRequests.map(({ id }: { id: string }) => id), ...rest], made);
  });

  test("of every kind of resource, each in its own list", async () => {
    const metadata = { everywhere: "yes & no=maybe" };
    const filter = `metadata[everywhere]=${encodeURIComponent(metadata.everywhere)}`;
    const { requestId, transactionId } = await payOnce(shop, { metadata });
    const refunds = `/transactions/${transactionId}/refunds`;
    await create(refunds, { payment: { amount: 1 } });
    const refund = await create(refunds, { payment: { amount: 1 }, metadata });
    const customer = await newCustomer({ metadata });
    const instruments = `/customers/${customer.id}/paymentinstruments`;
    await create(instruments, { bankAccount: ACCOUNT });
    const instrument = await create(instruments, { bankAccount: ACCOUNT, metadata });
    await newAccount({ metadata });
    assert.deepEqual(await idsIn(`/paymentrequests?${filter}`, "paymentRequests"), [requestId]);
    assert.deepEqual(await idsIn(`/transactions?${filter}`, "transactions"), [transactionId]);
    assert.deepEqual(await idsIn(`/transactions?${filter}&status=approved`, "transactions"), [transactionId]);
    assert.deepEqual(await idsIn(`/transactions?${filter}&status=declined`, "transactions"), []);
    assert.deepEqual(await idsIn(`${refunds}?${filter}`, "refunds"), [refund.id]);
    assert.deepEqual(await idsIn(`/customers?${filter}`, "customers"), [customer.id]);
    assert.deepEqual(await idsIn(`${instruments}?${filter}`, "paymentInstruments"), [instrument.id]);
  });

  test("follows a change: the old pairs are gone, the new ones found; bankName is found, too", async () => {
    const { id, customerId } = await newAccount({ metadata: { old: "1", kept: "1" } });
    const all = `/customers/${customerId}/paymentinstruments`;
    ok(await gateway.put(`${all}/${id}`, { metadata: { kept: "1", new: "1" } }));
    const list = (filter: string) => idsIn(`${all}?metadata[${filter}`, "paymentInstruments");
    assert.deepEqual([await list("old]=1"), await list("kept]=1"), await list("new]=1")], [[], [id], [id]]);
    assert.deepEqual(await list("bankName]=Commonwealth Bank"), [id]);
    assert.deepEqual(await list("bankName]=Other"), []);
    ok(await gateway.call(`${all}/${id}`, { method: "DELETE" }));
    assert.deepEqual(await list("kept]=1"), []);
    const customer = await newCustomer({ metadata: { phase: "one" } });
    ok(await gateway.put(`/customers/${customer.id}`, { metadata: { phase: "two" } }));
    assert.deepEqual(await idsIn("/customers?metadata[phase]=one", "customers"), []);
    assert.deepEqual(await idsIn("/customers?metadata[phase]=two", "customers"), [customer.id]);
    ok(await gateway.put(`/customers/${customer.id}`, { metadata: {} }));
    assert.deepEqual(await idsIn("/customers?metadata[phase]=two", "customers"), []);
  });

  test("shows nothing of another merchant (I18)", async () => {
    const { key } = await gateway.newMerchant();
    await newCustomer({ metadata: { whose: "mine" } });
    const seen = await gateway.get("/customers?metadata[whose]=mine", { key });
    assert.deepEqual(
      [ok(seen).count, (await gateway.get("/customers?metadata[whose]=mine")).body.count],
      [0, 1],
    );
  });

  for (const [query, field] of [
    ["metadata=x", "/metadata"],
    ["metadata[a]=1&metadata[b]=2", "/metadata"],
    ["metadata=x&metadata[a]=1", "/metadata"],
    ["metadata[a]=1&Metadata=x", "/metadata"],
    ["metadata[a]=1&metadata[a]=2", "/metadata/a"],
    ["metadata[]=1", "/metadata/"],
    ["metadata[a%20b]=1", "/metadata/a b"],
    ["metadata[__proto__]=1", "/metadata/__proto__"],
    ["metadata[a]=%00", "/metadata/a"],
    [`metadata[a]=${"v".repeat(501)}`, "/metadata/a"],
  ] as const) {
    test(`refuses ${query.slice(0, 40)}`, async () =>
      assertRefused(await gateway.get(`/customers?${query}`), 400, ["V12310", field]));
  }

  test("refuses it where there is no list", async () => {
    const { id } = await newCustomer();
    assertRefused(await gateway.get(`/customers/${id}?metadata[a]=1`), 400, ["V11004", "/metadata"]);
  });
});
