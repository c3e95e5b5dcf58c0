import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import { API_ROUTES } from "../../src/app/routes.ts";
import { referencePage } from "../../src/docs-site/reference/page.ts";
import { MONITORING_PATHS } from "../../src/platform/http/monitoring-paths.ts";
import { openApiDocument } from "../../src/platform/http/openapi.ts";
import { EVENT_VALUES } from "../../src/platform/outbox/publish.ts";
import { assertRefused, assertSecure } from "../support/answers.ts";
import { contrast } from "../support/contrast.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { documentProblems } from "../support/openapi-rules.ts";
import { type Element, readPage, valuesOf } from "../support/page.ts";

const PAGE_CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const ASSETS = { stylesheet: "/a.css", script: { address: "/c.js", integrity: "sha384-x" } };
const OPEN = { key: null } as const;

let gateway: TestGateway;
let description: Answer;
let page: Answer;
let elements: readonly Element[];
let css: string;

before(async () => {
  gateway = await startTestGateway();
  description = await gateway.get("/openapi.json", OPEN);
  page = await gateway.get("/docs", OPEN);
  elements = readPage(page.body);
  css = (await gateway.get(valuesOf(elements, "href").find((one) => one.includes(".css")) ?? "", OPEN)).body;
});
after(() => gateway.stop());

describe("contract 1: the OpenAPI description", () => {
  test("needs no key, is valid, and names this gateway", () => {
    assert.equal(description.status, 200);
    assert.equal(description.headers.get("content-type"), "application/json; charset=utf-8");
    assertSecure((name) => description.headers.get(name));
    assert.deepEqual(documentProblems(description.body), []);
    assert.equal(description.body.info.version, manifest.version);
    const [server] = description.body.servers;
    assert.deepEqual([server.url, server.variables.baseUrl.default], ["{baseUrl}", gateway.baseUrl]);
  });

  test("`limit` is an integer in every list", () => {
    type Parameter = { readonly name?: string; readonly schema?: { readonly type: string } };
    const calls = Object.values<Record<string, { parameters?: Parameter[] }>>(description.body.paths);
    const types = calls
      .flatMap((path) => Object.values(path).flatMap(({ parameters = [] }) => parameters))
      .filter(({ name }) => name === "limit")
      .map(({ schema }) => schema?.type);
    assert.ok(types.length > 9);
    assert.deepEqual([...new Set(types)], ["integer"]);
  });

  test("spec 2.4: contains the hosted-page fields of the request and of the response", () => {
    const { CreatePaymentRequestBody: body, PaymentRequest: answer } = description.body.components.schemas;
    const fields = [
      "merchantName",
      "logo",
      "resultPage",
      "redirectUrl",
      "cancelUrl",
      "theme",
      "lineItems",
      "adjustments",
      "attempts",
    ];
    const form = body.oneOf.find(({ title }: { title: string }) => title === "Hosted payment page");
    const requestFields = form.properties.hostedPaymentPage;
    const responseFields = answer.properties.hostedPaymentPage;
    assert.deepEqual(Object.keys(requestFields.properties), fields);
    assert.deepEqual(Object.keys(responseFields.properties), [...fields, "url"]);
    assert.deepEqual(requestFields.required, ["logo"]);
    const item = ["title", "image", "amount", "quantity", "modifier"];
    const adjustment = ["title", "amount", "adjustmentType", "order"];
    for (const { lineItems, adjustments } of [requestFields.properties, responseFields.properties]) {
      assert.deepEqual(Object.keys(lineItems.items.properties), item);
      assert.deepEqual(Object.keys(adjustments.items.properties), adjustment);
    }
  });
});

describe("contract 1: the API reference page", () => {
  test("shows every operation with its path, summary and scope", () => {
    const sections = elements.filter(({ attributes }) => attributes["class"] === "endpoint");
    assert.equal(sections.length, API_ROUTES.length);
    for (const route of API_ROUTES) {
      const section = sections.find(({ attributes }) => attributes["id"] === route.name);
      assert.ok(section, route.name);
      for (const part of [route.method, route.path, route.summary, `scope ${route.scope}`, "X-Api-Key"]) {
        assert.ok(section.text.includes(part), `${route.name}: ${part}`);
      }
    }
  });

  test("shows the fields of a body, also of one that may be left out, and of no other", () => {
    const sectionOf = (id: string) => page.body.split(`id="${id}"`)[1].split("</section>")[0];
    const shown = ["createCustomer", "createRefund", "captureTransaction", "cancelTransaction"].map((id) =>
      sectionOf(id).includes("Fields of the body"),
    );
    assert.deepEqual(shown, [true, true, true, false]);
  });

  test("names every webhook event with its payload", () => {
    const events = { ...description.body.webhooks };
    assert.deepEqual(Object.keys(events), [...EVENT_VALUES, "ping"]);
    for (const event of Object.keys(events))
      assert.ok(page.body.includes(`<code>${event}</code></th>`), event);
    assert.match(page.body, /<a href="#\w+Refund-answer">Refund<\/a>/);
  });

  test("every link on the page resolves, those to codes on the page of codes", async () => {
    const ids = valuesOf(elements, "id");
    assert.deepEqual(ids, [...new Set(ids)]);
    const codes = valuesOf(readPage((await gateway.get("/docs/codes", OPEN)).body), "id");
    const links = valuesOf(elements, "href");
    const anchors = links.filter((href) => href.startsWith("#"));
    const toCodes = links.filter((href) => href.startsWith("/docs/codes#"));
    assert.ok(anchors.length > 100 && toCodes.length > 100);
    for (const anchor of anchors) assert.ok(ids.includes(anchor.slice(1)), anchor);
    for (const link of toCodes) assert.ok(codes.includes(link.slice("/docs/codes#".length)), link);
    assert.ok(!codes.includes("V99999"));
  });

  test("loads nothing from another host, and contains no inline script and no inline style", () => {
    assert.equal(page.headers.get("content-security-policy"), PAGE_CSP);
    assertSecure((name) => page.headers.get(name));
    const loaded = [
      ...valuesOf(elements, "src"),
      ...valuesOf(elements, "href"),
      ...valuesOf(elements, "action"),
    ];
    for (const url of loaded) assert.match(url, /^(#|\/(?!\/)|data:image\/)/);
    assert.doesNotMatch(css, /@import|url\(/);
    for (const { name, attributes } of elements) {
      assert.ok(!["style", "iframe"].includes(name), name);
      if (name === "script") assert.match(attributes["integrity"] ?? "", /^sha384-/);
      for (const attribute of Object.keys(attributes)) assert.doesNotMatch(attribute, /^(on|style$)/);
    }
  });

  test("has landmarks, a skip link, ordered headings, and captions on tables", () => {
    const names = elements.map(({ name }) => name);
    assert.equal(names.filter((name) => name === "main").length, 1);
    assert.equal(names.filter((name) => name === "h1").length, 1);
    assert.equal(elements.find(({ name }) => name === "html")?.attributes["lang"], "en");
    assert.ok(
      elements.filter(({ name }) => name === "nav").every(({ attributes }) => attributes["aria-label"]),
    );
    const firstLink = elements.find(({ name }) => name === "a");
    assert.equal(firstLink?.attributes["href"], "#reference");
    const levels = names.filter((name) => /^h\d$/.test(name)).map((name) => Number(name.slice(1)));
    for (const [index, level] of levels.entries()) assert.ok(level <= (levels[index - 1] ?? 0) + 1);
    const tables = names.filter((name) => name === "table").length;
    assert.equal(names.filter((name) => name === "caption").length, tables);
  });

  test("escapes text from every source", () => {
    const [first, ...rest] = API_ROUTES;
    assert.ok(first);
    const hostile = { ...first, summary: `<script>"&'</script>`, about: "`<b>` <img src=x>" };
    const made = openApiDocument([hostile, ...rest], { version: "<i>", baseUrl: gateway.baseUrl });
    const html = referencePage(made, ASSETS, "/b.json");
    assert.doesNotMatch(html, /<script(?! src="\/c\.js")|<b>|<i>|<img src=x/);
    const heading = readPage(html).find(({ attributes }) => attributes["id"] === `${first.name}-title`);
    assert.equal(heading?.text, `<script>"&'</script>`);
  });

  test("has WCAG AA contrast, light and dark", () => {
    const [light = "", dark = ""] = css.split("prefers-color-scheme: dark");
    for (const scheme of [light, dark]) {
      const tones = Object.fromEntries(
        [...scheme.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, tone]) => [name, tone ?? ""]),
      );
      const on = (text: string, ground: string) => contrast(tones[text] ?? "", tones[ground] ?? "");
      for (const text of ["text", "quiet", "accent"]) {
        for (const ground of ["page", "panel", "marked"])
          assert.ok(on(text, ground) >= 4.5, `${text} on ${ground}`);
      }
      for (const method of ["get", "post", "put", "delete"]) {
        assert.ok(on(method, `${method}-tint`) >= 4.5, method);
      }
      assert.ok(on("put", "page") >= 4.5);
    }
    assert.ok(contrast("#777777", "#ffffff") < 4.5);
  });
});

describe("contract 2: serving the API reference", () => {
  test("the stylesheet is cached forever only at the URL that contains its hash", async () => {
    const address = valuesOf(elements, "href").find((one) => one.includes(".css")) ?? "";
    const named = await gateway.get(address, OPEN);
    assert.equal(named.headers.get("content-type"), "text/css; charset=utf-8");
    assert.equal(named.headers.get("cache-control"), "public, max-age=31536000, immutable");
    const plain = await gateway.get("/docs/reference.css", OPEN);
    assert.equal(plain.headers.get("cache-control"), "no-store");
    assert.equal(plain.body, named.body);
  });

  test("the page is compressed on request, with the same content", async () => {
    const as = (encoding: string) =>
      gateway.get("/docs", { ...OPEN, headers: { "accept-encoding": encoding } });
    const [packed, plain, refused] = [await as("br, gzip"), await as("identity"), await as("gzip;q=0")];
    assert.equal(packed.headers.get("content-encoding"), "gzip");
    assert.equal(packed.headers.get("vary"), "Accept-Encoding");
    for (const one of [plain, refused]) assert.equal(one.headers.get("content-encoding"), null);
    assert.equal(packed.body, plain.body);
  });

  test("other methods on the reference and monitoring paths are 405; other paths are 404", async () => {
    for (const path of [
      "/docs",
      "/openapi.json",
      "/docs/reference.css",
      ...Object.values(MONITORING_PATHS),
    ]) {
      const refused = await gateway.post(path, {}, OPEN);
      assertRefused(refused, 405, "V11012");
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
    }
    assertRefused(await gateway.get("/docs/nothing", OPEN), 404, "V11011");
    assert.equal((await gateway.call("/docs", { ...OPEN, method: "HEAD" })).status, 200);
  });
});
