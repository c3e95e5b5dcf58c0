import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Context } from "../../../src/platform/context.ts";
import { assertRefused } from "../../support/answers.ts";
import { associationSites, type Site } from "../../support/association-sites.ts";
import { callApi, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { answerProblems, validatorOf } from "../../support/described-answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { tryCommand } from "../../support/typed-command.ts";

const PATH = "/management/applepaydomains";

const MANY = Array.from({ length: 51 }, (_, at) => `s${String(at).padStart(2, "0")}.example`);
const FAILING = ["nowhere", "moved", "missing", "page", "wrapped", "typed", "untyped", "other"];
const UNREACHED = ["untrusted", "closed", "inside", "broken", "silent", "endless"];

describe("spec 4 and contract 8: Apple Pay domains", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const sites = new Map<string, Site>();
  let network: Awaited<ReturnType<typeof associationSites>>;
  const requestedUrls = () => network.requested;

  before(async () => {
    const failing = [...FAILING, ...UNREACHED].map((name) => `${name}.example`);
    const names = ["shop.example", "www.shop.example", ...failing, ...MANY];
    network = await associationSites(names, sites);
    gateway = await startTestGateway({ wrapContext: (ctx) => ({ ...ctx, egress: network.egress }) });
    shop = shopOf(gateway);
    const text = await association();
    sites.set("shop.example", { body: text });
    sites.set("www.shop.example", {
      body: `${text}\n`,
      headers: { "content-type": "application/octet-stream" },
    });
  });
  after(async () => {
    await gateway.stop();
    await network.close();
  });

  const association = async (): Promise<string> =>
    (await gateway.call(`${PATH}/association`, {})).body as string;
  const post = (domains: unknown) => callApi(shop, "POST", PATH, { domains });
  const remove = (domains: unknown) => gateway.call(PATH, { method: "DELETE", body: { domains } });
  const registered = async (): Promise<readonly string[]> => ok(await callApi(shop, "GET", PATH)).domains;

  test("`tidegate domains check` returns the same result, without --merchant if there is one merchant", async () => {
    const { settings, database } = gateway;
    const wrapContext = (ctx: Context) => ({
      ...ctx,
      egress: { ...network.egress, close: ctx.egress.close },
    });
    const check = (domain: string) =>
      tryCommand({ settings, database, wrapContext }, "domains", "check", domain);
    sites.set("missing.example", { status: 404 });
    const good = await check("Shop.Example");
    assert.deepEqual([good.code, good.output], [0, { domain: "shop.example", verified: true }]);
    const bad = await check("missing.example");
    assert.deepEqual([bad.code, bad.output.verified], [1, false]);
    const [code] = (await post(["missing.example"])).body.result.codes;
    assert.equal(bad.output.reason, code.reason);
    assert.equal((await check("127.0x1")).code, 2);
  });

  test("the association file is plain text and the merchant's own", async () => {
    const answer = await gateway.call(`${PATH}/association`, {});
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(answer.body as string, /^[0-9A-F]{64,}$/);
    const other = await gateway.newMerchant();
    const theirs = await gateway.call(`${PATH}/association`, { key: other.key });
    assert.notEqual(theirs.body, answer.body);
  });

  test("a domain with the right file is registered, listed and removed", async () => {
    const made = ok(await post(["Shop.Example", "www.shop.example"]));
    assert.deepEqual(made.domains, ["shop.example", "www.shop.example"]);
    assert.deepEqual(
      made.registrations.map(({ domain, status }: Record<string, string>) => [domain, status]),
      [
        ["shop.example", "registered"],
        ["www.shop.example", "registered"],
      ],
    );
    assert.match(made.registrations[0].registeredDateTime, /^\d{4}-.*Z$/);
    assert.deepEqual(Object.keys(made), ["domains", "registrations", "result"]);
    assert.deepEqual(ok(await callApi(shop, "GET", PATH)), made);
    assert.ok(
      requestedUrls().includes(
        "https://shop.example/.well-known/apple-developer-merchantid-domain-association",
      ),
    );
    assert.deepEqual(ok(await post(["shop.example"])), made, "a repeated registration changes nothing");
    const left = ok(await remove(["SHOP.example"]));
    assert.deepEqual([left.domains, left.registrations.length], [["www.shop.example"], 1]);
    assertRefused(await remove(["www.shop.example", "shop.example"]), 404, ["V12103", "/domains/1"]);
    assert.deepEqual(await registered(), ["www.shop.example"]);
    ok(await remove(["www.shop.example"]));
    const other = await gateway.newMerchant();
    assert.deepEqual(ok(await gateway.call(PATH, { key: other.key })).domains, []);
  });

  test("each failing domain returns its reason, and none is registered", async () => {
    const text = await association();
    const html = { "content-type": "text/html; charset=utf-8" };
    const cases: Readonly<Record<string, readonly [Site | undefined, RegExp]>> = {
      "nowhere.example": [undefined, /no address \(DNS\)/],
      "moved.example": [
        { status: 301, headers: { location: "https://www.moved.example/x" } },
        /redirects to https:\/\/www\.moved\.example\/x/,
      ],
      "missing.example": [{ status: 404 }, /HTTP 404, not 200/],
      "page.example": [{ headers: html, body: "<!doctype html>" }, /HTML page/],
      "wrapped.example": [{ body: `<html>${text}</html>` }, /HTML page/],
      "typed.example": [
        { headers: { "content-type": "application/json" }, body: text },
        /content type is application\/json/,
      ],
      "untyped.example": [{ headers: {}, body: text }, /content type is missing/],
      "other.example": [{ body: `${text}00` }, /text differs/],
      "endless.example": [{ body: text.padEnd(20_000, "\n") }, /too long, or did not end/],
      "untrusted.example": [{ fault: "untrusted certificate", body: text }, /certificate .* \(TLS\)/],
      "stranger.example": [{ body: text }, /certificate is not valid for this name \(TLS\)/],
      "closed.example": [{ fault: "nothing listens" }, /nothing answers on port 443/],
      "inside.example": [{ fault: "inside" }, /address that is not public/],
      "broken.example": [{ fault: "breaks off" }, /connection was reset/],
      "silent.example": [{ fault: "never answers" }, /no complete answer within 10 seconds/],
    };
    for (const [domain, [site]] of Object.entries(cases)) if (site !== undefined) sites.set(domain, site);
    const domains = ["shop.example", ...Object.keys(cases)];
    const answer = await post(domains);
    assert.equal(answer.status, 500);
    assert.equal(answer.body.result.status, "system_error");
    assert.equal(answer.body.result.codes.length, Object.keys(cases).length);
    for (const [index, [domain, [, reason]]] of Object.entries(cases).entries()) {
      const code = answer.body.result.codes[index];
      assert.equal(code.message, "wallet_domain_verification_failed");
      assert.equal(code.domain, domain);
      assert.equal(code.field, `/domains/${index + 1}`);
      assert.match(code.reason, /^Domain verification failed: /);
      assert.match(code.reason, reason);
    }
    assert.deepEqual(await registered(), []);
    const document = (await gateway.get("/openapi.json")).body;
    const described = answerProblems(document, validatorOf(document), "registerApplePayDomains", answer);
    assert.deepEqual(described, [], "the description has domain and reason");
  });

  test("a repeated idempotency key is refused before any request is sent", async () => {
    const headers = { "x-idempotency-key": "domains-once" };
    const postOnce = (domains: readonly string[]) => callApi({ ...shop, headers }, "POST", PATH, { domains });
    ok(await postOnce(["localhost"]));
    const before = requestedUrls().length;
    assertRefused(await postOnce(["nowhere.example"]), 409, "V10018");
    assert.equal(requestedUrls().length, before);
    ok(await remove(["localhost"]));
  });

  test("an invalid domain name is refused before any request is sent", async () => {
    const before = requestedUrls().length;
    const wrong = [
      "https://shop.example",
      "shop.example/x",
      "shop.example:443",
      "*.shop.example",
      "127.0.0.1",
      "127.0x1",
      "shop",
    ];
    const answer = await post(wrong);
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.result.codes.map(({ id, field }: { id: string; field: string }) => `${id} ${field}`),
      wrong.map((_, index) => `V12101 /domains/${index}`),
    );
    assertRefused(await post([]), 400, ["V12100", "/domains"]);
    assertRefused(await post("shop.example"), 400, ["V12100", "/domains"]);
    assert.equal(requestedUrls().length, before);
  });

  test("localhost needs no file in the sandbox", async () => {
    assert.deepEqual(ok(await post(["localhost"])).domains, ["localhost"]);
    ok(await remove(["localhost"]));
  });

  test("at most fifty domains, per call and per account", async () => {
    const text = await association();
    const domains = MANY;
    for (const domain of domains) sites.set(domain, { body: text });
    assertRefused(await post(domains), 400, ["V12100", "/domains"]);
    assert.equal(ok(await post(domains.slice(0, 50))).domains.length, 50);
    assertRefused(await post(domains.slice(50)), 400, ["V12102", "/domains"]);
    ok(await post(domains.slice(0, 1)));
    ok(await remove(domains.slice(0, 1)));
    // Two concurrent calls for the one place left.
    const both = await Promise.all([post(domains.slice(50)), post(["localhost"])]);
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 400]));
    ok(await remove(await registered()));
  });

  test("a merchant without the Apple Pay capability cannot register a domain", async () => {
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { applePay: false } }));
    assertRefused(await post(["localhost"]), 403, "V12104");
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { applePay: true } }));
  });
});
