import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { API_ROUTES } from "../../../src/app/routes.ts";
import { assertRefused } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { endKey, makeKey } from "../../support/operator.ts";
import { exchange } from "../../support/raw-http.ts";
import { CHECKOUT, NO_SUCH_ID } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

/** Every registered endpoint, with the body of its example. */
const ENDPOINTS = API_ROUTES.map(({ method, path, scope, example, sandboxOnly }) => ({
  method,
  path: path.replace(/\{\w+\}/g, NO_SUCH_ID),
  scope,
  body: method === "GET" ? undefined : example,
  sandboxOnly: sandboxOnly === true,
}));

describe("contract 2: authentication", () => {
  for (const { method, path, body } of ENDPOINTS) {
    test(`${method} ${path} requires a key and reveals nothing without one`, async () => {
      const missing = await gateway.call(path, { method, body, key: null });
      assertRefused(missing, 401, "V11006");
      assert.equal("mode" in missing.body.result, false);
      assertRefused(await gateway.call(path, { method, body, key: "" }), 401, "V11006");
      assertRefused(
        await gateway.call(path, { method, body, key: "unknown_key_of_a_caller" }),
        401,
        "V11007",
      );
      const broken = method === "GET" ? undefined : "{broken";
      assertRefused(
        await gateway.call(path, { method, body: broken, key: "unknown_key_of_a_caller" }),
        401,
        "V11007",
      );
    });
  }

  test("an unknown key of any length gets the same refusal", async () => {
    for (const key of [
      "x",
      "k".repeat(128),
      "k".repeat(129),
      "k".repeat(8_000),
      `${TEST_KEY}x`,
      TEST_KEY.slice(1),
    ]) {
      assertRefused(await gateway.get("/paymentrequests", { key }), 401, "V11007");
    }
    assertRefused(await gateway.get("/paymentrequests", { key: TEST_KEY.toUpperCase() }), 401, "V11007");
  });

  test("a key is read from its header only", async () => {
    const elsewhere = { authorization: `Bearer ${TEST_KEY}`, cookie: `x-api-key=${TEST_KEY}` };
    assertRefused(await gateway.get("/paymentrequests", { key: null, headers: elsewhere }), 401, "V11006");
    const query = await gateway.get(`/paymentrequests?X-Api-Key=${TEST_KEY}`, { key: null });
    assertRefused(query, 401, "V11006");
  });

  test("two keys in one request are refused", async () => {
    const head = `GET /paymentrequests HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${TEST_KEY}\r\n`;
    const [once] = await exchange(gateway.baseUrl, `${head}\r\n`);
    assert.equal(once?.status, 200);
    const [twice] = await exchange(gateway.baseUrl, `${head}X-Api-Key: ${TEST_KEY}\r\n\r\n`);
    assert.equal(twice?.status, 401);
  });

  test("a key that is not ASCII is refused", async () => {
    const [answer] = await exchange(
      gateway.baseUrl,
      Buffer.from(
        "GET /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: \xff\xfe\x80\r\n\r\n",
        "latin1",
      ),
    );
    assert.equal(answer?.status, 401);
  });

  test("a revoked key is refused like an unknown one", async () => {
    const { id: merchantId } = (await gateway.get("/management/account")).body;
    const { id, key } = await makeKey(gateway.database, merchantId, ["read"]);
    assert.equal((await gateway.get("/paymentrequests", { key })).status, 200);
    await endKey(gateway.database, id);
    const refused = await eventually("it is refused", async () => {
      const answer = await gateway.get("/paymentrequests", { key });
      return answer.status !== 200 && answer;
    });
    assertRefused(refused, 401, "V11007");
  });
});

describe("contract 2: scopes", () => {
  const keys = new Map<string, string>();
  before(async () => {
    const { id } = (await gateway.get("/management/account")).body;
    for (const scope of ["read", "write", "admin"] as const) {
      keys.set(scope, (await makeKey(gateway.database, id, [scope])).key);
    }
  });

  for (const { method, path, scope: needed, body } of ENDPOINTS) {
    for (const scope of ["read", "write", "admin"]) {
      test(`${method} ${path}: a key with scope ${scope} is ${scope === needed ? "accepted" : "refused"}`, async () => {
        const answer = await gateway.call(path, { method, body, key: keys.get(scope) ?? "" });
        if (scope !== needed) return assertRefused(answer, 403, "V11008");
        assert.ok(![401, 403].includes(answer.status), String(answer.status));
      });
    }
  }

  test("a refusal by scope names the mode and precedes the body's validation", async () => {
    const answer = await gateway.post("/paymentrequests", "{broken", { key: keys.get("read") ?? "" });
    assertRefused(answer, 403, "V11008");
    assert.equal(answer.body.result.mode, "sandbox");
  });
});

describe("contract 9: sandbox-only endpoints", () => {
  for (const { method, path, body } of ENDPOINTS.filter((one) => one.sandboxOnly)) {
    test(`${method} ${path} is 404 in live mode`, async () => {
      const { id, key } = await gateway.newMerchant({ mode: "live" });
      assertRefused(await gateway.call(path, { method, body, key }), 404, "V11011");
      const reads = (await makeKey(gateway.database, id, ["read"])).key;
      assertRefused(await gateway.call(path, { method, body, key: reads }), 404, "V11011");
      assertRefused(await gateway.call(path, { method: "PATCH", key }), 404, "V11011");
      assertRefused(await gateway.call(path, { method: "PATCH" }), 405, "V11012");
      assert.notEqual((await gateway.call(path, { method, body })).body.result.codes?.[0]?.id, "V11011");
    });
  }
});

describe("contract 4: browsers are refused", () => {
  for (const origin of [
    "https://shop.example",
    "http://localhost:3000",
    "null",
    "file://",
    "http://localhost",
    "https://localhost:4000",
    "chrome-extension://abc",
    "*",
    "",
  ]) {
    test(`refuses Origin ${origin === "" ? "(empty)" : origin}`, async () => {
      for (const { method, path, body } of ENDPOINTS) {
        const answer = await gateway.call(path, { method, body, headers: { origin } });
        assertRefused(answer, 403, "V11009");
      }
    });
  }

  test("accepts calls without an Origin or from the API's own origin", async () => {
    assert.equal((await gateway.post("/paymentrequests", CHECKOUT)).status, 200);
    const own = { headers: { origin: gateway.baseUrl } };
    assert.equal((await gateway.post("/paymentrequests", CHECKOUT, own)).status, 200);
    assertRefused(await gateway.get("/events", { headers: { origin: gateway.hostedUrl } }), 403, "V11009");
    assertRefused(
      await gateway.get("/events", { headers: { origin: `${gateway.baseUrl}.evil.example` } }),
      403,
      "V11009",
    );
  });

  test("refuses a preflight", async () => {
    const headers = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key",
    };
    const answer = await gateway.call("/tokens", { method: "OPTIONS", key: null, headers });
    assertRefused(answer, 405, "V11012");
  });
});
