import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer } from "../support/browser.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";
import type { PageOverrides } from "../support/merchant-page.ts";

const setup = browserSetup();

const DARK = "rgb(21, 26, 33)";
const LIGHT = "rgb(255, 255, 255)";

async function openReady(payer: Payer, page: PageOverrides): Promise<CheckoutPage> {
  const { token } = await setup.request();
  const checkout = await payer.open({ token, ...page });
  await checkout.waitFor("ready");
  return checkout;
}

async function styleOf(checkout: CheckoutPage, selector: string, property: string): Promise<string> {
  return checkout.frame
    .locator(selector)
    .first()
    .evaluate((element, name) => element.ownerDocument.defaultView.getComputedStyle(element)[name], property);
}

describe("contract 11: ui.variables", () => {
  /** Variable, value, element, its property and what the browser makes of it. */
  const TAKEN: readonly (readonly [string, string, string, string, string])[] = [
    ["colorPrimary", "rgba(11, 95, 124, 0.9)", "button.pay", "backgroundColor", "rgba(11, 95, 124, 0.9)"],
    ["colorPrimary", "#0b5f7ccc", "button.pay", "backgroundColor", "rgba(11, 95, 124, 0.8)"],
    ["colorPrimary", "hsl(120 100% 25%)", "button.pay", "backgroundColor", "rgb(0, 128, 0)"],
    ["colorPrimary", "oklch(0.5 0.1 220)", "button.pay", "backgroundColor", "oklch(0.5 0.1 220)"],
    ["colorText", "rgb(0 0 60 / 95%)", "label", "color", "rgba(0, 0, 60, 0.95)"],
    ["colorBorder", "currentColor", "input", "borderTopColor", "rgb(23, 32, 46)"],
    ["colorBackground", "transparent", "main", "backgroundColor", "rgba(0, 0, 0, 0)"],
    ["borderRadius", ".5rem", "button.pay", "borderTopLeftRadius", "8px"],
    ["borderRadius", "1em", "input", "borderTopLeftRadius", "16px"],
    ["borderRadius", "10%", "input", "borderTopLeftRadius", "10%"],
    ["borderRadius", "999px", "button.pay", "borderTopLeftRadius", "999px"],
    ["borderRadius", "999px", "main", "borderTopLeftRadius", "48px"],
    ["fontSizeBase", "112.5%", "html", "fontSize", "18px"],
    ["fontSizeBase", "1.25em", "html", "fontSize", "20px"],
    ["fontSizeBase", "12px", "html", "fontSize", "12px"],
    ["fontSizeBase", "11px", "html", "fontSize", "12px"],
    ["fontSizeBase", "24px", "html", "fontSize", "24px"],
    ["fontSizeBase", "40px", "html", "fontSize", "24px"],
    ["spacingUnit", ".375rem", "main", "paddingTop", "30px"],
    ["spacingUnit", "50%", "main", "paddingTop", "40px"],
    ["spacingUnit", "0", "main", "paddingTop", "10px"],
    ["spacingUnit", "1em", "main", "paddingTop", "60px"],
  ];

  test("takes any colour and length of CSS, and keeps sizes within what can be read", async () => {
    await setup.visit(async (payer) => {
      for (const [name, value, selector, property, expected] of TAKEN) {
        const config = { ui: { theme: "light", variables: { [name]: value } } };
        const checkout = await openReady(payer, { config });
        const { result, ...rest } = await checkout.event("initialise");
        assert.deepEqual([result.status, rest], ["ok", { name: "initialise" }], `${name}: ${value}`);
        assert.equal(await styleOf(checkout, selector, property), expected, `${name}: ${value}`);
        await checkout.page.close();
      }
      assert.ok(!payer.console.some((line) => line.includes("left out")));
    });
  });

  test("text on the page's colour is readable, in notations other than sRGB and on translucent ones", async () => {
    await setup.visit(async (payer) => {
      for (const [colorPrimary, theme, expected] of [
        ["oklch(0.95 0.1 100)", "light", "rgb(0, 0, 0)"],
        ["oklch(0.3 0.1 270)", "light", "rgb(255, 255, 255)"],
        ["rgba(0, 0, 0, 0.1)", "light", "rgb(0, 0, 0)"],
        ["rgba(255, 255, 255, 0.1)", "dark", "rgb(255, 255, 255)"],
      ]) {
        const checkout = await openReady(payer, { config: { ui: { theme, variables: { colorPrimary } } } });
        assert.equal(await styleOf(checkout, "button.pay", "color"), expected, colorPrimary);
        await checkout.page.close();
      }
    });
  });

  test("leaves out what it can't take, names it in the event and in the console, and takes the payment", async () => {
    const variables = {
      colour: "red",
      "a/b": "red",
      colorPrimary: "url(https://elsewhere.example/x)",
      colorText: "notacolour",
      colorDanger: 7,
      colorBorder: "inherit",
      fontSizeBase: "16",
      borderRadius: "-1px",
      spacingUnit: "wide",
      colorBackground: "#fafafa",
    };
    const { colorBackground: _taken, ...wrong } = variables;
    await setup.visit(async (payer) => {
      const checkout = await openReady(payer, { config: { ui: { theme: "neon", variables } } });
      const { result, ignored } = await checkout.event("initialise");
      assert.deepEqual([result, ignored], [{ status: "ok" }, ["theme", ...Object.keys(wrong)]]);
      await payer.consoleShows(/ui\.theme is left out: it must be light or dark/);
      await payer.consoleShows(/ui\.variables\.colour is left out: the variables are colorPrimary, /);
      await payer.consoleShows(/ui\.variables\.colorPrimary is left out: it must be a CSS colour/);
      await payer.consoleShows(/ui\.variables\.spacingUnit is left out: it must be a CSS length/);
      assert.equal(await styleOf(checkout, "main", "backgroundColor"), "rgb(250, 250, 250)");
      assert.equal(await styleOf(checkout, "button.pay", "backgroundColor"), "rgb(11, 95, 124)");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("a ui or variables that are no object are left out, too; what is undefined is not there", async () => {
    await setup.visit(async (payer) => {
      for (const [ui, expected] of [
        ['"dark"', ["ui"]],
        ["null", ["ui"]],
        ['{ variables: "red" }', ["variables"]],
        ["{ variables: { colorText: () => 1 } }", ["colorText"]],
        ["{ theme: undefined, variables: { colorText: undefined } }", undefined],
        ["undefined", undefined],
      ] as const) {
        const { token } = await setup.request();
        const first = `instance.destroy();
          window.instance = SVC.PayUI.initialise({ token: "${token}", containerId: "checkout", version: "1.0.0", ui: ${ui} });`;
        const checkout = await payer.open({ config: { token: "none" }, first });
        await checkout.waitFor("ready");
        const { result, ignored } = await checkout.event("initialise");
        assert.deepEqual([result.status, ignored], ["ok", expected], ui);
        await checkout.page.close();
      }
    });
  });

  test("the frame takes nothing unsafe from a page that connects to it without our loader", async () => {
    const { token } = await setup.request();
    const address = `${setup.gateway.hostedUrl}/checkout/1.0.0/${token.split("_")[1]}/frame`;
    const ui = {
      theme: "light;x",
      pageTheme: '"><script>',
      variables: {
        colorPrimary: "url(https://elsewhere.example/1)",
        colorText: "var(--danger)",
        colorBackground: "red; background-image: url(https://elsewhere.example/2)",
        colorDanger: "color-mix(in srgb, var(--text), red)",
        colorBorder: "red}*{display:none",
        fontFamily: "x; } @import 'https://elsewhere.example/3'",
        fontSizeBase: "calc(var(--unit) * 5)",
        borderRadius: "env(x, 9px)",
        spacingUnit: "attr(data-x px)",
        "--text": "red",
        onclick: "alert(1)",
      },
    };
    const page = `<!doctype html><html lang="en"><title>Harbour Books</title>
      <div id="checkout"><iframe title="Secure card payment" src="${address}"></iframe></div>
      <script>addEventListener("message", (event) => {
        if (window.channel || event.data.tidegate !== "hello") return;
        window.channel = new MessageChannel();
        const connect = { tidegate: "connect", version: "1.0.0", token: ${JSON.stringify(token)}, ui: ${JSON.stringify(ui).replaceAll("<", "\\u003c")} };
        event.source.postMessage(connect, "*", [window.channel.port2]);
      });</script>`;
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ page });
      await checkout.waitFor("ready");
      const root = checkout.frame.locator("html");
      assert.equal(await root.getAttribute("style"), null);
      assert.equal(await root.getAttribute("data-theme"), null);
      assert.ok(!payer.requests.some(({ url }) => url.includes("elsewhere.example")));
    });
    const safe = page.replace(/ui: \{.*\} \};/, 'ui: { variables: { colorPrimary: "teal" } } };');
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ page: safe });
      await checkout.waitFor("ready");
      assert.equal(await styleOf(checkout, "button.pay", "backgroundColor"), "rgb(0, 128, 128)");
    });
  });
});

describe("contract 11: without ui.theme the checkout follows the page's color-scheme, then the system", () => {
  const css = (rules: string) => `<style>${rules}</style>`;
  type Case = { head: string; system: "light" | "dark"; expected: string; ui?: { theme: string } };
  const CASES: readonly Case[] = [
    { head: css(":root { color-scheme: dark }"), system: "light", expected: DARK },
    { head: css(":root { color-scheme: light }"), system: "dark", expected: LIGHT },
    { head: css(":root { color-scheme: only light }"), system: "dark", expected: LIGHT },
    { head: css("#checkout { color-scheme: dark }"), system: "light", expected: DARK },
    {
      head: css(":root { color-scheme: dark } #checkout { color-scheme: light }"),
      system: "dark",
      expected: LIGHT,
    },
    { head: '<meta name="color-scheme" content="dark">', system: "light", expected: DARK },
    { head: '<meta name="color-scheme" content="light">', system: "dark", expected: LIGHT },
    { head: css(":root { color-scheme: light dark }"), system: "dark", expected: DARK },
    { head: css(":root { color-scheme: light dark }"), system: "light", expected: LIGHT },
    { head: "", system: "dark", expected: DARK },
    { head: "", system: "light", expected: LIGHT },
    { head: css(":root { color-scheme: dark }"), system: "dark", expected: LIGHT, ui: { theme: "light" } },
    { head: css(":root { color-scheme: dark }"), system: "light", expected: DARK, ui: { theme: "neon" } },
  ];

  for (const { head, system, expected, ui } of CASES) {
    const setting = ui === undefined ? "" : ` and theme ${ui.theme}`;
    test(`${head || "nothing declared"}, system ${system}${setting}: ${expected === DARK ? "dark" : "light"}`, async () => {
      await setup.visit(
        async (payer) => {
          const checkout = await openReady(payer, { head, ...(ui === undefined ? {} : { config: { ui } }) });
          assert.equal(await styleOf(checkout, "main", "backgroundColor"), expected);
        },
        { colorScheme: system },
      );
    });
  }

  test("a page that declares both follows the payer's system while it is open", async () => {
    await setup.visit(async (payer) => {
      const checkout = await openReady(payer, { head: css(":root { color-scheme: light dark }") });
      await checkout.page.emulateMedia({ colorScheme: "dark" });
      await eventually(
        "the checkout is dark",
        async () => (await styleOf(checkout, "main", "backgroundColor")) === DARK,
      );
    });
  });

  test("the page's own background decides before its color-scheme; a translucent one lies on a light page", async () => {
    const dark = css(":root { color-scheme: dark }");
    for (const [head, colorBackground, expected] of [
      [dark, "#ffffff", "light"],
      [dark, "transparent", "dark"],
      ["", "transparent", "light"],
      ["", "#101010", "dark"],
      ["", "oklch(0.2 0.02 260)", "dark"],
    ] as const) {
      await setup.visit(
        async (payer) => {
          const checkout = await openReady(payer, {
            head,
            config: { ui: { variables: { colorBackground } } },
          });
          const theme = await checkout.frame.locator("html").getAttribute("data-theme");
          assert.equal(theme, expected, `${head} ${colorBackground}`);
        },
        { colorScheme: "dark" },
      );
    }
  });
});
