import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { createHosted, type HostedOverrides, hostedPage } from "../support/hosted-page.ts";

/** The merchant's redirect URL redirects to another origin. */
for (const javaScriptEnabled of [true, false]) {
  describe(`spec 4: resultPage redirect ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    const setup = browserSetup();

    async function payAndArrive(overrides: HostedOverrides, answersBank: boolean): Promise<void> {
      await setup.visit(
        async ({ context }) => {
          const page = { resultPage: "redirect", redirectUrl: `${setup.site.origin}/moved` };
          const { hostedPaymentPage } = await createHosted(setup.shop, { ...overrides, page });
          const hosted = hostedPage(await context.newPage());
          await hosted.page.goto(hostedPaymentPage.url);
          await hosted.fill();
          await hosted.pay();
          const bank = javaScriptEnabled ? hosted.bank : hosted.page;
          if (answersBank) await bank.getByRole("button", { name: "Approve" }).click();
          await hosted.page.getByRole("heading", { name: "Thank you for your order" }).waitFor();
        },
        { javaScriptEnabled },
      );
    }

    test("a payer arrives where the merchant's site redirects", async () => {
      await payAndArrive({}, false);
    });

    test("a payer arrives there after a 3D Secure challenge, too", async () => {
      await payAndArrive({ amount: 14418, category: { authenticationType: "3d_secure" } }, true);
    });
  });
}
