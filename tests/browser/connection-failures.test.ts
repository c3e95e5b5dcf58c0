import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, stretched } from "../support/browser.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  createToken,
  getRequest,
  ok,
  payOnce,
  type Shop,
  shopOf,
} from "../support/checkout.ts";

describe("contract 3: no failure between page and gateway charges twice", () => {
  const setup = browserSetup();

  async function statusesOf(shop: Shop, id: string): Promise<readonly string[]> {
    const { transactions } = ok(await callApi(shop, "GET", `/transactions?paymentrequestid=${id}`));
    return transactions.map(({ result }: { result: { status: string } }) => result.status);
  }

  async function newShop(): Promise<Shop> {
    return shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
  }

  test("a payment that never reaches the gateway is reported, and the payer can retry", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/pay", (route) => route.abort("connectionfailed"));
      await checkout.pay();
      await checkout.waitFor("pending");
      assert.match(await checkout.words(), /connection was lost[\s\S]*don't pay again/);
      await checkout.waitFor("ready");
      assert.match(await checkout.frame.getByRole("alert").innerText(), /was not sent/);
      assert.deepEqual(await statusesOf(setup.shop, id), []);

      await payer.context.unroute("**/checkout/pay");
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("if the answer is lost, the page inquires and shows the outcome", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/pay", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.equal((await checkout.event("process")).result.status, "approved");
      assert.equal(payer.requestCount("/checkout/pay"), 1);
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("if the browser resends the payment, the payer sees the outcome of the first", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/pay", async (route) => {
        await route.fetch();
        await route.continue();
      });
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("a payment completes even if the call after its challenge fails once", async () => {
    const { id, token } = await setup.request({
      amount: 14418,
      category: { authenticationType: "3d_secure" },
    });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await checkout.pay();
      await payer.context.route("**/checkout/continue", (route) => route.abort("connectionfailed"), {
        times: 1,
      });
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      await checkout.waitFor("approved");
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("while the payer is offline, the page waits; afterwards the payer can pay", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.setOffline(true);
      await checkout.pay();
      await checkout.waitFor("pending");
      await payer.context.setOffline(false);
      await checkout.waitFor("ready");
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("as soon as the page says that the connection is lost, the payer can check again", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.addInitScript(stretched(500, 5_000));
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.setOffline(true);
      await checkout.pay();
      await checkout.waitFor("pending");
      const button = checkout.frame.locator("#recheck");
      assert.match(await checkout.words(), /connection was lost[\s\S]*Check again/);
      await button.click();
      await checkout.frame.getByRole("button", { name: "One moment" }).waitFor();
      await checkout.frame.getByRole("button", { name: "Check again" }).waitFor();
      await payer.context.setOffline(false);
      await button.click();
      await checkout.waitFor("ready");
      assert.match(await checkout.frame.getByRole("alert").innerText(), /was not sent/);
      assert.deepEqual(await statusesOf(setup.shop, id), []);
    });
  });

  test("a press on Check again checks at once", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.clock.install();
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/pay", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      // Stopped: the page's own first check, a second later, never comes.
      await payer.context.clock.pauseAt(new Date(Date.now() + 5_000));
      await checkout.pay();
      await checkout.frame.getByRole("button", { name: "Check again" }).click();
      await payer.context.clock.runFor(900);
      await checkout.waitFor("approved");
    });
  });

  test("a connection that is lost while the bank decides is said so, and the page goes on when it is back", async () => {
    const { token } = await setup.request({ amount: 14481 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await payer.context.route("**/checkout/outcome", (route) => route.abort("connectionfailed"));
      await checkout.pay();
      await checkout.frame.getByRole("heading", { name: "The connection was lost" }).waitFor();
      await checkout.frame.getByRole("button", { name: "Check again" }).waitFor();
      await payer.context.unroute("**/checkout/outcome");
      await checkout.waitFor("approved");
    });
  });

  test("after one tab has paid, the other shows it instead of paying again", async () => {
    const { id, token } = await setup.request();
    const second = await createToken(setup.shop, id);
    await setup.visit(async (payer) => {
      const [one, other] = [await payer.open({ token }), await payer.open({ token: second })];
      await one.fill();
      await other.fill();
      await one.pay();
      await one.waitFor("approved");
      await other.pay();
      await other.waitFor("approved");
      assert.match(await other.words(), /already made[\s\S]*don't need to pay again/);
      const { result, transactionId } = await other.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11190"]);
      assert.equal(transactionId, undefined);
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("while one tab pays, the other asks the payer to wait, then shows the payment", async () => {
    const overrides = { amount: 14418, category: { authenticationType: "3d_secure" } };
    const { id, token } = await setup.request(overrides);
    const second = await createToken(setup.shop, id);
    await setup.visit(async (payer) => {
      const other = await payer.open({ token: second });
      await other.fill();
      const one = await payer.open({ token });
      await one.fill();
      await one.pay();
      await one.waitFor("challenge");
      await other.page.bringToFront();
      await other.pay();
      const { result } = await other.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11612"]);
      await other.waitFor("ready");
      assert.match(await other.frame.getByRole("alert").innerText(), /another window/);
      assert.deepEqual(await statusesOf(setup.shop, id), ["pending"]);
      await one.page.bringToFront();
      await one.bank.getByRole("button", { name: "Approve" }).click();
      await one.waitFor("approved");
      await other.page.bringToFront();
      await other.pay();
      await other.waitFor("approved");
      assert.match(await other.words(), /already made/);
      assert.deepEqual(await statusesOf(setup.shop, id), ["approved"]);
    });
  });

  test("shows that the request was cancelled while the form was open", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      ok(await callApi(setup.shop, "POST", `/paymentrequests/${id}/cancel`));
      await checkout.pay();
      await checkout.waitFor("cancelled");
      assert.match(await checkout.words(), /was cancelled[\s\S]*not been charged/);
      const { result } = await checkout.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11190"]);
      assert.deepEqual(await statusesOf(setup.shop, id), []);
    });
  });

  test("shows that the request expired while the form was open", async () => {
    const shop = await newShop();
    const expiryDateTime = new Date(Date.now() + 600_000).toISOString();
    const { id, token } = await setup.request({ expiryDateTime }, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await advanceClock(shop, 660);
      await checkout.pay();
      await checkout.waitFor("expired");
      assert.match(await checkout.words(), /has expired/);
      const { result } = await checkout.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11190"]);
      assert.equal((await getRequest(shop, id)).paymentRequestStatus, "expired");
    });
  });

  test("asks for a reload if only the token has expired", async () => {
    const shop = await newShop();
    const { id, token } = await setup.request({}, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await advanceClock(shop, 3601);
      await checkout.pay();
      await checkout.waitFor("error");
      assert.match(await checkout.words(), /open too long[\s\S]*Reload/);
      const { result } = await checkout.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11610"]);
      assert.equal((await getRequest(shop, id)).paymentRequestStatus, "created");
    });
  });

  test("shows the state of a closed request, and no form", async () => {
    const { requestId } = await payOnce(setup.shop);
    assert.equal((await getRequest(setup.shop, requestId)).paymentRequestStatus, "completed");
    const { id } = await createRequest(setup.shop);
    const token = await createToken(setup.shop, id);
    ok(await callApi(setup.shop, "POST", `/paymentrequests/${id}/cancel`));
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      const { result } = await checkout.event("initialise");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11190"]);
      await checkout.waitFor("cancelled");
      assert.equal(await checkout.number.count(), 0);
    });
  });
});
