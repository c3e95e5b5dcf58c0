import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Frame } from "playwright-core";
import type { PageState } from "../../browser/ui/page-state.ts";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { callApi, ok, type RequestOverrides, type Shop, shopOf } from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";

const setup = browserSetup();

type Scene = {
  readonly state: PageState;
  readonly what: string;
  readonly overrides?: RequestOverrides;
  readonly reach: (checkout: CheckoutPage) => Promise<void>;
};

async function pay(checkout: CheckoutPage): Promise<void> {
  await checkout.fill();
  await checkout.pay();
}

const SCENES: readonly Scene[] = [
  {
    state: "ready",
    what: "the form with consent and errors",
    overrides: { customerRequest: { name: "Mere Tui", paymentInstrument: "create" } },
    reach: async (checkout) => {
      await checkout.waitFor("ready");
      await checkout.pay();
    },
  },
  {
    state: "ready",
    what: "the surcharge",
    reach: async (checkout) => {
      await checkout.fill();
      await checkout.event("surchargeUpdate");
    },
  },
  { state: "approved", what: "an approval", reach: pay },
  { state: "declined", what: "a decline", overrides: { amount: 14451 }, reach: pay },
  { state: "pending", what: "a pending payment", overrides: { amount: 14481 }, reach: pay },
  {
    state: "challenge",
    what: "a challenge",
    overrides: { amount: 14418, category: { authenticationType: "3d_secure" } },
    reach: async (checkout) => {
      await pay(checkout);
      await checkout.bank.getByRole("button", { name: "Approve" }).waitFor();
    },
  },
];

for (const theme of ["light", "dark"] as const) {
  describe(`contract 11: WCAG 2.2 AA in every state, ${theme}`, () => {
    let shop: Shop;

    /** The page sets the light theme; the dark one comes from the payer's system. */
    const ui = theme === "light" ? { ui: { theme } } : {};

    async function surchargingShop(): Promise<Shop> {
      const made = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
      const surcharging = { enabled: true, rates: { visa: { percent: 1.2, fixed: 10 } } };
      ok(await callApi(made, "PUT", "/management/account", { surcharging }));
      return made;
    }

    for (const { state, what, overrides, reach } of SCENES) {
      test(`axe finds no violation in ${state}: ${what}`, async () => {
        shop ??= await surchargingShop();
        const { token } = await setup.request(overrides, shop);
        await setup.visit(
          async (payer) => {
            const checkout = await payer.open({ token, config: ui });
            if (state === "ready") {
              await checkout.waitFor("ready");
              await assertAccessible(await checkout.document(), `the empty form, ${theme}`);
            }
            await reach(checkout);
            await checkout.waitFor(state);
            await assertAccessible(await checkout.document(), `${what}, ${theme}`);
            assert.equal(await checkout.main.count(), 1);
            for (const bank of banksOf(checkout)) await assertAccessible(bank, `the sandbox bank, ${theme}`);
            await assertAccessible(checkout.page.mainFrame(), "the frame in the merchant's page");
          },
          { colorScheme: theme },
        );
      });
    }
  });
}

describe("the accessibility check finds planted violations", () => {
  test("reports a field without a label and text without contrast", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      const document = await checkout.document();
      await document.evaluate(`document.querySelector('label[for="name"]').remove();
        document.querySelector(".footer").style.color = "#ddd";`);
      await assert.rejects(assertAccessible(document, "planted"), ({ actual }: { actual: string[] }) => {
        const rules = new Set(actual.map((violation) => violation.split(":")[0]));
        return rules.has("label") && rules.has("color-contrast");
      });
    });
  });
});

function banksOf({ page }: CheckoutPage): readonly Frame[] {
  return page.frames().filter((frame) => frame.url().includes("/sandbox/bank/"));
}
