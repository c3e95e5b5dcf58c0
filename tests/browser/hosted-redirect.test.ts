import { describe, test } from "node:test";
import { browserWorld } from "../support/browser.ts";
import { createHosted, type HostedWish, hostedPage } from "../support/hosted-page.ts";

/** The merchant's redirect URL redirects to another origin. */
for (const javaScriptEnabled of [true, false]) {
  describe(`spec 4: resultPage redirect ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    const ctx = browserWorld();

    async function payAndArrive(wish: HostedWish, answersBank: boolean): Promise<void> {
      await ctx.visit(
        async ({ context }) => {
          const page = { resultPage: "redirect", redirectUrl: `${ctx.site.origin}/moved` };
          const { hostedPaymentPage } = await createHosted(ctx.shop, { ...wish, page });
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
