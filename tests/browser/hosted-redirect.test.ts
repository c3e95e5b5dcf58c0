import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { createHosted, type HostedOverrides, hostedPage } from "../support/hosted-page.ts";

const CHALLENGED = { amount: 14418, category: { authenticationType: "3d_secure" } } as const;

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
      await payAndArrive(CHALLENGED, true);
    });

    if (!javaScriptEnabled)
      test("after a challenge, a link on the result page leads to the merchant's app", async () => {
        await setup.visit(
          async ({ context }) => {
            const page = { resultPage: "redirect", redirectUrl: "myshop://done" };
            const { hostedPaymentPage } = await createHosted(setup.shop, { ...CHALLENGED, page });
            const hosted = hostedPage(await context.newPage());
            await hosted.page.goto(hostedPaymentPage.url);
            await hosted.fill();
            await hosted.pay();
            await hosted.page.getByRole("button", { name: "Approve" }).click();
            await hosted.waitFor("approved");
            await hosted.page.locator('a[href="myshop://done"]').waitFor();
          },
          { javaScriptEnabled },
        );
      });
  });
}
