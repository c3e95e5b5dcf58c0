import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused, assertSecure } from "../../support/answers.ts";
import { TEST_KEY } from "../../support/calls.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT, HOSTED_PAGE, NO_SUCH_ID } from "../../support/request-bodies.ts";

let gateway: TestGateway;
let made: Answer;
before(async () => {
  gateway = await startTestGateway();
  made = await gateway.post("/paymentrequests", CHECKOUT);
  assert.equal(made.status, 200);
});
after(() => gateway.stop());

describe("contract 2: paths", () => {
  for (const path of ["/paymentrequests", "/PaymentRequests", "/PAYMENTREQUESTS", "/pAyMeNtReQuEsTs"]) {
    test(`literal segments are case-insensitive: ${path}`, async () => {
      const created = await gateway.post(path, CHECKOUT);
      assert.equal(created.status, 200);
      assert.equal((await gateway.get(`${path}/${created.body.id}`)).status, 200);
      assert.equal((await gateway.post(`${path}/${created.body.id}/CANCEL`)).status, 200);
    });
  }

  test("later segments are case-insensitive too", async () => {
    assert.equal((await gateway.get("/Management/ACCOUNT")).status, 200);
    assert.equal((await gateway.post("/sandbox/CLOCK/Advance", { seconds: 1 })).status, 200);
  });

  test("an id is case-sensitive", async () => {
    assert.equal((await gateway.get(`/paymentrequests/${made.body.id}`)).status, 200);
    assertRefused(await gateway.get(`/paymentrequests/${made.body.id.toUpperCase()}`), 404, "V11010");
  });

  for (const path of [
    "/",
    "/nowhere",
    "//paymentrequests",
    "/paymentrequests//",
    `/paymentrequests/${NO_SUCH_ID}/nowhere`,
    "/paymentrequestsx",
    "/management",
    "/.env",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/constructor",
    "/__proto__",
  ]) {
    test(`an unknown path is 404, with and without a key: ${path}`, async () => {
      assertRefused(await gateway.get(path), 404, "V11011");
      assertRefused(await gateway.get(path, { key: null }), 404, "V11011");
    });
  }

  test("a response to a known key contains the account's mode, and no other does", async () => {
    const mode = async (path: string, method: string, key: string | null) =>
      (await gateway.call(path, { method, key })).body.result.mode;
    for (const [path, method] of [
      ["/nowhere", "GET"],
      ["/paymentrequests", "PATCH"],
    ] as const) {
      assert.equal(await mode(path, method, TEST_KEY), "sandbox");
      assert.equal(await mode(path, method, null), undefined);
      assert.equal(await mode(path, method, "x".repeat(40)), undefined);
      assert.equal(await mode(path, method, "x".repeat(129)), undefined);
    }
  });

  test("an unknown path is 404 whatever the body is", async () => {
    const text = { headers: { "content-type": "text/plain" } };
    assertRefused(await gateway.post("/nowhere", "hello", text), 404, "V11011");
    assertRefused(await gateway.post("/nowhere", "{broken"), 404, "V11011");
    assertRefused(await gateway.post("/nowhere", "x".repeat(300_000)), 404, "V11011");
  });
});

describe("contract 2: unknown resources", () => {
  const assertSame = (one: Answer, other: Answer) => {
    assert.equal(one.status, other.status);
    assert.deepEqual(one.body, other.body);
    const headers = (answer: Answer) =>
      [...answer.headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name));
    assert.deepEqual(headers(one), headers(other));
  };

  test("another merchant's id gets exactly the response of an unknown id", async () => {
    const other = await gateway.newMerchant();
    const { key } = other;
    const unknown = await gateway.get(`/paymentrequests/${NO_SUCH_ID}`, { key });
    assertRefused(unknown, 404, "V11010");
    assertSame(await gateway.get(`/paymentrequests/${made.body.id}`, { key }), unknown);

    const cancelled = await gateway.post(`/paymentrequests/${NO_SUCH_ID}/cancel`, undefined, { key });
    assertRefused(cancelled, 404, "V11010");
    assertSame(await gateway.post(`/paymentrequests/${made.body.id}/cancel`, undefined, { key }), cancelled);
    assert.equal(
      (await gateway.get(`/paymentrequests/${made.body.id}`)).body.paymentRequestStatus,
      "created",
    );

    const events = await gateway.get(`/events?resourceid=${made.body.id}`);
    const event = events.body.events[0].id;
    const noEvent = await gateway.get("/events/evt_01k0000000000aaaaaaaaaaaaaaaa", { key });
    assertRefused(noEvent, 404, "V11010");
    assertSame(await gateway.get(`/events/${event}`, { key }), noEvent);
    assert.equal((await gateway.get(`/events/${event}`)).status, 200);
  });

  const UNUSUAL: Readonly<Record<string, string>> = {
    "no characters": "",
    "a NUL": "pr_%00",
    "an encoded slash": "pr_%2F..%2Fcancel",
    "another encoding of a slash": "%2f",
    "an emoji": "%F0%9F%92%B8",
    "a right-to-left mark": "pr_%E2%80%8F",
    "two hundred characters": "a".repeat(200),
    "two hundred and one": "a".repeat(201),
    "ten thousand": `pr_${"a".repeat(10_000)}`,
    quotes: "'%22%60",
    SQL: "pr_1'%20or%20'1'='1",
    "a line break": "pr_%0d%0aSet-Cookie:%20a=b",
    "a template": "$%7B7*7%7D",
    "a property name": "__proto__",
    "one character too many": `${NO_SUCH_ID}a`,
    "one character too few": NO_SUCH_ID.slice(0, -1),
    "the prefix of another noun": NO_SUCH_ID.replace("pr_", "evt_"),
    "a letter that ids do not use": NO_SUCH_ID.replace(/.$/, "u"),
    "encoded letters": `%70r_${NO_SUCH_ID.slice(3)}`,
    "a colon": ":paymentRequestId",
    star: "*",
  };
  for (const [what, id] of Object.entries(UNUSUAL)) {
    test(`an id with ${what} is 404, and 401 without a key`, async () => {
      assertRefused(await gateway.get(`/paymentrequests/${id}`), 404, "V11010");
      assertRefused(await gateway.post(`/paymentrequests/${id}/cancel`), 404, "V11010");
      assertRefused(await gateway.get(`/events/${id}`), 404, "V11010");
      assertRefused(await gateway.get(`/paymentrequests/${id}`, { key: null }), 401, "V11006");
    });
  }

  for (const id of ["%zz", "%", "%f", "pr_%ff", "%c0%af", "%ed%a0%80"]) {
    test(`invalid percent encoding is refused as malformed: ${id}`, async () => {
      const answer = await gateway.get(`/paymentrequests/${id}`);
      assertRefused(answer, 400, "V11015");
      assert.equal(answer.body.result.mode, "sandbox");
    });
  }

  test("a percent-encoded id is decoded", async () => {
    const encoded = made.body.id.replace("pr_", "p%72%5F");
    assert.equal((await gateway.get(`/paymentrequests/${encoded}`)).body.id, made.body.id);
  });
});

describe("contract 2: methods", () => {
  const CASES: readonly (readonly [method: string, path: string, allow: string])[] = [
    ["DELETE", "/paymentrequests", "GET, HEAD, POST"],
    ["PUT", "/paymentrequests", "GET, HEAD, POST"],
    ["PATCH", "/PaymentRequests", "GET, HEAD, POST"],
    ["OPTIONS", "/paymentrequests", "GET, HEAD, POST"],
    ["POST", `/paymentrequests/${NO_SUCH_ID}`, "GET, HEAD"],
    ["POST", `/paymentrequests/${"a".repeat(300)}`, "GET, HEAD"],
    ["GET", `/paymentrequests/${NO_SUCH_ID}/cancel`, "POST"],
    ["GET", "/tokens", "POST"],
    ["POST", "/management/account", "GET, HEAD, PUT"],
    ["POST", "/events", "GET, HEAD"],
    ["GET", "/sandbox/clock/advance", "POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["DELETE", "/readyz", "GET, HEAD"],
    ["POST", "/metrics", "GET, HEAD"],
    ["DELETE", "/webhooks/settings", "GET, HEAD, PUT"],
    ["DELETE", "/webhooks/Settings", "GET, HEAD, PUT"],
    ["POST", "/webhooks/settings", "GET, HEAD, PUT"],
    ["PUT", "/webhooks/signingkey", "GET, HEAD"],
    ["GET", "/events/redeliver", "POST"],
    ["DELETE", `/webhooks/${NO_SUCH_ID}/test`, "POST"],
    ["POST", `/webhooks/${NO_SUCH_ID}`, "DELETE, GET, HEAD, PUT"],
  ];
  for (const [method, path, allow] of CASES) {
    test(`${method} ${path.slice(0, 50)} is 405 with an Allow header`, async () => {
      const answer = await gateway.call(path, { method });
      assertRefused(answer, 405, "V11012");
      assert.deepEqual(answer.headers.get("allow")?.split(", ").sort(), allow.split(", "));
    });
  }

  test("a segment that is not a known literal is an id", async () => {
    for (const path of ["/webhooks/settingsx", "/webhooks/nowhere", "/webhooks/redeliver"]) {
      assertRefused(await gateway.call(path, { method: "DELETE" }), 404, "V11010");
    }
  });

  test("the method is checked before the body", async () => {
    const text = { method: "PUT", body: "{broken", headers: { "content-type": "text/plain" } };
    assertRefused(await gateway.call("/paymentrequests", text), 405, "V11012");
    assertRefused(await gateway.call("/paymentrequests", { method: "PUT", body: "{broken" }), 405, "V11012");
  });

  for (const method of ["PROPFIND", "PURGE", "MKCOL", "LOCK", "SEARCH"]) {
    test(`${method} is 405 on a known path and 404 on an unknown one`, async () => {
      assertRefused(await gateway.call("/paymentrequests", { method }), 405, "V11012");
      assertRefused(await gateway.call("/nowhere", { method }), 404, "V11011");
    });
  }

  test("HEAD returns GET's headers without a body", async () => {
    for (const path of [
      `/paymentrequests/${made.body.id}`,
      "/paymentrequests",
      "/healthz",
      "/management/account",
    ]) {
      const get = await gateway.get(path);
      const head = await gateway.call(path, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.body, "");
      assert.equal(head.headers.get("content-length"), get.headers.get("content-length"));
      assertSecure((name) => head.headers.get(name));
    }
    const refused = await gateway.call(`/paymentrequests/${NO_SUCH_ID}`, { method: "HEAD" });
    assert.equal(refused.status, 404);
    assert.equal((await gateway.call("/paymentrequests", { method: "HEAD", key: null })).status, 401);
  });
});

describe("contract 2: query parameters", () => {
  test("an unknown query parameter is refused by its name, on every method", async () => {
    assertRefused(await gateway.get("/paymentrequests?limits=5"), 400, ["V11004", "/limits"]);
    assertRefused(await gateway.get(`/paymentrequests/${made.body.id}?expand=1`), 400, ["V11004", "/expand"]);
    assertRefused(await gateway.post("/paymentrequests?dry=1", CHECKOUT), 400, ["V11004", "/dry"]);
    assertRefused(
      await gateway.get("/events?__proto__=1&constructor=2&a/b~c=3"),
      400,
      ["V11004", "/__proto__"],
      ["V11004", "/constructor"],
      ["V11004", "/a~1b~0c"],
    );
    assert.equal((await gateway.get("/paymentrequests?limit=5")).status, 200);
  });

  test("a query parameter given twice is refused", async () => {
    assertRefused(await gateway.get("/paymentrequests?limit=5&limit=6"), 400, ["V11020", "/limit"]);
    assertRefused(await gateway.get("/events?event=payouts&event=payouts"), 400, ["V11026", "/event"]);
  });

  test("names match in any case", async () => {
    const other = await gateway.post("/paymentrequests", { ...CHECKOUT, reference: "any-case" });
    const [first] = (await gateway.get("/paymentrequests?reference=any-case")).body.paymentRequests;
    for (const query of [
      "REFERENCE=any-case&Limit=1",
      `createdfrom=${other.body.createdDateTime}&CREATEDTO=2999-01-01T00:00:00Z`,
    ]) {
      assert.deepEqual((await gateway.get(`/paymentrequests?${query}`)).body.paymentRequests, [first]);
    }
    const { nextCursor } = (await gateway.get("/paymentrequests?limit=1")).body;
    const next = await gateway.get(`/paymentrequests?LIMIT=1&CURSOR=${nextCursor}`);
    assert.deepEqual(next.body, (await gateway.get(`/paymentrequests?limit=1&cursor=${nextCursor}`)).body);
    const byRequest = await gateway.get(`/transactions?paymentRequestId=${other.body.id}`);
    assert.deepEqual([byRequest.status, byRequest.body.count], [200, 0]);
    assert.equal((await gateway.get("/payouts?currencycode=AUD")).status, 200);
  });

  test("values keep their case, and refusals name the parameter as it is described", async () => {
    assert.equal((await gateway.get("/paymentrequests?REFERENCE=ANY-CASE")).body.count, 0);
    assertRefused(await gateway.get("/paymentrequests?STATUS=CREATED"), 400, ["V11024", "/status"]);
    assertRefused(await gateway.get("/paymentrequests?createdfrom=now"), 400, ["V11022", "/createdFrom"]);
    assertRefused(await gateway.get("/paymentrequests?LiMiTs=5"), 400, ["V11004", "/LiMiTs"]);
  });

  test("a name given twice is refused, also when only the case differs", async () => {
    assertRefused(await gateway.get("/paymentrequests?limit=5&LIMIT=5"), 400, ["V11020", "/limit"]);
    assertRefused(await gateway.get("/paymentrequests?Limit=5&LIMIT=5&limit=5"), 400, ["V11020", "/limit"]);
    assertRefused(
      await gateway.get("/paymentrequests?reference=a&Reference=a&createdTo=&CREATEDTO="),
      400,
      ["V11023", "/createdTo"],
      ["V11025", "/reference"],
    );
    assertRefused(
      await gateway.get("/events?EVENT=payouts&__proto__=1&__PROTO__=2"),
      400,
      ["V11004", "/__proto__"],
      ["V11004", "/__PROTO__"],
    );
  });

  test("problems of the query and of the body are returned together", async () => {
    const answer = await gateway.post("/paymentrequests?dry=1", { ...CHECKOUT, refrence: "x" });
    assertRefused(answer, 400, ["V11004", "/dry"], ["V11003", "/refrence"]);
  });

  for (const wrong of ["%zz", "%", "%f", "caf%E9", "%c0%af", "%ed%a0%80"]) {
    test(`invalid percent encoding is refused as malformed: ${wrong}`, async () => {
      const answer = await gateway.get(`/paymentrequests?reference=${wrong}`);
      assertRefused(answer, 400, "V11015");
      assert.equal(answer.body.result.mode, "sandbox");
      assertRefused(await gateway.get(`/customers?metadata[a]=${wrong}`), 400, "V11015");
      assertRefused(await gateway.get(`/paymentrequests?reference=${wrong}`, { key: null }), 401, "V11006");
    });
  }

  test("invalid percent encoding is returned together with other problems", async () => {
    const query = await gateway.get("/paymentrequests?caf%E9=1&limit=0");
    assertRefused(query, 400, "V11015", ["V11004", "/caf%E9"], ["V11020", "/limit"]);
    const body = await gateway.post("/tokens?%", { scope: "payui", paymentRequestId: NO_SUCH_ID });
    assertRefused(body, 400, "V11015", ["V11004", "/%"], ["V11401", "/paymentRequestId"]);
  });

  test("a percent-encoded value is decoded, and so is a percent sign", async () => {
    for (const reference of ["caf\u00e9", "100%", "%E9", "a b", "\u{1f4b8}"]) {
      const { body } = await gateway.post("/paymentrequests", { ...CHECKOUT, reference });
      const found = await gateway.get(`/paymentrequests?reference=${encodeURIComponent(reference)}`);
      assert.deepEqual(
        found.body.paymentRequests.map(({ id }: { id: string }) => id),
        [body.id],
      );
    }
  });

  test("a page for payers ignores a query that is malformed", async () => {
    const { body } = await gateway.post("/paymentrequests", HOSTED_PAGE);
    const page = async (query: string) => (await fetch(`${body.hostedPaymentPage.url}${query}`)).status;
    assert.deepEqual([await page(""), await page("?utm=caf%E9&%")], [200, 200]);
  });

  for (const query of ["limit=%00", `reference=${"a".repeat(9_000)}`, "limit[]=1", "&&&=&"]) {
    test(`a malformed query is never a 5xx: ${query.slice(0, 30)}`, async () => {
      const answer = await gateway.get(`/paymentrequests?${query}`);
      assert.ok(answer.status === 400 || answer.status === 200, String(answer.status));
      assert.equal(answer.body.result.status, answer.status === 200 ? "ok" : "validation_error");
    });
  }
});
