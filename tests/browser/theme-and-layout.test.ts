import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer } from "../support/browser.ts";
import { callApi, ok, openFrame, type RequestOverrides, type Shop, shopOf } from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";
import type { PageOverrides } from "../support/merchant-page.ts";

const setup = browserSetup();

describe("contract 11: layout and theme of the checkout", () => {
  async function openReady(
    payer: Payer,
    page: PageOverrides = {},
    overrides: RequestOverrides = {},
    shop?: Shop,
  ) {
    const { token } = await setup.request(overrides, shop);
    const checkout = await payer.open({ token, ...page });
    await checkout.waitFor("ready");
    return checkout;
  }

  const styleOf = (checkout: CheckoutPage, selector: string, property: string) =>
    checkout.frame
      .locator(selector)
      .evaluate(
        (element, name) => element.ownerDocument.defaultView.getComputedStyle(element)[name],
        property,
      );

  /** Asserts that the frame is as high as its content: nothing is cut off, nothing scrolls inside. */
  async function assertFits(checkout: CheckoutPage, what: string): Promise<number> {
    return eventually(`the frame is as high as its content: ${what}`, async () => {
      const frame = await checkout.page.locator("iframe").boundingBox();
      const content = await checkout.main.boundingBox();
      if (frame === null || content === null) return undefined;
      return Math.abs(frame.height - content.height) <= 1 && frame.height;
    });
  }

  const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  test("the frame's height follows its content", async () => {
    await setup.visit(async (payer) => {
      const checkout = await openReady(payer);
      const ready = await assertFits(checkout, "ready");
      await checkout.pay();
      await eventually(
        "the errors make the frame higher",
        async () => (await assertFits(checkout, "errors")) > ready,
      );
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
      await eventually(
        "the outcome makes it lower",
        async () => (await assertFits(checkout, "approved")) < ready,
      );
    });
  });

  test("the challenge's frame is as high as the bank's page, even when the window gets narrower", async () => {
    const overrides = { amount: 14418, category: { authenticationType: "3d_secure" } };
    await setup.visit(async (payer) => {
      const checkout = await openReady(payer, {}, overrides);
      await checkout.fill();
      await checkout.pay();
      const fits = (what: string) =>
        eventually(`the bank's page fits: ${what}`, async () => {
          const frame = await checkout.frame.locator("#challenge-frame").boundingBox();
          const page = await checkout.bank.locator("main").boundingBox();
          if (frame === null || page === null) return undefined;
          return Math.abs(frame.height - page.height) <= 1 && frame.height;
        });
      const wide = await fits("wide");
      await checkout.page.setViewportSize({ width: 320, height: 640 });
      await eventually("a narrow page is higher", async () => (await fits("narrow")) > wide);
      await assertFits(checkout, "challenge");
    });
  });

  test("at 320 px nothing scrolls sideways, in any state", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const surcharging = { enabled: true, rates: { visa: { percent: 1.2, fixed: 10 } } };
    ok(await callApi(shop, "PUT", "/management/account", { surcharging }));
    const overrides = {
      amount: 14418,
      category: { authenticationType: "3d_secure" },
      customerRequest: { name: "Mere Tui", paymentInstrument: "create" },
    };
    await setup.visit(
      async (payer) => {
        const checkout = await openReady(payer, {}, overrides, shop);
        const narrow = async (what: string) => {
          for (const frame of checkout.page.frames()) {
            assert.equal(await frame.evaluate(SIDEWAYS), 0, `${what}: ${frame.url()}`);
          }
          await assertFits(checkout, what);
        };
        await narrow("ready");
        await checkout.pay();
        await narrow("errors");
        await checkout.fill();
        await checkout.consent.check();
        await checkout.event("surchargeUpdate");
        await narrow("surcharge");
        await checkout.pay();
        await checkout.bank.getByRole("button", { name: "Approve" }).waitFor();
        await narrow("challenge");
        await checkout.bank.getByRole("button", { name: "Approve" }).click();
        await checkout.waitFor("approved");
        await narrow("approved");
      },
      { viewport: { width: 320, height: 640 } },
    );
  });

  test("the page's theme overrides the payer's system; without one, the system's applies", async () => {
    const dark = "rgb(21, 26, 33)";
    const light = "rgb(255, 255, 255)";
    for (const [colorScheme, theme, expected] of [
      ["light", "dark", dark],
      ["dark", "light", light],
      ["dark", undefined, dark],
      ["light", undefined, light],
    ] as const) {
      await setup.visit(
        async (payer) => {
          const checkout = await openReady(payer, theme === undefined ? {} : { config: { ui: { theme } } });
          assert.equal(
            await styleOf(checkout, "main", "backgroundColor"),
            expected,
            `${colorScheme} ${theme}`,
          );
        },
        { colorScheme },
      );
    }
  });

  test("the page's variables apply, and text on its colour stays readable", async () => {
    const variables = {
      colorPrimary: "#ffd400",
      fontFamily: "Georgia, serif",
      borderRadius: "0",
      fontSizeBase: "18px",
    };
    await setup.visit(async (payer) => {
      const checkout = await openReady(payer, { config: { ui: { theme: "light", variables } } });
      assert.equal(await styleOf(checkout, "button.pay", "backgroundColor"), "rgb(255, 212, 0)");
      assert.equal(await styleOf(checkout, "button.pay", "color"), "rgb(0, 0, 0)");
      assert.equal(await styleOf(checkout, "button.pay", "borderRadius"), "0px");
      assert.equal(await styleOf(checkout, "label >> nth=0", "fontFamily"), "Georgia, serif");
      assert.equal(await styleOf(checkout, "html", "fontSize"), "18px");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });
});

describe("contract 11: strict policies", () => {
  async function pageOf(path: string): Promise<{ headers: Headers; text: string }> {
    const response = await fetch(setup.gateway.hostedUrl.replace("localhost", "127.0.0.1") + path);
    assert.equal(response.status, 200);
    return { headers: response.headers, text: await response.text() };
  }

  function assertStrict({ headers, text }: { headers: Headers; text: string }): void {
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /base-uri 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|data:(?<!img-src 'self' data:)/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.doesNotMatch(text, /<style|style=|<script(?! src=)|\son\w+=/);
  }

  test("the frame's policy allows nothing inline and no other origin", async () => {
    const { token } = await setup.request();
    assertStrict(await pageOf(`/checkout/1.0.0/${token.split("_")[1]}/frame`));
  });

  test("the policy of the sandbox bank's page does the same", async () => {
    const overrides = { amount: 14418, category: { authenticationType: "3d_secure" } };
    const paid = ok(await (await openFrame(setup.shop, overrides)).pay());
    assertStrict(await pageOf(paid.challenge.url));
  });
});
