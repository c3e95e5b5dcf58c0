import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { answerChallenge, callApi, ok, openFrame, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const LOADER = "/static/pay/js/payui.js";
const TYPES = "/static/pay/js/payui.d.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(gateway.hostedUrl.replace("localhost", "127.0.0.1") + path, { headers });
/** The published hash of the loader, and the URL that contains it. */
const published = async () =>
  ((await (await get("/static/pay/integrity.json")).json()) as Record<string, { address: string }>)[
    "1.0.0"
  ] ?? assert.fail();
const bytesOf = async (path: string, headers?: Readonly<Record<string, string>>) =>
  Buffer.from(await (await get(path, headers)).arrayBuffer());

describe("contract 11: files that browsers request automatically", () => {
  test("both origins have an icon, so that the console shows no error", async () => {
    for (const origin of [gateway.hostedUrl, gateway.baseUrl]) {
      const answer = await fetch(`${origin.replace("localhost", "127.0.0.1")}/favicon.ico`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-type"), "image/svg+xml");
      assert.match(await answer.text(), /^<svg /);
    }
  });
});

describe("spec 1, contract 2: the script's URL has no version; a versioned copy never changes", () => {
  test("both URLs serve the same script, one revalidated each time, one cached forever", async () => {
    const { address } = await published();
    assert.match(address, /^\/static\/pay\/1\.0\.0\/[0-9a-f]{16}\/payui\.js$/);
    const [newest, pinned] = [await get(LOADER), await get(address)];
    assert.equal(newest.headers.get("cache-control"), "no-cache");
    assert.match(String(pinned.headers.get("cache-control")), /max-age=31536000, immutable/);
    assert.match(String(newest.headers.get("content-type")), /^text\/javascript/);
    assert.equal(await newest.text(), await pinned.text());
  });

  test("the published hash matches the pinned script, compressed or not", async () => {
    const { address, ...hashes } = await published();
    for (const encoding of ["gzip", "identity"]) {
      const bytes = await bytesOf(address, { "accept-encoding": encoding });
      const hash = `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
      assert.deepEqual(hashes, { "payui.js": hash });
    }
  });

  test("a page of any origin may verify the hash", async () => {
    const { headers } = await get((await published()).address, { origin: "https://shop.example" });
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
  });

  test("a matching ETag gets 304, another gets the script", async () => {
    const tag = String((await get(LOADER)).headers.get("etag"));
    assert.equal((await get(LOADER, { "if-none-match": tag })).status, 304);
    assert.equal((await get(LOADER, { "if-none-match": '"another"' })).status, 200);
  });

  test("the types are served beside the script, identical to the source", async () => {
    const source = await readFile(new URL("../../../browser/payui/payui.d.ts", import.meta.url));
    assert.deepEqual(await bytesOf(TYPES), source);
    assert.match(source.toString(), /declare global \{[\s\S]*const SVC/);
  });

  test("another version, hash or name is 404", async () => {
    const { address } = await published();
    for (const path of [
      address.replace("1.0.0", "1.0.1"),
      address.replace(/[0-9a-f]{16}/, "0123456789abcdef"),
      "/static/pay/1.0.0/payui.js",
      "/static/pay/js/payui.ts",
      "/static/pay/js/",
    ])
      assert.equal((await get(path)).status, 404, path);
  });
});

describe("PCI DSS 6.4.3: every script of every payment page is inventoried", () => {
  type Entry = { name: string; address: string; purpose: string; integrity: string | null };

  async function scriptsOn(path: string): Promise<readonly string[]> {
    const answer = await get(path.replace(gateway.hostedUrl, ""));
    assert.equal(answer.status, 200, path);
    const text = await answer.text();
    assert.doesNotMatch(text, /<script(?![^>]* src=)/, "no inline script");
    const [, sources = ""] =
      /script-src ([^;]*)/.exec(answer.headers.get("content-security-policy") ?? "") ?? [];
    // Hosted pages name their scripts by hash, too.
    const hashes = [...text.matchAll(/<script[^>]* integrity="([^"]+)"/g)].map(
      ([, hash = ""]) => `'${hash}'`,
    );
    const isHosted = /^\/(pay|payid)\//.test(new URL(path, gateway.hostedUrl).pathname);
    assert.equal(sources, ["'self'", ...(isHosted ? hashes.toReversed() : [])].join(" "));
    return [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, address = ""]) => address);
  }

  test("every script a page loads is in the inventory with the hash of the served bytes", async () => {
    const { scripts } = (await (await get("/static/pay/scripts.json")).json()) as { scripts: Entry[] };
    const shop = shopOf(gateway);
    const frame = await openFrame(shop, { amount: 14418, category: { authenticationType: "3d_secure" } });
    const { challenge } = ok(await frame.pay());
    const hint = frame.token.split("_")[1];
    const logo = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
    const page = ok(
      await callApi(shop, "POST", "/paymentrequests", {
        payment: { amount: 3000 },
        paymentMethods: ["card", "google_pay"],
        hostedPaymentPage: { logo },
      }),
    ).hostedPaymentPage.url;
    await answerChallenge(shop, challenge.url, "approve");
    const pages = [
      `/checkout/1.0.0/${hint}/frame`,
      `/checkout/1.0.0/${hint}/frame/wallets`,
      page,
      challenge.url,
    ];
    const loaded = new Set((await Promise.all(pages.map(scriptsOn))).flat());
    assert.equal(loaded.size, 4, [...loaded].join());
    for (const address of loaded)
      assert.ok(
        scripts.some((one) => one.address === address),
        address,
      );
    for (const { address, integrity, purpose } of scripts) {
      assert.ok(purpose.length > 20, address);
      if (integrity === null) continue;
      const hash = createHash("sha384")
        .update(await bytesOf(address))
        .digest("base64");
      assert.equal(integrity, `sha384-${hash}`, address);
    }
  });
});
