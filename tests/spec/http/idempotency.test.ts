import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { type Answer, startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { exchange } from "../../support/raw-http.ts";
import { CHECKOUT, NO_SUCH_ID } from "../../support/request-bodies.ts";

let gateway: TestGateway;
let used = 0;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const newKey = () => {
  used += 1;
  return `key-${used}`;
};
const withKey = (key: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "x-idempotency-key": key, ...more },
});
const create = (key: string, body: unknown = CHECKOUT) =>
  gateway.post("/paymentrequests", body, withKey(key));
const count = async (table: string) =>
  Number((await gateway.database.rows<{ count: string }>(`select count(*) from ${table}`))[0]?.count);
const isKeyUsed = async (key: string) =>
  (await gateway.database.rows("select 1 from idempotency_keys where key = $1", [key])).length === 1;

function assertRepeat(
  answer: Answer,
  original: { requestId: string | null; id: string | null; location: string | null },
) {
  assertRefused(answer, 409, "V10018");
  assert.deepEqual(answer.body.original, { ...original, status: "done" });
  assert.deepEqual(Object.keys(answer.body).sort(), ["original", "result"]);
  assert.equal(answer.body.result.mode, "sandbox");
}

/** Everything in the database that a request could change. */
const state = async () => ({
  requests: await gateway.database.rows("select id, status, updated_at from payment_requests order by id"),
  events: await count("events"),
  tokens: await count("one_time_tokens"),
  jobs: await count("jobs"),
  keys: await count("idempotency_keys"),
  merchants: await gateway.database.rows(
    "select id, name, clock_offset_ms, updated_at from merchants order by id",
  ),
});

describe("contract 2: a repeat has no effect and names what the first request created", () => {
  test("create", async () => {
    const key = newKey();
    const first = await gateway.post("/paymentrequests", CHECKOUT, withKey(key, { "x-request-id": "first" }));
    assert.equal(first.status, 200);
    const { id } = first.body;
    const before = await state();
    const location = `${gateway.baseUrl}/paymentrequests/${id}`;
    const original = { requestId: "first", id, location };
    assertRepeat(await create(key), original);
    assertRepeat(await create(key, { ...CHECKOUT, payment: { amount: 1 } }), original);
    assertRepeat(await create(key), original);
    assert.deepEqual(await state(), before);
    const found = await gateway.get(new URL(location).pathname);
    assert.equal(found.body.id, id);
  });

  test("cancel", async () => {
    const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    const key = newKey();
    const first = await gateway.post(`/paymentrequests/${id}/cancel`, undefined, withKey(key));
    assert.equal(first.body.paymentRequestStatus, "cancelled");
    const before = await state();
    const again = await gateway.post(`/paymentrequests/${id}/cancel`, undefined, withKey(key));
    const location = `${gateway.baseUrl}/paymentrequests/${id}`;
    assertRepeat(again, { requestId: first.headers.get("x-request-id"), id, location });
    assert.deepEqual(await state(), before);
  });

  test("token: the repeat returns the token's id but not its secret", async () => {
    const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    const key = newKey();
    const body = { scope: "payui", paymentRequestId: id };
    const first = await gateway.post("/tokens", body, withKey(key));
    assert.equal(first.status, 200);
    const before = await state();
    const again = await gateway.post("/tokens", body, withKey(key));
    const rows = await gateway.database.rows<{ id: string }>(
      "select id from one_time_tokens where payment_request_id = $1",
      [id],
    );
    assertRepeat(again, {
      requestId: first.headers.get("x-request-id"),
      id: rows[0]?.id ?? "",
      location: null,
    });
    assert.equal(JSON.stringify(again.body).includes(first.body.token), false);
    assert.deepEqual(await state(), before);
  });

  test("account", async () => {
    const key = newKey();
    const first = await gateway.put("/management/account", { name: "Once" }, withKey(key));
    assert.equal(first.status, 200);
    const before = await state();
    const again = await gateway.put("/management/account", { name: "Twice" }, withKey(key));
    const location = `${gateway.baseUrl}/management/account`;
    assertRepeat(again, { requestId: first.headers.get("x-request-id"), id: first.body.id, location });
    assert.deepEqual(await state(), before);
    assert.equal((await gateway.get("/management/account")).body.name, "Once");
  });

  test("clock", async () => {
    const key = newKey();
    const first = await gateway.post("/sandbox/clock/advance", { seconds: 10 }, withKey(key));
    assert.equal(first.status, 200);
    const before = await state();
    const again = await gateway.post("/sandbox/clock/advance", { seconds: 10 }, withKey(key));
    assertRepeat(again, { requestId: first.headers.get("x-request-id"), id: null, location: null });
    assert.deepEqual(await state(), before);
  });

  test("a key used on one path is used on every path", async () => {
    const key = newKey();
    const { id } = (await create(key)).body;
    const before = await state();
    const body = { scope: "payui", paymentRequestId: id };
    for (const answer of [
      await gateway.post("/tokens", body, withKey(key)),
      await gateway.post(`/paymentrequests/${id}/cancel`, undefined, withKey(key)),
      await gateway.put("/management/account", { name: "x" }, withKey(key)),
      await gateway.post("/sandbox/clock/advance", { seconds: 1 }, withKey(key)),
      // Also where the resource does not exist, which without the key is 404.
      await gateway.post(`/paymentrequests/${NO_SUCH_ID}/cancel`, undefined, withKey(key)),
      await gateway.post("/paymentrequests/x/cancel", undefined, withKey(key)),
      await gateway.post("/transactions/x/refunds", undefined, withKey(key)),
      await gateway.call("/webhooks/x", { method: "DELETE", ...withKey(key) }),
      await gateway.post("/sandbox/payid/transfers", { payId: "x@y.example", amount: 1 }, withKey(key)),
    ]) {
      assertRefused(answer, 409, "V10018");
      assert.equal(answer.body.original.id, id);
    }
    assert.deepEqual(await state(), before);
  });

  test("another merchant's identical key is independent", async () => {
    const other = await gateway.newMerchant();
    const key = newKey();
    const mine = await create(key);
    const theirs = await gateway.post("/paymentrequests", CHECKOUT, { ...withKey(key), key: other.key });
    assert.equal(mine.status, 200);
    assert.equal(theirs.status, 200);
    const again = await gateway.post("/paymentrequests", CHECKOUT, { ...withKey(key), key: other.key });
    assert.equal(again.body.original.id, theirs.body.id);
  });

  test("without a key every request takes effect", async () => {
    const [one, two] = [
      await gateway.post("/paymentrequests", CHECKOUT),
      await gateway.post("/paymentrequests", CHECKOUT),
    ];
    assert.notEqual(one.body.id, two.body.id);
  });

  test("reads ignore the key, whatever its value", async () => {
    const key = newKey();
    await create(key);
    assert.equal((await gateway.get("/paymentrequests", withKey(key))).status, 200);
    assert.equal(
      (await gateway.get("/events", withKey("not allowed", { "idempotency-key": "other" }))).status,
      200,
    );
    const unused = newKey();
    assert.equal((await gateway.get("/events", withKey(unused))).status, 200);
    assert.equal(await isKeyUsed(unused), false);
  });
});

describe("contract 2: the header of an idempotency key", () => {
  test("both header names are equivalent", async () => {
    const key = newKey();
    const first = await gateway.post("/paymentrequests", CHECKOUT, { headers: { "idempotency-key": key } });
    assert.equal(first.status, 200);
    assert.equal((await create(key)).body.original.id, first.body.id);
    const again = await gateway.post("/paymentrequests", CHECKOUT, { headers: { "IDEMPOTENCY-KEY": key } });
    assertRefused(again, 409, "V10018");
  });

  test("both headers at once must agree", async () => {
    const key = newKey();
    assertRefused(
      await gateway.post("/paymentrequests", CHECKOUT, withKey(key, { "idempotency-key": "other" })),
      400,
      "V11014",
    );
    assert.equal(await isKeyUsed(key), false);
    assert.equal(
      (await gateway.post("/paymentrequests", CHECKOUT, withKey(key, { "idempotency-key": key }))).status,
      200,
    );
  });

  for (const key of ["a", "k".repeat(255), "!~{}[]\"'\\<>;,%00", "Key", "0"]) {
    test(`accepts ${key.slice(0, 20)} (${key.length})`, async () => {
      assert.equal((await create(key)).status, 200);
      assertRefused(await create(key), 409, "V10018");
    });
  }

  test("keys are case-sensitive", async () => {
    assert.equal((await create("UPPER-and-lower")).status, 200);
    assert.equal((await create("upper-AND-LOWER")).status, 200);
  });

  for (const [what, key] of Object.entries({
    empty: "",
    "256 characters": "k".repeat(256),
    "a space": "two words",
    "a tab": "a\tb",
    "not ASCII": "caf\u00e9",
  })) {
    test(`refuses ${what}`, async () => {
      const before = await state();
      assertRefused(await create(key), 400, "V11014");
      assert.deepEqual(await state(), before);
    });
  }

  test("a problem of the key is returned together with the body's problems", async () => {
    const headers = { "x-idempotency-key": "two words" };
    const answer = await gateway.post(
      "/paymentrequests",
      { ...CHECKOUT, payment: { amount: 0 } },
      { headers },
    );
    const codes: { id: string }[] = answer.body.result.codes;
    assert.equal(answer.status, 400);
    assert.deepEqual(codes.map(({ id }) => id).sort(), ["V11014", "V11101"]);
  });

  for (const [what, path, body, problems] of [
    [
      "customer",
      "/paymentrequests",
      { ...CHECKOUT, customerRequest: { id: "cus_nope" } },
      [["V10214", "/customerRequest/id"]],
    ],
    [
      "payment request",
      "/tokens",
      { scope: "payui", paymentRequestId: NO_SUCH_ID },
      [["V11401", "/paymentRequestId"]],
    ],
    [
      "customer and instrument",
      "/transactions",
      {
        payment: { amount: 1, instrument: { customer: { id: "cus_nope", paymentInstrumentId: "pi_nope" } } },
      },
      [
        ["V11735", "/payment/instrument/customer/id"],
        ["V11736", "/payment/instrument/customer/paymentInstrumentId"],
      ],
    ],
  ] as const) {
    test(`a problem of the key is returned together with an unknown ${what}`, async () => {
      assertRefused(await gateway.post(path, body), 400, ...problems);
      assertRefused(await gateway.post(path, body, withKey("two words")), 400, "V11014", ...problems);
    });
  }

  test("a header sent twice is refused", async () => {
    const body = JSON.stringify(CHECKOUT);
    const head = `POST /paymentrequests HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const key = `X-Idempotency-Key: ${newKey()}\r\n`;
    const [twice] = await exchange(gateway.baseUrl, `${head}${key}${key}\r\n${body}`);
    assert.equal(twice?.status, 400);
    assert.match(twice?.body ?? "", /V11014/);
    const [once] = await exchange(gateway.baseUrl, `${head}${key}\r\n${body}`);
    assert.equal(once?.status, 200);
  });
});

describe("contract 2: a refused request does not use up the key", () => {
  const REFUSED: readonly (readonly [
    what: string,
    status: number,
    call: (key: string) => Promise<Answer>,
  ])[] = [
    ["malformed JSON", 400, (key) => create(key, "{")],
    ["an invalid field", 400, (key) => create(key, { ...CHECKOUT, payment: { amount: 0 } })],
    [
      "a token for an unknown request",
      400,
      (key) => gateway.post("/tokens", { scope: "payui", paymentRequestId: NO_SUCH_ID }, withKey(key)),
    ],
    ["no API key", 401, (key) => gateway.post("/paymentrequests", CHECKOUT, { ...withKey(key), key: null })],
    [
      "an Origin",
      403,
      (key) => gateway.post("/paymentrequests", CHECKOUT, withKey(key, { origin: "https://shop.example" })),
    ],
    [
      "no such request",
      404,
      (key) => gateway.post(`/paymentrequests/${NO_SUCH_ID}/cancel`, undefined, withKey(key)),
    ],
    [
      "an unsupported type",
      415,
      (key) => gateway.post("/paymentrequests", "x", withKey(key, { "content-type": "text/plain" })),
    ],
    ["an oversized body", 413, (key) => create(key, `"${"x".repeat(300_000)}"`)],
    [
      "a state that does not allow it",
      409,
      async (key) => {
        const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
        await gateway.post(`/paymentrequests/${id}/cancel`);
        return gateway.post(`/paymentrequests/${id}/cancel`, undefined, withKey(key));
      },
    ],
    [
      "a token for a request that has ended",
      409,
      async (key) => {
        const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
        await gateway.post(`/paymentrequests/${id}/cancel`);
        return gateway.post("/tokens", { scope: "payui", paymentRequestId: id }, withKey(key));
      },
    ],
  ];
  for (const [what, status, call] of REFUSED) {
    test(`${status}: ${what}`, async () => {
      const key = newKey();
      assert.equal((await call(key)).status, status);
      assert.equal(await isKeyUsed(key), false);
      assert.equal((await create(key)).status, 200);
      assert.equal(await isKeyUsed(key), true);
    });
  }

  test("validation comes first: an invalid repeat is 400", async () => {
    const key = newKey();
    await create(key);
    assertRefused(await create(key, { ...CHECKOUT, payment: { amount: 0 } }), 400, [
      "V11101",
      "/payment/amount",
    ]);
    assertRefused(await create(key), 409, "V10018");
  });

  test("a PayID that is in use leaves the key unused", async () => {
    const payId = (value: string) => ({
      payment: { amount: 100, instrument: { payId: { type: "single", value } } },
    });
    const first = await gateway.post("/paymentrequests", payId("taken-once"));
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const key = newKey();
    assert.equal((await create(key, payId("taken-once"))).status, 409);
    assert.equal(await isKeyUsed(key), false);
    assert.equal((await create(key, payId("free-still"))).status, 200);
  });
});
