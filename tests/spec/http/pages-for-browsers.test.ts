import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused, assertSecure } from "../../support/answers.ts";
import { TEST_KEY } from "../../support/calls.ts";
import { freePort } from "../../support/free-port.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPage, valuesOf } from "../../support/page.ts";

/** What Chrome, Firefox and Safari send for a page. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const CLIENTS = [
  undefined,
  "*/*",
  "application/json",
  "application/json, text/plain, */*",
  "text/html;q=0.5, application/json",
];
const UNKNOWN = [
  "/nowhere",
  "/docs/nowhere",
  "/docs/guides/nowhere",
  "/.env",
  "/%3Cscript%3E?a=%3Cscript%3E",
];

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

function visit(
  path: string,
  accept: string | undefined,
  more: { method?: string; key?: string | null } = {},
): Promise<Answer> {
  return gateway.call(path, { key: null, ...more, headers: accept === undefined ? {} : { accept } });
}

function assertPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(answer.headers.get("vary"), "Accept, Accept-Encoding");
  assertSecure((name) => answer.headers.get(name));
  const policy = String(answer.headers.get("content-security-policy"));
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /unsafe|\*/);
}

describe("contract 2: a path without a route", () => {
  for (const path of UNKNOWN) {
    test(`${path} answers a browser with a page and 404`, async () => {
      const page = await visit(path, BROWSER);
      assertPage(page, 404);
      assert.match(page.body, /<h1>There is no such page<\/h1>/);
      assert.doesNotMatch(page.body, /nowhere|<script>/);
      for (const link of valuesOf(readPage(page.body), "href").filter((href) =>
        /^\/(docs|dashboard)/.test(href),
      ))
        assert.ok((await visit(link, BROWSER)).status < 400, link);
    });

    for (const accept of CLIENTS) {
      test(`${path} answers a client that accepts ${accept ?? "anything"} with JSON`, async () => {
        const answer = await visit(path, accept);
        assertRefused(answer, 404, "V11011");
        assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
        assert.equal(answer.headers.get("vary"), "Accept");
      });
    }
  }

  test("a request with an API key is a client's, whatever it accepts", async () => {
    const answer = await visit("/nowhere", BROWSER, { key: TEST_KEY });
    assertRefused(answer, 404, "V11011");
    assert.equal(answer.body.result.mode, "sandbox");
    assertRefused(await visit("/", BROWSER, { key: "x".repeat(40) }), 404, "V11011");
  });

  test("methods other than GET and HEAD get JSON, from browsers too", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      assertRefused(await visit("/nowhere", BROWSER, { method }), 404, "V11011");
    assertRefused(await visit("/", BROWSER, { method: "POST" }), 404, "V11011");
  });

  test("HEAD returns GET's headers without a body, as a page and as JSON", async () => {
    for (const accept of [BROWSER, "*/*"]) {
      const [get, head] = [
        await visit("/nowhere", accept),
        await visit("/nowhere", accept, { method: "HEAD" }),
      ];
      assert.deepEqual([head.status, head.body], [404, ""]);
      for (const name of ["content-type", "vary"])
        assert.equal(head.headers.get(name), get.headers.get(name));
    }
  });

  test("a path of the API that has a route answers JSON to a browser", async () => {
    assertRefused(await visit("/paymentrequests", BROWSER), 401, "V11006");
    assertRefused(await visit("/tokens", BROWSER), 405, "V11012");
  });
});

describe("contract 2: the root", () => {
  test("answers a browser with a start page that leads to docs and dashboard", async () => {
    const page = await visit("/", BROWSER);
    assertPage(page, 200);
    const links = valuesOf(readPage(page.body), "href");
    for (const link of ["/docs/guides", "/docs", "/docs/codes", "/dashboard"])
      assert.ok(links.includes(link), link);
    assertPage(await visit("/?from=mail", BROWSER), 200);
  });

  test("answers a client with 404 as ever", async () => {
    for (const accept of CLIENTS) assertRefused(await visit("/", accept), 404, "V11011");
  });
});

describe("contract 2: pages for payers and users", () => {
  const at = async (url: string, accept: string) => {
    const answer = await fetch(url, { headers: { accept, "accept-language": "en" }, redirect: "manual" });
    return { answer, text: await answer.text() };
  };

  test("the payers' server answers a browser with a page in its language, a client with JSON", async () => {
    const base = gateway.hostedUrl.replace("localhost", "127.0.0.1");
    for (const path of ["/", "/nowhere", "/pay/nowhere"]) {
      const page = await at(base + path, BROWSER);
      assert.equal(page.answer.status, 404);
      assert.match(page.text, /<main [^>]*data-state="error"/);
      const json = await at(base + path, "application/json");
      assert.equal(json.answer.status, 404);
      assert.equal(
        (JSON.parse(json.text) as { result: { status: string } }).result.status,
        "validation_error",
      );
      assert.match(String(json.answer.headers.get("vary")), /\bAccept\b/);
    }
  });

  test("an unknown page of the dashboard is a page for a browser, JSON for a client", async () => {
    const base = gateway.baseUrl.replace("localhost", "127.0.0.1");
    const page = await at(`${base}/dashboard/a/b/c/d/e`, BROWSER);
    assert.equal(page.answer.status, 404);
    assert.match(page.text, /There is no such page/);
    const json = await at(`${base}/dashboard/a/b/c/d/e`, "application/json");
    assert.equal(json.answer.status, 404);
    assert.match(json.text, /"V11010"/);
  });

  test("a server of the dashboard alone leads a browser from its root to the dashboard", async () => {
    const port = String(await freePort());
    const alone = await startTestGateway({ environment: { TIDEGATE_DASHBOARD_PORT: port } });
    try {
      const base = alone.settings.dashboardUrl.replace("localhost", "127.0.0.1");
      const root = await at(`${base}/`, BROWSER);
      assert.deepEqual([root.answer.status, root.answer.headers.get("location")], [303, "/dashboard"]);
      assert.equal((await at(`${base}/`, "*/*")).answer.status, 404);
      const lost = await at(`${base}/nowhere`, BROWSER);
      assert.equal(lost.answer.status, 404);
      assert.match(lost.text, /There is no such page/);
      const start = await alone.call("/", { key: null, headers: { accept: BROWSER } });
      assert.doesNotMatch(start.body, /href="\/dashboard"/);
    } finally {
      await alone.stop();
    }
  });
});
