import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reportsIn } from "./page-report.ts";

const ORIGIN = "https://pay.example";
const old = (fields: object) => ({ "csp-report": { "document-uri": `${ORIGIN}/pay/x`, ...fields } });
const read = (body: unknown) => reportsIn(JSON.stringify(body), ORIGIN);
const inline = { "violated-directive": "script-src-elem 'self'", "blocked-uri": "inline" };

describe("reports of browsers", () => {
  test("are read in both forms", () => {
    const expected = { page: "hosted_page", directive: "script-src-elem", blocked: "inline", source: "none" };
    assert.deepEqual(read(old(inline)), [expected]);
    const body = {
      documentURL: `${ORIGIN}/pay/x`,
      effectiveDirective: "script-src-elem",
      blockedURL: "inline",
    };
    assert.deepEqual(read([{ type: "csp-violation", body }]), [expected]);
    assert.deepEqual(read([{ type: "deprecation", body }]), []);
    assert.deepEqual(read([{ type: "csp-violation", body: [] }]), []);
  });

  test("about other origins, without a directive of a policy or without any shape are left out", () => {
    assert.deepEqual(read(old({ ...inline, "document-uri": "https://other.example/pay/x" })), []);
    assert.deepEqual(read(old({ ...inline, "violated-directive": "made-up" })), []);
    for (const body of [null, 7, "text", [], [[]], {}, { "csp-report": null }, { "csp-report": 7 }])
      assert.deepEqual(read(body), []);
    assert.deepEqual(reportsIn("{", ORIGIN), []);
  });

  test("are at most 20 of one body", () => {
    assert.equal(read(Array.from({ length: 20 }, () => old(inline))).length, 20);
    assert.equal(read(Array.from({ length: 21 }, () => old(inline))).length, 20);
  });

  for (const [path, page] of [
    ["/pay/x", "hosted_page"],
    ["/checkout/frame", "checkout_frame"],
    ["/checkout/3ds/x", "bank_page"],
    ["/sandbox/x", "bank_page"],
    ["/docs", "other"],
  ] as const) {
    test(`${path} is ${page}`, () =>
      assert.equal(read(old({ ...inline, "document-uri": `${ORIGIN}${path}` }))[0]?.page, page));
  }

  for (const [given, kept] of [
    ["https://evil.example:8443/path?card=4111", "https://evil.example:8443"],
    ["wss://evil.example/x", "wss://evil.example"],
    [`${ORIGIN}/pay/secret`, "self"],
    ["data:text/html,secret", "data:"],
    ["data", "data:"],
    ["chrome-extension", "chrome-extension:"],
    ["eval", "eval"],
    ["Secret text", "other"],
    [`a${"b".repeat(30)}`, `a${"b".repeat(30)}:`],
    [`a${"b".repeat(31)}`, "other"],
    ["https://4111111111111111.example", "https://#.example"],
    [`https://${"a".repeat(60)}.${"b".repeat(60)}.example`, `https://${"a".repeat(60)}.${"b".repeat(31)}`],
    ["", "none"],
  ] as const) {
    test(`of "${given.slice(0, 40)}" only "${kept.slice(0, 40)}" is kept`, () => {
      assert.equal(read(old({ ...inline, "blocked-uri": given }))[0]?.blocked, kept);
      assert.equal(read(old({ ...inline, "source-file": given }))[0]?.source, kept);
    });
  }
});
