import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Capability } from "../../features/merchants/index.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import { pagePolicy } from "../page-policy.ts";
import { NO_VENDORS, vendorSources } from "./vendor-sources.ts";

const capabilities = (googlePay: boolean) => ({ googlePay, applePay: true }) as Record<Capability, boolean>;

describe("contract 8: the vendors' own scripts are loaded only in live mode", () => {
  test("a live merchant with Google Pay: the page may load Google's script, and nothing else from elsewhere", () => {
    const policy = pagePolicy(undefined, {
      scripts: ["sha384-own"],
      vendors: vendorSources({ mode: "live", capabilities: capabilities(true) }, WALLETS),
    });
    const [, nonce] =
      /script-src 'self' 'sha384-own' https:\/\/pay\.google\.com 'nonce-([\w-]{22})';/.exec(policy) ?? [];
    assert.ok(nonce, policy);
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}';`), policy);
    assert.match(policy, /img-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*/);
  });

  test("each answer has a nonce of its own", () => {
    const nonceOf = () => vendorSources({ mode: "live", capabilities: capabilities(true) }, WALLETS).nonce;
    const nonces = Array.from({ length: 100 }, nonceOf);
    assert.equal(new Set(nonces).size, 100);
  });

  test("the sandbox and an account without Google Pay load nothing", () => {
    for (const [mode, googlePay] of [
      ["sandbox", true],
      ["live", false],
    ] as const) {
      const policy = pagePolicy(undefined, {
        scripts: ["sha384-own"],
        vendors: vendorSources({ mode, capabilities: capabilities(googlePay) }, WALLETS),
      });
      assert.doesNotMatch(policy, /https:|nonce/);
    }
  });

  test("a page without Google Pay loads nothing, also of a live merchant who has it", () => {
    const merchant = { mode: "live", capabilities: capabilities(true) } as const;
    assert.deepEqual(vendorSources(merchant, ["apple_pay"]), NO_VENDORS);
  });
});
