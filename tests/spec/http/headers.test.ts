import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertSecure } from "../../support/answers.ts";
import { callsTo } from "../../support/calls.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { exchange } from "../../support/raw-http.ts";
import { CHECKOUT, NO_SUCH_ID } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

describe("contract 2: X-Request-Id", () => {
  const requestIdFor = async (id: string) =>
    (await gateway.get("/paymentrequests", { headers: { "x-request-id": id } })).headers.get("x-request-id");

  for (const id of [
    "a",
    "order-1001/attempt#2",
    "x".repeat(64),
    '"quotes" <and>'.replaceAll(" ", "_"),
    "{}[]~!",
  ]) {
    test(`keeps a valid id of the caller: ${id.slice(0, 30)}`, async () =>
      assert.equal(await requestIdFor(id), id));
  }

  for (const id of ["x".repeat(65), "x".repeat(4_000), "two words", "tab\tbed", "caf\u00e9", ""]) {
    test(`replaces an invalid id: ${JSON.stringify(id.slice(0, 30))}`, async () => {
      const given = await requestIdFor(id);
      assert.notEqual(given, id);
      assert.match(given ?? "", /^[0-9a-f-]{36}$/);
    });
  }

  test("creates an id for each response if the caller sent none", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await gateway.get("/events")).headers.get("x-request-id")),
    );
    assert.equal(new Set(ids).size, 20);
  });

  test("replaces two ids", async () => {
    const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const [answer] = await exchange(gateway.baseUrl, `${head}X-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`);
    assert.match(answer?.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  });

  test("refuses an id with a control character and never returns it", async () => {
    const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    for (const hidden of ["\u0001", "\u0000", "\u007f", "\u001b[31m"]) {
      const [answer] = await exchange(gateway.baseUrl, `${head}X-Request-Id: a${hidden}b\r\n\r\n`);
      assert.match(answer?.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    }
  });

  test("is on error responses too", async () => {
    const headers = { "x-request-id": "mine" };
    for (const [path, key] of [
      ["/nowhere", TEST_KEY],
      ["/events", null],
      [`/paymentrequests/${NO_SUCH_ID}`, TEST_KEY],
      ["/paymentrequests/%zz", TEST_KEY],
    ] as const) {
      assert.equal((await gateway.get(path, { headers, key })).headers.get("x-request-id"), "mine", path);
    }
  });
});

describe("contract 2: security headers on every response", () => {
  const ANSWERS: readonly (readonly [
    status: number,
    method: string,
    path: string,
    key: string | null,
    body?: unknown,
  ])[] = [
    [200, "GET", "/paymentrequests", TEST_KEY],
    [200, "POST", "/paymentrequests", TEST_KEY, CHECKOUT],
    [200, "GET", "/healthz", null],
    [200, "GET", "/readyz", null],
    [200, "GET", "/metrics", null],
    [400, "POST", "/paymentrequests", TEST_KEY, "{"],
    [400, "POST", "/paymentrequests", TEST_KEY, {}],
    [400, "GET", "/paymentrequests/%zz", TEST_KEY],
    [401, "GET", "/paymentrequests", null],
    [404, "GET", "/nowhere", null],
    [404, "GET", `/paymentrequests/${NO_SUCH_ID}`, TEST_KEY],
    [405, "DELETE", "/paymentrequests", TEST_KEY],
    [413, "POST", "/paymentrequests", TEST_KEY, `"${"x".repeat(300_000)}"`],
  ];
  for (const [status, method, path, key, body] of ANSWERS) {
    test(`${status} of ${method} ${path}`, async () => {
      const answer = await gateway.call(path, { method, key, body });
      assert.equal(answer.status, status);
      assertSecure((name) => answer.headers.get(name));
      assert.notEqual(answer.headers.get("x-request-id"), null);
    });
  }

  test("the server of the hosted pages sends them too and serves no API", async () => {
    const hosted = callsTo(gateway.hostedUrl);
    for (const [status, path] of [
      [200, "/healthz"],
      [200, "/readyz"],
      [404, "/metrics"],
      [404, "/nowhere"],
      [404, "/paymentrequests"],
      [400, "/%zz"],
    ] as const) {
      const answer = await hosted.get(path);
      assert.equal(answer.status, status, path);
      assertSecure((name) => answer.headers.get(name));
    }
  });

  test("an Origin changes nothing: no response grants a page access", async () => {
    const answer = await gateway.get("/paymentrequests", { headers: { origin: "https://shop.example" } });
    assertSecure((name) => answer.headers.get(name));
    assert.equal(answer.headers.get("vary"), null);
  });

  test("a forwarded scheme over plain HTTP is ignored, so there is no HSTS", async () => {
    const headers = { "x-forwarded-proto": "https", forwarded: "proto=https" };
    const answer = await gateway.get("/healthz", { headers });
    assertSecure((name) => answer.headers.get(name), { https: false });
  });
});

describe("contract 2: the result of every response", () => {
  test("contains the mode if the merchant is known", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    assert.deepEqual((await gateway.get("/events")).body.result, { mode: "sandbox", status: "ok" });
    assert.deepEqual((await gateway.get("/events", { key: live.key })).body.result, {
      mode: "live",
      status: "ok",
    });
    assert.equal(
      (await gateway.get(`/paymentrequests/${NO_SUCH_ID}`, { key: live.key })).body.result.mode,
      "live",
    );
    assert.equal((await gateway.get("/nowhere", { key: live.key })).body.result.mode, "live");
    assert.equal("mode" in (await gateway.get("/nowhere", { key: null })).body.result, false);
    assert.deepEqual((await gateway.get("/healthz")).body.result, { status: "ok" });
  });
});
