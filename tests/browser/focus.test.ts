import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSetup } from "../support/browser.ts";
import { CARD } from "../support/checkout.ts";
import { contrast } from "../support/contrast.ts";
import { eventually } from "../support/eventually.ts";
import { createHosted } from "../support/hosted-page.ts";

const setup = browserSetup();

type Outline = {
  readonly name: string;
  readonly width: number;
  readonly style: string;
  readonly colour: string;
  readonly behind: string;
  /** Elements without the focus that have an outline, too. */
  readonly others: number;
};

/** The outline of the focused control, and the colour of the surface that it is drawn on. A drawn box stands for its input. */
const OUTLINE = `(() => {
  const focused = document.activeElement;
  const drawn = focused.type === "checkbox" ? focused.nextElementSibling : focused;
  const hex = (colour) => "#" + colour.match(/\\d+/g).slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0")).join("");
  const opaque = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return /, 0\\)$/.test(colour) && element.parentElement ? opaque(element.parentElement) : hex(colour);
  };
  const { outlineWidth, outlineStyle, outlineColor } = getComputedStyle(drawn);
  const has = (element) => getComputedStyle(element).outlineStyle !== "none";
  return {
    name: focused.id || focused.className,
    width: parseFloat(outlineWidth),
    style: outlineStyle,
    colour: hex(outlineColor),
    behind: opaque(drawn.parentElement.closest(".surface, body")),
    others: [...document.querySelectorAll("input, button, a, .tick, .notice")]
      .filter((element) => element !== drawn && element !== focused && has(element)).length,
  };
})()`;

const MODES = [
  { colorScheme: "light" },
  { colorScheme: "dark" },
  { colorScheme: "light", forcedColors: "active" },
  { colorScheme: "dark", forcedColors: "active" },
] as const;

describe("the focus is a real outline", () => {
  for (const mode of MODES) {
    const where = `${mode.colorScheme}${"forcedColors" in mode ? ", forced colours" : ""}`;
    test(`one control at a time has it, at once, 2 px and with a contrast of 3: ${where}`, async () => {
      const { url } = (
        await createHosted(setup.shop, {
          page: { cancelUrl: "https://shop.example/cart" },
          more: { customerRequest: { name: "Mere Tui", paymentInstrument: "create" } },
        })
      ).hostedPaymentPage;
      await setup.visit(
        async ({ context }) => {
          const page = await context.newPage();
          await page.goto(url);
          const seen: string[] = [];
          for (let tab = 0; tab < 7; tab += 1) {
            await page.keyboard.press("Tab");
            const outline = await page.evaluate<Outline>(OUTLINE);
            seen.push(outline.name);
            assert.equal(outline.style, "solid", outline.name);
            assert.ok(outline.width >= 2, `${outline.name}: ${outline.width} px`);
            assert.ok(contrast(outline.colour, outline.behind) >= 3, JSON.stringify(outline));
            assert.equal(outline.others, 0, `${outline.name}: others wear an outline`);
          }
          assert.deepEqual(seen, [
            "number",
            "expiry",
            "securityCode",
            "name",
            "consent",
            "pay",
            "quiet quiet-link",
          ]);
        },
        { ...mode, reducedMotion: "no-preference" },
      );
    });
  }

  test("a control that was clicked with the mouse has none, a text field has", async () => {
    const customerRequest = { name: "Mere Tui", paymentInstrument: "create" };
    const { token } = await setup.request({ customerRequest });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      const frame = await checkout.document();
      const shown = async () => (await frame.evaluate<Outline>(OUTLINE)).style;
      await checkout.consent.click();
      assert.equal(await shown(), "none");
      await checkout.number.click();
      assert.equal(await shown(), "solid");
    });
  });

  test("a background that hides the usual accent gets the outline in the text's colour", async () => {
    const { token } = await setup.request();
    const config = {
      ui: { theme: "light", variables: { colorBackground: "#4d8fa6", colorText: "#000000" } },
    };
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token, config });
      await checkout.waitFor("ready");
      const frame = await checkout.document();
      await checkout.number.focus();
      const { colour, behind } = await frame.evaluate<Outline>(OUTLINE);
      assert.deepEqual([colour, behind], ["#000000", "#4d8fa6"]);
    });
  });
});

async function leaveFrame(page: Page): Promise<void> {
  await page.evaluate(`{
    const note = document.createElement("input");
    note.id = "note";
    document.body.appendChild(note);
  }`);
  await page.locator("#note").click();
}

describe("contract 11: a payer who has left the frame keeps the focus on the merchant's page", () => {
  for (const [what, code] of [
    ["a notice", { id: "V11610", message: "checkout_payment_in_progress", detail: "" }],
    [
      "a field's problem",
      { id: "V10090", message: "card_number_invalid", detail: "", field: "/card/number" },
    ],
  ] as const)
    test(what, async () => {
      await setup.visit(async (payer) => {
        const checkout = await setup.openForm(payer);
        const left = Promise.withResolvers<void>();
        const body = JSON.stringify({ result: { status: "validation_error", codes: [code] } });
        await payer.context.route("**/checkout/pay", async (route) => {
          await left.promise;
          await route.fulfill({ status: 409, contentType: "application/json", body });
        });
        await checkout.fill();
        await checkout.pay();
        await checkout.waitFor("processing");
        await leaveFrame(checkout.page);
        left.resolve();
        await checkout.waitFor("ready");
        await checkout.frame.locator(".notice:visible, .problem:visible").first().waitFor();
        await checkout.page.keyboard.type("for Ann");
        assert.equal(await checkout.page.locator("#note").inputValue(), "for Ann");

        await checkout.number.fill(CARD.number);
        await checkout.pay();
        await checkout.waitFor("ready");
        const focused = checkout.frame.locator(".notice:focus, #number:focus");
        await eventually("a payer in the frame gets it", async () => (await focused.count()) === 1);
      });
    });
});

describe("contract 11: screen readers announce an outcome, in a region that they knew before", () => {
  for (const isElsewhere of [true, false])
    test(
      isElsewhere ? "to a payer elsewhere on the page" : "not to one in the frame, who gets the focus",
      async () => {
        await setup.visit(async (payer) => {
          const checkout = await setup.openForm(payer);
          const left = Promise.withResolvers<void>();
          await payer.context.route("**/checkout/pay", async (route) => {
            await left.promise;
            await route.continue();
          });
          const regions = await checkout.frame.getByRole("status").elementHandles();
          await checkout.fill();
          await checkout.pay();
          await checkout.waitFor("processing");
          if (isElsewhere) await leaveFrame(checkout.page);
          left.resolve();
          await checkout.waitFor("approved");
          const said = (await Promise.all(regions.map((region) => region.innerText()))).join("");
          assert.equal(said, isElsewhere ? "Payment approved $30.00 Paid to Sandbox merchant" : "");
          const focused = checkout.frame.locator("#heading:focus");
          assert.equal(await focused.count(), isElsewhere ? 0 : 1);
          assert.equal(await checkout.frame.locator("#panel-place[aria-live]").count(), 0);
        });
      },
    );
});
