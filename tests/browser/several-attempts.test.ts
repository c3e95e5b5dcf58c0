import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { getRequest } from "../support/checkout.ts";
import { EXPIRY } from "../support/checkout-page.ts";

const ALWAYS_DECLINED = 14_405;
/** Declined on the first attempt, approved on the second. */
const DECLINED_ONCE = 14_419;

describe("contract 11: a declined payer tries again in the frame", () => {
  const setup = browserSetup();

  test("name and expiry stay, number and security code are cleared, and the next attempt is approved", async () => {
    const { id, token } = await setup.request({ amount: DECLINED_ONCE, attempts: 3 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill({ name: "Mere Tui" });
      await checkout.pay();
      await checkout.waitFor("declined");
      const notice = checkout.frame.getByRole("alert");
      assert.match(await notice.innerText(), /declined[\s\S]*not been charged[\s\S]*try 2 more times/);
      const fields = [checkout.number, checkout.expiry, checkout.code, checkout.name];
      const values = await Promise.all(fields.map((field) => field.inputValue()));
      assert.deepEqual(values, ["", EXPIRY, "", "Mere Tui"]);
      for (const field of fields) assert.notEqual(await field.getAttribute("aria-invalid"), "true");
      assert.equal(await checkout.payButton.isEnabled(), true);
      const declined = await checkout.event("process");
      assert.equal(declined.result.status, "declined");
      const open = await getRequest(setup.shop, id);
      assert.equal(open.paymentRequestStatus, "created");
      assert.deepEqual(
        open.transactionAttempts.map(({ id: attempt }: { id: string }) => attempt),
        [declined.transactionId],
      );

      await checkout.pay();
      assert.equal(await checkout.number.getAttribute("aria-invalid"), "true");
      assert.equal(payer.requestCount("/checkout/pay"), 1, "an empty form is not sent");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
      const approved = await checkout.event("process", 2);
      assert.equal(approved.result.status, "approved");
      const done = await getRequest(setup.shop, id);
      assert.equal(done.transactionResult.id, approved.transactionId);
      assert.equal(done.paymentRequestStatus, "completed");
    });
  });

  test("after the last decline the form is gone, and each attempt had its event", async () => {
    const { id, token } = await setup.request({ amount: ALWAYS_DECLINED, attempts: 2 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await checkout.event("process");
      await checkout.fill();
      await checkout.pay();
      const last = await checkout.event("process", 2);
      assert.equal(last.result.status, "declined");
      await checkout.waitFor("declined");
      assert.match(await checkout.words(), /Payment declined/);
      assert.equal(await checkout.frame.locator("input").count(), 0);
      const { transactionAttempts, paymentRequestStatus } = await getRequest(setup.shop, id);
      assert.equal(paymentRequestStatus, "completed");
      const events = (await checkout.events()).filter(({ name }) => name === "process");
      assert.deepEqual(
        events.map(({ transactionId }) => transactionId),
        transactionAttempts.map(({ id: attempt }: { id: string }) => attempt),
      );
    });
  });

  test("a second attempt that never reaches the gateway is not mistaken for the first", async () => {
    const { id, token } = await setup.request({ amount: DECLINED_ONCE, attempts: 2 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("declined");
      await checkout.fill();
      await payer.context.route("**/checkout/pay", (route) => route.abort("connectionfailed"));
      await checkout.pay();
      await checkout.waitFor("ready");
      assert.match(await checkout.frame.getByRole("alert").innerText(), /was not sent/);
      await payer.context.unroute("**/checkout/pay");
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.equal((await getRequest(setup.shop, id)).transactionAttempts.length, 1);
    });
  });

  test("if the browser resends a declined payment, it is one attempt, and its outcome is shown", async () => {
    const { id, token } = await setup.request({ amount: DECLINED_ONCE, attempts: 3 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/pay", async (route) => {
        await route.fetch();
        await route.continue();
      });
      await checkout.pay();
      await checkout.waitFor("declined");
      assert.equal((await getRequest(setup.shop, id)).transactionAttempts.length, 1);
    });
  });

  test("a declined payer reloads the page and pays with what is left", async () => {
    const { token } = await setup.request({ amount: DECLINED_ONCE, attempts: 2 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("declined");
      await checkout.page.reload();
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });
});
