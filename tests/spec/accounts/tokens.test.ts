import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { assertRefused } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { waiting } from "../../support/outage.ts";
import { CHECKOUT, HOSTED_PAGE, NO_SUCH_ID, payIdRequestBody } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const HOUR = 3_600_000;
const FIELD = "/paymentRequestId";

const create = async (body: object = CHECKOUT) => {
  const answer = await gateway.post("/paymentrequests", body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const requestToken = (paymentRequestId: unknown, more: object = {}) =>
  gateway.post("/tokens", { scope: "payui", paymentRequestId, ...more });
const countTokens = async () => (await gateway.database.rows("select 1 from one_time_tokens")).length;

describe("spec 2.2: a one-time token", () => {
  test("is returned in exactly these fields", async () => {
    const { id } = await create();
    const { status, body } = await requestToken(id);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["token", "tokenType", "scope", "expiryDateTime", "result"]);
    assert.match(body.token, /^tok_[0-9a-z]{29}_[\w-]{43}$/);
    assert.equal(body.tokenType, "onetimetoken");
    assert.equal(body.scope, "payui");
    assert.deepEqual(body.result, { mode: "sandbox", status: "ok" });
  });

  test("shows in its public part whether the request accepts a wallet, before the frame loads", async () => {
    const { id } = await create({ ...CHECKOUT, paymentMethods: ["card", "google_pay"] });
    assert.match((await requestToken(id)).body.token, /^tok_[0-9a-z]{29}w_[\w-]{43}$/);
  });

  test("lives for an hour", async () => {
    const { id } = await create();
    const before = Date.now();
    const { expiryDateTime } = (await requestToken(id)).body;
    const lifetime = Date.parse(expiryDateTime) - before;
    assert.ok(lifetime >= HOUR && lifetime < HOUR + 5_000, String(lifetime));
  });

  test("never outlives its payment request", async () => {
    const expiryDateTime = new Date(Date.now() + 30 * 60_000).toISOString();
    const { id } = await create({ ...CHECKOUT, expiryDateTime });
    assert.equal((await requestToken(id)).body.expiryDateTime, expiryDateTime);
  });

  test("expires by the merchant's own clock", async () => {
    const other = await gateway.newMerchant();
    const { key } = other;
    await gateway.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
    const { id } = (await gateway.post("/paymentrequests", CHECKOUT, { key })).body;
    const { expiryDateTime } = (
      await gateway.post("/tokens", { scope: "payui", paymentRequestId: id }, { key })
    ).body;
    assert.ok(Date.parse(expiryDateTime) > Date.now() + 24 * HOUR);
  });

  test("is stored only as its hash, in state created", async () => {
    const { id } = await create();
    const { token } = (await requestToken(id)).body;
    const rows = await gateway.database.rows<{ hash: Buffer; status: string; row: string }>(
      "select hash, status, one_time_tokens::text as row from one_time_tokens where payment_request_id = $1",
      [id],
    );
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0]?.hash, createHash("sha256").update(token).digest());
    assert.equal(rows[0]?.status, "created");
    assert.equal(rows[0]?.row.includes(token.slice(-43)), false);
  });

  test("can be created several times for one request, each with its own value", async () => {
    const { id } = await create();
    const made = await Promise.all(Array.from({ length: 10 }, () => requestToken(id)));
    assert.ok(made.every((answer) => answer.status === 200));
    assert.equal(new Set(made.map((answer) => answer.body.token)).size, 10);
  });

  test("leaves its request unchanged and writes no event", async () => {
    const request = await create();
    await requestToken(request.id);
    assert.deepEqual((await gateway.get(`/paymentrequests/${request.id}`)).body, request);
    assert.equal((await gateway.get(`/events?resourceid=${request.id}`)).body.count, 1);
  });
});

describe("contract 4: which requests get a token", () => {
  test("an unknown, foreign or malformed request id is the same 400 on its field", async () => {
    const other = await gateway.newMerchant();
    const { id } = await create();
    const foreign = await gateway.post(
      "/tokens",
      { scope: "payui", paymentRequestId: id },
      { key: other.key },
    );
    const before = await countTokens();
    const answers = [
      foreign,
      await requestToken(NO_SUCH_ID),
      await requestToken("x"),
      await requestToken("x".repeat(64)),
      await requestToken(id.toUpperCase()),
      await requestToken(`${id} `),
    ];
    for (const answer of answers) {
      assertRefused(answer, 400, ["V11401", FIELD]);
      assert.deepEqual(answer.body, foreign.body);
    }
    assert.equal(await countTokens(), before);
  });

  for (const id of ["", "x".repeat(65), null, 1, {}, ["pr_x"], "a\u0000b"]) {
    test(`refuses a value that cannot be an id: ${JSON.stringify(id).slice(0, 20)}`, async () =>
      assertRefused(await requestToken(id), 400, ["V11401", FIELD]));
  }

  for (const scope of ["PayUI", "payui ", "", "admin", null, 1, ["payui"]]) {
    test(`refuses a scope other than payui: ${JSON.stringify(scope)}`, async () => {
      const { id } = await create();
      assertRefused(await requestToken(id, { scope }), 400, ["V11400", "/scope"]);
    });
  }

  test("requires both fields, refuses others, and returns every problem at once", async () => {
    assertRefused(await gateway.post("/tokens", {}), 400, ["V11400", "/scope"], ["V11401", FIELD]);
    const scope = ["V11400", "/scope"] as const;
    assertRefused(await requestToken(NO_SUCH_ID, { scope: "x" }), 400, scope, ["V11401", FIELD]);
    const { id } = await create();
    assertRefused(await requestToken(id, { scope: "x" }), 400, scope);
    assertRefused(await requestToken(id, { expiryDateTime: "2030-01-01T00:00:00Z" }), 400, [
      "V11003",
      "/expiryDateTime",
    ]);
  });

  test("refuses a hosted page or PayID request with 409", async () => {
    const hosted = await create(HOSTED_PAGE);
    const payId = await create(payIdRequestBody("no-token-for-this"));
    const before = await countTokens();
    assertRefused(await requestToken(hosted.id), 409, ["V11402", FIELD]);
    assertRefused(await requestToken(payId.id), 409, ["V11402", FIELD]);
    assert.equal(await countTokens(), before);
  });

  test("refuses a cancelled or expired request with 409", async () => {
    const { key } = await gateway.newMerchant();
    const made = async () => (await gateway.post("/paymentrequests", CHECKOUT, { key })).body.id;
    const token = (id: string) => gateway.post("/tokens", { scope: "payui", paymentRequestId: id }, { key });
    const [cancelled, expired] = [await made(), await made()];
    assert.equal((await token(cancelled)).status, 200);
    assert.equal((await token(expired)).status, 200);
    await gateway.post(`/paymentrequests/${cancelled}/cancel`, undefined, { key });
    await gateway.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
    assertRefused(await token(cancelled), 409, ["V11190", FIELD]);
    assertRefused(await token(expired), 409, ["V11190", FIELD]);
  });

  test("refuses a browser", async () => {
    const { id } = await create();
    const headers = { origin: "https://shop.example" };
    const answer = await gateway.post("/tokens", { scope: "payui", paymentRequestId: id }, { headers });
    assertRefused(answer, 403, "V11009");
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  });

  test("a cancellation concurrent with a token never leaves a token created after the cancellation", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create();
      const [token, cancelled] = await Promise.all([
        requestToken(id),
        gateway.post(`/paymentrequests/${id}/cancel`),
      ]);
      assert.equal(cancelled.status, 200);
      assert.ok(token.status === 200 || token.status === 409);
      const late = await gateway.database.rows(
        `select 1 from one_time_tokens t join payment_requests r on r.merchant_id = t.merchant_id and r.id = t.payment_request_id
         where r.id = $1 and t.created_at > r.updated_at`,
        [id],
      );
      assert.equal(late.length, 0);
      assert.equal((await requestToken(id)).status, 409);
    }
  });

  test("that waited for the end of its request is refused", async () => {
    const { id } = await create();
    await using stage = new AsyncDisposableStack();
    const other = new pg.Client({ connectionString: gateway.database.url });
    stage.defer(() => other.end());
    await other.connect();
    await other.query("begin");
    const { rows } = await other.query("select merchant_id from payment_requests where id = $1", [id]);
    const key = [rows[0].merchant_id, id];
    await other.query("select from payment_requests where merchant_id = $1 and id = $2 for update", key);
    const cancel = "update payment_requests set status = 'cancelled' where merchant_id = $1 and id = $2";
    await other.query(cancel, key);
    const token = requestToken(id);
    await eventually("the token waits for it", async () => (await waiting(gateway.database)) > 0);
    await other.query("commit");
    assertRefused(await token, 409, ["V11190", FIELD]);
    const written = "select from one_time_tokens where payment_request_id = $1";
    assert.equal((await gateway.database.rows(written, [id])).length, 0);
  });
});
