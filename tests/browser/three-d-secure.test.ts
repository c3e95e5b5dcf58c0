import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer, stretched } from "../support/browser.ts";
import { getRequest, getTransaction } from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";

const SECURE = { authenticationType: "3d_secure" };

describe("contract 8: 3D Secure inside the service's own frame", () => {
  const setup = browserSetup();

  async function payWith3ds(payer: Payer, amount: number): Promise<{ id: string; checkout: CheckoutPage }> {
    const { id, token } = await setup.request({ amount, category: SECURE });
    const checkout = await payer.open({ token });
    await checkout.fill();
    await checkout.pay();
    return { id, checkout };
  }

  const completionsOf = async (transactionId: string) => {
    const find =
      "select facts ->> 'completion' as completion from sandbox_ledger where kind = 'method' and reference = $1";
    const rows = await setup.gateway.database.rows<{ completion: string }>(find, [transactionId]);
    return rows.map(({ completion }) => completion);
  };

  /** Asserts that page, event and API all show a decline for failed authentication. */
  async function assertDeclined(checkout: CheckoutPage, id: string, status: string) {
    await checkout.waitFor("declined");
    assert.match(await checkout.words(), /Your bank couldn't confirm that it's you[\s\S]*not been charged/);
    const process = await checkout.event("process");
    assert.equal(process.result.status, "declined");
    assert.equal(process.result.codes?.[0]?.id, "D04417");
    const request = await getRequest(setup.shop, id);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal(request.transactionResult, undefined);
    const transaction = await getTransaction(setup.shop, request.transactionAttempts[0].id);
    assert.equal(transaction.id, process.transactionId);
    assert.equal(transaction.authentication.status, status);
  }

  test("frictionless authentication shows no challenge", async () => {
    await setup.visit(async (payer) => {
      const { checkout } = await payWith3ds(payer, 3000);
      await checkout.waitFor("approved");
      const { transactionId = "" } = await checkout.event("process");
      const { authentication } = await getTransaction(setup.shop, transactionId);
      assert.equal(authentication.status, "authenticated");
      assert.equal(authentication.eci, "05");
      assert.equal(payer.requestCount("/checkout/continue"), 0);
    });
  });

  test("failed authentication declines the payment", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout } = await payWith3ds(payer, 14417);
      await assertDeclined(checkout, id, "failed");
    });
  });

  test("an approved challenge completes the payment", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout } = await payWith3ds(payer, 14418);
      await checkout.waitFor("challenge");
      await checkout.bank.getByRole("heading", { name: "Sandbox bank" }).waitFor();
      assert.equal((await getRequest(setup.shop, id)).paymentRequestStatus, "created");
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      await checkout.waitFor("approved");
      const process = await checkout.event("process");
      assert.equal(process.result.status, "approved");
      const transaction = await getTransaction(setup.shop, process.transactionId ?? "");
      assert.equal(transaction.authentication.status, "authenticated");
      assert.equal(payer.requestCount("/checkout/pay"), 1);
    });
  });

  test("14429: the payer sees a calm state while the bank looks at the browser, then the payment goes on", async () => {
    await setup.visit(async (payer) => {
      await payer.context.addInitScript(stretched(10_000, 100_000));
      const { id, checkout } = await payWith3ds(payer, 14429);
      await checkout.frame.getByRole("heading", { name: "Checking with your bank" }).waitFor();
      assert.equal(await checkout.main.getAttribute("data-state"), "processing");
      await checkout.frame.locator("#method-frame").waitFor({ state: "attached" });
      assert.equal((await getRequest(setup.shop, id)).paymentRequestStatus, "created");
      await checkout.waitFor("approved");
      const process = await checkout.event("process");
      const transaction = await getTransaction(setup.shop, process.transactionId ?? "");
      assert.equal(transaction.authentication.status, "authenticated");
      assert.deepEqual(await completionsOf(transaction.id), ["Y"]);
      assert.equal(payer.requestCount("/checkout/3ds/method"), 1);
      assert.equal(payer.requestCount("/checkout/pay"), 1);
      assert.equal(await checkout.frame.locator("#method-frame").count(), 0);
    });
  });

  test("a bank that is not done within ten seconds goes without, and the payment goes on", async () => {
    await setup.visit(async (payer) => {
      await payer.context.route("**/checkout/3ds/method", (route) => route.abort());
      const begun = Date.now();
      const { checkout } = await payWith3ds(payer, 14429);
      await checkout.waitFor("approved");
      assert.ok(Date.now() - begun >= 10_000);
      const { transactionId = "" } = await checkout.event("process");
      assert.deepEqual(await completionsOf(transactionId), ["N"]);
    });
  });

  test("a payer who closes the tab during the method step ends the attempt", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout } = await payWith3ds(payer, 14429);
      await checkout.frame.getByRole("heading", { name: "Checking with your bank" }).waitFor();
      await checkout.page.close();
      await eventually(
        "the request is completed",
        async () => (await getRequest(setup.shop, id)).paymentRequestStatus === "completed",
      );
      const [attempt] = (await getRequest(setup.shop, id)).transactionAttempts;
      const { authentication } = await getTransaction(setup.shop, attempt.id);
      assert.equal(authentication.status, "abandoned");
    });
  });

  for (const [amount, status] of [
    [14426, "attempted"],
    [14427, "unavailable"],
    [14428, "rejected"],
  ] as const) {
    test(`${amount}: the authentication is ${status}`, async () => {
      await setup.visit(async (payer) => {
        const { id, checkout } = await payWith3ds(payer, amount);
        if (status !== "attempted") return assertDeclined(checkout, id, status);
        await checkout.waitFor("approved");
        const { transactionId = "" } = await checkout.event("process");
        const { authentication } = await getTransaction(setup.shop, transactionId);
        assert.equal(authentication.status, status);
      });
    });
  }

  test("a failed challenge declines the payment", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout } = await payWith3ds(payer, 14418);
      await checkout.bank.getByRole("button", { name: "Fail" }).click();
      await assertDeclined(checkout, id, "failed");
    });
  });

  test("a cancelled challenge declines the payment", async () => {
    await setup.visit(async (payer) => {
      const { id, checkout } = await payWith3ds(payer, 14418);
      await checkout.waitFor("challenge");
      await checkout.frame.getByRole("button", { name: "Cancel payment" }).click();
      await assertDeclined(checkout, id, "abandoned");
    });
  });

  for (const [leaves, leave] of [
    ["reloads the page", (checkout: CheckoutPage) => checkout.page.reload()],
    ["closes the tab", (checkout: CheckoutPage) => checkout.page.close()],
  ] as const) {
    test(`a payer who ${leaves} during the challenge ends the attempt, and nothing is charged`, async () => {
      await setup.visit(async (payer) => {
        const { id, checkout } = await payWith3ds(payer, 14418);
        await checkout.bank.getByRole("button", { name: "Approve" }).waitFor();
        await leave(checkout);
        const request = await eventually("the request is completed", async () => {
          const found = await getRequest(setup.shop, id);
          return found.paymentRequestStatus === "completed" && found;
        });
        const attempt = await getTransaction(setup.shop, request.transactionAttempts[0].id);
        assert.equal(attempt.authentication.status, "abandoned");
        if (leaves !== "reloads the page") return;
        const { result } = await checkout.event("initialise");
        assert.equal(result.status, "failed");
        assert.equal(result.codes?.[0]?.id, "V11610");
      });
    });
  }

  test("a forged message that the challenge is done is ignored", async () => {
    await setup.visit(async (payer) => {
      const { checkout } = await payWith3ds(payer, 14418);
      await checkout.bank.getByRole("button", { name: "Approve" }).waitFor();
      const forge = `document.querySelector("iframe").contentWindow.postMessage({ tidegate: "challenge-done" }, "*")`;
      await checkout.page.evaluate(forge);
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      await checkout.waitFor("approved");
      assert.equal(payer.requestCount("/checkout/continue"), 1, "only the bank's own message counts");
    });
  });
});
