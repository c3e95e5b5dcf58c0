import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { changeTheme } from "../../../src/features/merchants/index.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { callApi, ok, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { visitPage } from "../../support/visit-page.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
});
after(() => gateway.stop());

const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64")}`;
const create = (theme: unknown, by = shop) =>
  callApi(by, "POST", "/paymentrequests", { payment: { amount: 3000 }, hostedPaymentPage: { logo, theme } });

/** The page and the stylesheet of its theme. */
async function openPage(
  url: string,
): Promise<{ readonly page: string; readonly css: string; readonly style: string }> {
  const { text: page } = await visitPage(gateway, url);
  const [, style = ""] = /href="([^"]*\/themes?\/[^"]*)"/.exec(page) ?? [];
  const answer = await visitPage(gateway, style);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/css/);
  return { page, css: answer.text, style };
}

describe("hostedPaymentPage.theme", () => {
  test("is echoed, and colours the page under its strict policy", async () => {
    const theme = {
      theme: "dark",
      variables: { colorPrimary: "#ffcc00", borderRadius: "2px", fontSizeBase: "18px" },
      font: "serif",
    };
    const body = ok(await create(theme));
    assert.deepEqual(body.hostedPaymentPage.theme, theme);
    const read = ok(await callApi(shop, "GET", `/paymentrequests/${body.id}`));
    assert.deepEqual(read.hostedPaymentPage.theme, theme);
    const { page, css, style } = await openPage(body.hostedPaymentPage.url);
    assert.match(page, /<html lang="en" data-theme="dark">/);
    assert.doesNotMatch(page, /<style| style=/);
    for (const line of [
      "@supports (color: #ffcc00)",
      "--primary: #ffcc00;",
      "--on-primary: #000;",
      "--radius: 2px;",
      "--size: clamp(12px, 18px, 24px);",
      "--font: Georgia, ",
    ])
      assert.ok(css.includes(line), `${line} in ${css}`);
    assert.equal((await visitPage(gateway, style.replace(/\w+\.css$/, "0123456789abcdef.css"))).status, 404);
    assert.equal((await visitPage(gateway, style.replace(/\/pay\/./, "/pay/x"))).status, 404);
  });

  test("left out, there is none in the answer; an empty one changes nothing", async () => {
    const none = ok(await create(undefined));
    assert.equal("theme" in none.hostedPaymentPage, false);
    assert.doesNotMatch((await visitPage(gateway, none.hostedPaymentPage.url)).text, /\/themes?\//);
    assert.equal((await openPage(ok(await create({})).hostedPaymentPage.url)).css, "");
  });

  test("what it leaves open is the account's default theme", async () => {
    const { id, key } = await gateway.newMerchant();
    const own = shopOf(gateway, key);
    const standard = { theme: "dark", variables: { colorPrimary: "#8a2be2", spacingUnit: "6px" } } as const;
    await inContext(gateway.database, (ctx) => changeTheme(ctx, id as Id<"merchant">, standard));
    const plain = await openPage(ok(await create(undefined, own)).hostedPaymentPage.url);
    assert.match(plain.css, /--primary: #8a2be2;/);
    const mixed = ok(await create({ variables: { colorPrimary: "teal" } }, own));
    const { page, css } = await openPage(mixed.hostedPaymentPage.url);
    assert.match(css, /--primary: teal;/);
    assert.match(css, /--unit: clamp\(2px, 6px, 12px\);/);
    assert.match(page, /data-theme="dark"/);
    assert.deepEqual(mixed.hostedPaymentPage.theme, { variables: { colorPrimary: "teal" } });
    const other = await openPage(ok(await create({ theme: "light" }, own)).hostedPaymentPage.url);
    assert.match(other.page, /data-theme="light"/);
  });

  test("what could do harm as CSS and what is unknown is refused, each with its field", async () => {
    const variable = (name: string, value: unknown) => create({ variables: { [name]: value } });
    const FIELD = "/hostedPaymentPage/theme/variables";
    for (const value of [
      "red; } body { display: none",
      "url(https://evil.example/x)",
      "var(--danger)",
      "#fff/*",
      "expression(alert(1))",
      "inherit",
      "red\\3b",
      "",
      "x".repeat(101),
      "</style><script>alert(1)</script>",
    ]) {
      const answer = await variable("colorPrimary", value);
      assert.equal(answer.status, 400, value);
      assert.deepEqual(
        answer.body.result.codes.map(({ message, field }: Record<string, string>) => [message, field]),
        [["hosted_payment_page_theme_variable_invalid", `${FIELD}/colorPrimary`]],
        value,
      );
    }
    for (const [name, value] of [
      ["fontFamily", "Georgia; color: red"],
      ["fontFamily", "url(x)"],
      ["fontSizeBase", 18],
      ["borderRadius", null],
      ["colorText", ["red"]],
    ] as const)
      assert.equal((await variable(name, value)).status, 400, `${name} ${String(value)}`);
    for (const theme of [
      "dark",
      null,
      [],
      { theme: "blue" },
      { theme: 1 },
      { font: "Comic Sans" },
      { font: "constructor" },
      { variables: { colorAccent: "red" } },
      { variables: "red" },
      { fonts: "serif" },
    ])
      assert.equal((await create(theme)).status, 400, JSON.stringify(theme));
    const both = await create({ font: "serif", variables: { fontFamily: "Georgia" } });
    assert.equal(both.status, 400);
    assert.match(problemsOf(both).join(), /\/hostedPaymentPage\/theme\/font/);
  });

  test("both sides of the limits: 100 characters of a colour, 200 of fonts", async () => {
    const fonts = (length: number) => `${"a".repeat(length - 7)}, serif`;
    assert.equal((await create({ variables: { fontFamily: fonts(200) } })).status, 200);
    assert.equal((await create({ variables: { fontFamily: fonts(201) } })).status, 400);
    const colour = `rgb(1, 2, ${" ".repeat(88)}3)`;
    assert.equal(colour.length, 100);
    assert.equal((await create({ variables: { colorText: colour } })).status, 200);
    assert.equal((await create({ variables: { colorText: ` ${colour}` } })).status, 400);
  });
});
