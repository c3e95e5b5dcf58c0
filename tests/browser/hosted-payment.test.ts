import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer } from "../support/browser.ts";
import { callApi, getRequest, getTransaction, ok } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { createHosted, type HostedOverrides, type HostedPage, hostedPage } from "../support/hosted-page.ts";

const SECURE = { authenticationType: "3d_secure" };

for (const javaScriptEnabled of [true, false]) {
  describe(`spec 4: the hosted page ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    const setup = browserSetup();
    const options = { javaScriptEnabled };

    async function open(
      payer: Payer,
      overrides: HostedOverrides = {},
    ): Promise<{ hosted: HostedPage; id: string; url: string }> {
      const { id, hostedPaymentPage } = await createHosted(setup.shop, overrides);
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.goto(hostedPaymentPage.url);
      return { hosted, id, url: hostedPaymentPage.url };
    }

    async function payOn(hosted: HostedPage): Promise<void> {
      await hosted.fill();
      await hosted.pay();
    }

    test("a payer who cancels leaves the request as it was, and can come back and pay", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id, url } = await open(payer, {
          amount: 14405,
          page: { cancelUrl: `${setup.site.origin}/thanks`, attempts: 2 },
        });
        const cancel = hosted.page.getByRole("link", { name: "Cancel and return" });
        const before = await getRequest(setup.shop, id);
        await cancel.click();
        await hosted.page.waitForURL(`${setup.site.origin}/thanks`);
        assert.deepEqual(await getRequest(setup.shop, id), before);
        await hosted.page.goto(url);
        await payOn(hosted);
        await hosted.waitFor("declined");
        assert.ok(await cancel.isVisible(), "also between two attempts");
        await payOn(hosted);
        await hosted.page.getByRole("heading", { name: "Payment declined" }).waitFor();
        assert.equal(await cancel.count(), 0);
      }, options);
    });

    test("an app opens after the payment, and the page that stays shows the outcome", async () => {
      await setup.visit(async (payer) => {
        const page = { resultPage: "redirect", redirectUrl: "myapp://paid" };
        const { hosted, id, url } = await open(payer, { page });
        await payOn(hosted);
        await eventually(
          "the request is completed",
          async () => (await getRequest(setup.shop, id)).paymentRequestStatus === "completed",
        );
        if (!javaScriptEnabled) await hosted.page.goto(url);
        await hosted.waitFor("approved");
        const back = hosted.page.getByRole("link", { name: /^Return to/ });
        assert.equal(await back.getAttribute("href"), "myapp://paid");
      }, options);
    });

    test("shows the merchant and the order, and accepts the payment", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer, {
          amount: 6500,
          description: "Order 1042",
          page: {
            merchantName: "Harbour Coffee",
            lineItems: [
              { title: "Beans", amount: 1800, quantity: 2 },
              { title: "Blend", amount: 4000, quantity: 0.5, modifier: "kg" },
              { title: "Filters", amount: 650 },
            ],
            adjustments: [
              { title: "Shipping", amount: 750, adjustmentType: "Shipping", order: 2 },
              { title: "Harvest", amount: -500, adjustmentType: "Discount", order: 1 },
            ],
          },
        });
        await hosted.waitFor("ready");
        const text = await hosted.page.locator("body").innerText();
        for (const part of [
          "Harbour Coffee",
          "$65.00",
          "Order 1042",
          "2 × $18.00",
          "0.5 kg × $40.00",
          "$6.50",
        ]) {
          assert.ok(text.includes(part), `${part} in ${text}`);
        }
        assert.match(
          text,
          /Subtotal\s+\$62\.50\s+Harvest\s+-\$5\.00\s+Shipping\s+\$7\.50\s+Total\s+\$65\.00/,
        );
        assert.equal(await hosted.payButton.innerText(), "Pay $65.00");
        await payOn(hosted);
        await hosted.waitFor("approved");
        const request = await getRequest(setup.shop, id);
        assert.equal(request.paymentRequestStatus, "completed");
        const receipt = await hosted.words();
        assert.match(receipt, /Payment approved/);
        assert.match(receipt, /Visa ending in 1111/);
        assert.ok(receipt.includes(request.transactionResult.id));
      }, options);
    });

    test("a decline with attempts left shows its reason and lets the payer retry; the last one ends the request", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id, url } = await open(payer, { amount: 14451, page: { attempts: 2 } });
        await payOn(hosted);
        await hosted.waitFor("declined");
        assert.match(await hosted.words(), /insufficient funds[\s\S]*not been charged[\s\S]*once more/);
        const between = await getRequest(setup.shop, id);
        assert.equal(between.paymentRequestStatus, "created");
        assert.equal(between.transactionAttempts.length, 1);
        await payOn(hosted);
        await eventually("the form is gone", async () => (await hosted.number.count()) === 0);
        await hosted.waitFor("declined");
        assert.match(await hosted.words(), /Payment declined[\s\S]*start a new payment/);
        const ended = await getRequest(setup.shop, id);
        assert.equal(ended.paymentRequestStatus, "completed");
        assert.equal(ended.transactionAttempts.length, 2);
        assert.equal(ended.transactionResult, undefined);
        await hosted.page.goto(url);
        await hosted.waitFor("declined");
        assert.equal(await hosted.number.count(), 0);
      }, options);
    });

    test("an approved second attempt keeps the failed one visible", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer, { amount: 14419, page: { attempts: 3 } });
        await payOn(hosted);
        await hosted.waitFor("declined");
        assert.match(await hosted.words(), /2 more times/);
        await payOn(hosted);
        await hosted.waitFor("approved");
        const request = await getRequest(setup.shop, id);
        assert.equal(request.transactionAttempts.length, 1);
        assert.notEqual(request.transactionResult.id, request.transactionAttempts[0].id);
      }, options);
    });

    test("resultPage redirect sends an approved payer to the merchant, and the page then shows the outcome", async () => {
      await setup.visit(async (payer) => {
        const target = `${setup.site.origin}/thanks`;
        const page = { resultPage: "redirect", redirectUrl: target };
        const { hosted, url } = await open(payer, { page });
        await payOn(hosted);
        await hosted.page.waitForURL(target);
        await hosted.page.goto(url);
        await hosted.waitFor("approved");
        assert.equal(
          await hosted.page.getByRole("link", { name: /^Return to/ }).getAttribute("href"),
          target,
        );

        const declined = await open(payer, { amount: 14405, page });
        await payOn(declined.hosted);
        await declined.hosted.waitFor("declined");
        assert.equal(await declined.hosted.page.getByRole("link", { name: /^Return to/ }).count(), 1);
      }, options);
    });

    test("resultPage none shows a neutral end without an outcome, even to a returning payer", async () => {
      await setup.visit(async (payer) => {
        const ends: string[] = [];
        for (const amount of [3000, 14405]) {
          const { hosted, url } = await open(payer, { amount, page: { resultPage: "none" } });
          await payOn(hosted);
          await hosted.waitFor("closed");
          await hosted.page.goto(url);
          await hosted.waitFor("closed");
          ends.push(await hosted.words());
        }
        assert.equal(ends[0], ends[1]);
        assert.doesNotMatch(ends[0] ?? "", /approved|declined|\$/i);
      }, options);
    });

    test("the result of a 3D Secure challenge decides the payment", async () => {
      await setup.visit(async (payer) => {
        for (const [button, state] of [
          ["Approve", "approved"],
          ["Fail", "declined"],
        ] as const) {
          const { hosted, id } = await open(payer, { amount: 14418, category: SECURE });
          await payOn(hosted);
          const bank = javaScriptEnabled ? hosted.bank : hosted.page;
          await bank.getByRole("heading", { name: "Sandbox bank" }).waitFor();
          await bank.getByRole("button", { name: button }).click();
          await hosted.waitFor(state);
          const request = await getRequest(setup.shop, id);
          const attempt = request.transactionResult ?? request.transactionAttempts[0];
          const { authentication, result } = await getTransaction(setup.shop, attempt.id);
          assert.equal(authentication.status, button === "Approve" ? "authenticated" : "failed");
          assert.equal(result.status, state);
        }
      }, options);
    });

    test("3D Secure that fails without a challenge uses an attempt, and the payer can retry", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer, { amount: 14417, category: SECURE, page: { attempts: 2 } });
        await payOn(hosted);
        await hosted.waitFor("declined");
        assert.match(await hosted.words(), /couldn't confirm that it's you/);
        assert.equal((await getRequest(setup.shop, id)).transactionAttempts.length, 1);
        assert.equal(await hosted.number.count(), 1);
      }, options);
    });

    test("a payer who returns to a cancelled request sees its state, and no form", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id, url } = await open(payer);
        ok(await callApi(setup.shop, "POST", `/paymentrequests/${id}/cancel`));
        await payOn(hosted);
        await hosted.waitFor("cancelled");
        await hosted.page.goto(url);
        await hosted.waitFor("cancelled");
        assert.equal(await hosted.number.count(), 0);
        assert.match(await hosted.words(), /not been charged/);
      }, options);
    });

    test("after one tab pays, the other shows it and charges nothing", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id, url } = await open(payer);
        const other = hostedPage(await payer.context.newPage());
        await other.page.goto(url);
        await other.fill();
        await payOn(hosted);
        await hosted.waitFor("approved");
        // With scripts the other tab updates; without, it shows the outcome when submitted.
        if (!javaScriptEnabled) await other.pay();
        await other.waitFor("approved");
        const { transactions } = ok(await callApi(setup.shop, "GET", `/transactions?paymentrequestid=${id}`));
        assert.equal(transactions.length, 1);
      }, options);
    });

    test("reloading a submitted page charges nothing again", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer, { amount: 14405, page: { attempts: 3 } });
        await payOn(hosted);
        await hosted.waitFor("declined");
        await hosted.page.reload();
        await hosted.waitFor("declined");
        await hosted.page.goBack().catch(() => undefined);
        await hosted.page.reload();
        const { transactionAttempts } = await getRequest(setup.shop, id);
        assert.equal(transactionAttempts.length, 1);
      }, options);
    });

    test("a lost acquirer answer shows as being confirmed, then as the outcome", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer, { amount: 14481 });
        await payOn(hosted);
        await hosted.waitFor("pending");
        assert.match(await hosted.words(), /confirming your payment[\s\S]*don't pay again/);
        await eventually(
          "the outcome is known",
          async () => (await getRequest(setup.shop, id)).paymentRequestStatus === "completed",
        );
        await hosted.waitFor("approved");
      }, options);
    });

    test("a surcharge is shown before anything is charged", async () => {
      const rates = { visa: { percent: 1.2, fixed: 10 } };
      ok(await callApi(setup.shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
      try {
        await setup.visit(async (payer) => {
          const { hosted, id } = await open(payer, { amount: 3000 });
          await hosted.fill();
          if (javaScriptEnabled) await hosted.page.keyboard.press("Tab");
          else await hosted.pay();
          await eventually(
            "the total is shown",
            async () => (await hosted.payButton.innerText()) === "Pay $30.46",
          );
          assert.match(
            await hosted.words(),
            /Amount\s+\$30\.00\s+Surcharge[\s\S]*\$0\.46\s+Total\s+\$30\.46/,
          );
          assert.equal((await getRequest(setup.shop, id)).transactionAttempts, undefined);
          await hosted.pay();
          await hosted.waitFor("approved");
          const { transactionResult } = await getRequest(setup.shop, id);
          const { payment } = await getTransaction(setup.shop, transactionResult.id);
          assert.equal(payment.surcharge, 46);
          assert.equal(payment.totalAmount, 3046);
          assert.match(await hosted.words(), /Surcharge\s+\$0\.46/);
        }, options);
      } finally {
        ok(await callApi(setup.shop, "PUT", "/management/account", { surcharging: { enabled: false } }));
      }
    });

    test("a wrong card number shows an error at its field, and nothing is charged", async () => {
      await setup.visit(async (payer) => {
        const { hosted, id } = await open(payer);
        await hosted.fill({ number: "4111111111111112" });
        await hosted.pay();
        await eventually(
          "the field is marked as invalid",
          async () => (await hosted.number.getAttribute("aria-invalid")) === "true",
        );
        const described = await hosted.number.getAttribute("aria-describedby");
        assert.match(described ?? "", /number-problem/);
        assert.match(await hosted.page.locator("#number-problem").innerText(), /card number/i);
        assert.equal((await getRequest(setup.shop, id)).transactionAttempts, undefined);
      }, options);
    });
  });
}
