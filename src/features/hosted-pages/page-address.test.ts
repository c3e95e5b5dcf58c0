import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newId } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import {
  bankAppLink,
  isPageKey,
  merchantOfPageKey,
  newPageKey,
  pageKeyOfToken,
  pageUrl,
  payIdToken,
  railPath,
} from "./page-address.ts";

describe("the addresses of hosted pages", () => {
  const merchantId = newId("merchant", instant(Date.UTC(2026, 10, 16)));
  const key = newPageKey(merchantId);

  test("a page's key names its merchant, then has 192 random bits", () => {
    assert.equal(merchantOfPageKey(key), merchantId);
    assert.equal(`mer_${key.slice(0, -32)}`, merchantId);
    assert.notEqual(newPageKey(merchantId), key);
    assert.equal(Buffer.from(key.slice(-32), "base64url").length * 8, 192);
    assert.equal(isPageKey(key), true);
    assert.equal(isPageKey(`${key}!`), false);
  });

  test("an old key names no merchant", () => {
    assert.equal(merchantOfPageKey("x".repeat(32)), undefined);
  });

  test("a token of a PayID has the key of its page, and another text has none", () => {
    const token = payIdToken(key);
    assert.match(token, /^tok_/);
    assert.equal(pageKeyOfToken(token), key);
    for (const other of [key, "", `${token}x`, token.replace("tok_", "ott_")])
      assert.equal(pageKeyOfToken(other), undefined, other);
  });

  test("a rail has its own pages, every other flow the hosted page", () => {
    assert.equal(railPath("payid"), "/payid");
    assert.equal(
      pageUrl("https://pay.example", { flow: "payid", pageKey: "k" }),
      "https://pay.example/payid/k",
    );
    for (const flow of ["hosted_page", "checkout"])
      assert.equal(pageUrl("https://pay.example", { flow, pageKey: "k" }), "https://pay.example/pay/k");
  });

  test("the sandbox's bank app opens with the request and its PayID", () => {
    assert.equal(bankAppLink("pr_1", "a+b@pay.example"), "/sandbox/bankapp/pr_1?payId=a%2Bb%40pay.example");
  });
});
