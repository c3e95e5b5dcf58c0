import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callFrame, initialise, openFrame, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { payIdShop } from "../../support/payid.ts";

describe("contract 2: a refusal on the checkout's endpoints shows the merchant's mode", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const assertMode = (answer: Answer, mode: string | undefined, ...problems: readonly string[]) => {
    assert.ok(answer.status >= 400);
    assert.deepEqual(problemsOf(answer), problems);
    assert.equal(answer.body.result.mode, mode);
  };
  const PAY = ["V11613 /total", "V11614 /consent", "V11616 /method"];

  test("with a token", async () => {
    const { token } = await openFrame(shop);
    assertMode(await initialise(shop, token, "https://other.example"), "sandbox", "V11610 /token");
    const body = { token, parentOrigin: "https://shop.example", version: "9" };
    assertMode(await callFrame(shop, "/checkout/initialise", body), "sandbox", "V11603 /version");
  });

  test("with a session, whatever is wrong", async () => {
    const { session, ...frame } = await openFrame(shop);
    assertMode(await frame.pay({ total: 1 }), "sandbox", "V11613 /total");
    assertMode(await callFrame(shop, "/checkout/pay", {}, session), "sandbox", ...PAY);
    for (const body of ["{", '"text"', "[]", "null"]) {
      const answer = await fetch(`${gateway.hostedUrl.replace("localhost", "127.0.0.1")}/checkout/pay`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-checkout-session": session },
        body,
      });
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { result: { mode?: string } }).result.mode, "sandbox", body);
    }
    const more = { session, more: 1 };
    assertMode(await callFrame(shop, "/checkout/abandon", more), "sandbox", "V11003 /more");
  });

  test("with the session of a hosted page", async () => {
    const { url } = (await createHosted(shop)).hostedPaymentPage;
    const session = `page.${url.slice(url.lastIndexOf("/") + 1)}.0`;
    assertMode(await callFrame(shop, "/checkout/pay", {}, session), "sandbox", ...PAY);
  });

  test("with the token of a PayID", async () => {
    const { token } = (await payIdShop(gateway).request()).body.payment.instrument.payId;
    const body = { token, parentOrigin: "https://shop.example", version: "9" };
    assertMode(await callFrame(shop, "/checkout/payid", body), "sandbox", "V11603 /version");
    const wrong = await callFrame(shop, "/checkout/payid/state", { more: 1 }, token);
    assertMode(wrong, "sandbox", "V11003 /more");
  });

  test("and none where no merchant is known: a made-up secret belongs to no merchant, also with a merchant's id in it", async () => {
    const { token, session } = await openFrame(shop);
    const madeUp = (secret: string) => `${secret.slice(0, -8)}00000000`;
    for (const secret of [undefined, "", "x", "page.x.0", madeUp(session)])
      assertMode(await callFrame(shop, "/checkout/outcome", undefined, secret), undefined, "V11615");
    assertMode(await initialise(shop, madeUp(token)), undefined, "V11610 /token");
    assertMode(await initialise(shop, "x"), undefined, "V11610 /token");
  });
});
