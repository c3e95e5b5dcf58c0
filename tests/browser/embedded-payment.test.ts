import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { CARD, callApi, getRequest, getTransaction, ok } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { blocksOf } from "../support/guide-blocks.ts";

describe("spec 1: a payer pays in the embedded checkout", () => {
  const setup = browserSetup();

  const transactionsOf = async (id: string) =>
    ok(await callApi(setup.shop, "GET", `/transactions?paymentrequestid=${id}`)).transactions;

  test("an approval shows on the page, in the merchant's event and in the API, and the merchant never sees the card", async () => {
    const { id, token } = await setup.request({ amount: 3000 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      assert.deepEqual(await checkout.event("initialise"), { name: "initialise", result: { status: "ok" } });
      await checkout.waitFor("ready");
      assert.equal(await checkout.payButton.innerText(), "Pay $30.00");

      await checkout.fill({ name: "Mere Tui" });
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.match(await checkout.words(), /Payment approved[\s\S]*\$30\.00/);

      const process = await checkout.event("process");
      assert.equal(process.result.status, "approved");
      const request = await getRequest(setup.shop, id);
      assert.equal(request.paymentRequestStatus, "completed");
      assert.equal(request.transactionResult.id, process.transactionId);
      const transaction = await getTransaction(setup.shop, request.transactionResult.id);
      assert.equal(transaction.result.status, "approved");
      assert.equal(transaction.payment.instrument.card.last4, "1111");
      assert.equal(transaction.payment.instrument.card.name, "Mere Tui");

      const merchantKnows = [
        await checkout.page.content(),
        JSON.stringify(await checkout.events()),
        JSON.stringify(setup.site.seen),
      ].join();
      assert.ok(merchantKnows.includes(token), "the merchant's data is searched");
      for (const secret of [CARD.number, "4111 1111 1111 1111", "Mere Tui"]) {
        assert.ok(!merchantKnows.includes(secret), "the merchant gets no card data");
      }
      assert.equal(await checkout.frame.locator("input").count(), 0, "the fields are removed");
    });
  });

  test("the checkout works with the immutable script and its published hash", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token, script: "versioned" });
      await checkout.event("initialise");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("docs/guides/embedded-checkout.md: its page accepts a payment, and its pinned script loads", async () => {
    const blocks = (await blocksOf("docs/guides/embedded-checkout.md")).filter(({ kind }) => kind === "html");
    const [example = assert.fail(), pinned = assert.fail()] = blocks.map(({ text }) => text);
    const [, line = assert.fail()] = /^ *(<script src=.*<\/script>)$/m.exec(example) ?? [];
    const published = await fetch(
      `${setup.shop.hostedUrl.replace("localhost", "127.0.0.1")}/static/pay/integrity.json`,
    );
    const { "payui.js": integrity = "", address = "" } =
      ((await published.json()) as Record<string, Record<string, string>>)["1.0.0"] ?? {};
    const [, shownAddress = assert.fail()] = /src="http:\/\/localhost:4001([^"]+)"/.exec(pinned) ?? [];
    const pinnedScript = pinned.replace(shownAddress, address).replace("sha384-…", integrity);
    for (const page of [example, example.replace(line, pinnedScript)]) {
      const { token } = await setup.request({ amount: 3000 });
      const shown = page.replaceAll("http://localhost:4001", setup.shop.hostedUrl).replace("tok_…", token);
      await setup.visit(async (payer) => {
        const checkout = await payer.open({ page: shown });
        await checkout.waitFor("ready");
        await checkout.fill();
        await checkout.pay();
        await checkout.waitFor("approved");
        const outcome = checkout.page.locator("#outcome");
        await eventually("the page shows the outcome", async () =>
          /^approved txn_/.test(await outcome.innerText()),
        );
      });
    }
  });

  for (const [amount, code, words] of [
    [14451, "D04451", /insufficient funds/],
    [14405, "D04405", /Your bank declined this payment/],
    [14443, "D04443", /Your bank declined this payment/],
    [14482, "D10009", /couldn't be reached/],
  ] as const) {
    test(`a decline with ${code} shows its reason and removes the form`, async () => {
      const { id, token } = await setup.request({ amount });
      await setup.visit(async (payer) => {
        const checkout = await payer.open({ token });
        await checkout.fill();
        await checkout.pay();
        await checkout.waitFor("declined");
        const shown = await checkout.words();
        assert.match(shown, words);
        assert.match(shown, /You have not been charged/);
        assert.doesNotMatch(shown, /D\d{5}|_|undefined/);
        assert.equal(await checkout.payButton.count(), 0);

        const process = await checkout.event("process");
        assert.equal(process.result.status, "declined");
        assert.equal(process.result.codes?.[0]?.id, code);
        const request = await getRequest(setup.shop, id);
        assert.equal(request.paymentRequestStatus, "completed");
        assert.equal(request.transactionResult, undefined);
        assert.equal(request.transactionAttempts[0].id, process.transactionId);
      });
    });
  }

  test("a lost acquirer answer shows as pending, then as the outcome", async () => {
    const { id, token } = await setup.request({ amount: 14481 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("pending");
      assert.match(await checkout.words(), /don't pay again/);
      const first = await checkout.event("process");
      assert.equal(first.result.status, "pending");

      await checkout.waitFor("approved");
      const second = await checkout.event("process", 2);
      assert.equal(second.result.status, "approved");
      assert.equal(second.transactionId, first.transactionId);
      assert.equal((await transactionsOf(id)).length, 1);
    });
  });

  test("while the bank takes 8 seconds, the page shows progress and accepts no second payment", async () => {
    const { id, token } = await setup.request({ amount: 14480 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("processing");
      assert.ok(await checkout.frame.locator("button.pay").isDisabled());
      assert.ok(await checkout.number.isDisabled());
      await checkout.waitFor("approved");
      assert.equal(payer.requestCount("/checkout/pay"), 1);
      assert.equal((await transactionsOf(id)).length, 1);
    });
  });

  test("a double click makes one payment", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.payButton.dblclick();
      await checkout.waitFor("approved");
      assert.equal(payer.requestCount("/checkout/pay"), 1);
      assert.equal((await transactionsOf(id)).length, 1);
      assert.equal((await checkout.events()).filter(({ name }) => name === "process").length, 1);
    });
  });

  test("destroying the checkout removes the frame, and a payment in progress finishes", async () => {
    const { id, token } = await setup.request({ amount: 14481 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      const sent = checkout.page.waitForRequest((request) => request.url().endsWith("/checkout/pay"));
      await checkout.pay();
      await sent;
      await eventually("the attempt is recorded", async () => (await transactionsOf(id)).length === 1);
      await checkout.page.evaluate("window.instance.destroy()");
      assert.equal(await checkout.page.locator("iframe").count(), 0);
      const events = await checkout.events();
      await eventually(
        "the payment is made",
        async () => (await getRequest(setup.shop, id)).paymentRequestStatus === "completed",
      );
      assert.deepEqual(await checkout.events(), events, "a destroyed checkout sends no more events");
    });
  });
});
