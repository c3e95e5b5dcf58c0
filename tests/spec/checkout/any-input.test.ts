import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import {
  CARD,
  callFrame,
  getRequest,
  openFrame,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const PAY = { method: "card", card: { ...CARD, name: "Ada" }, total: 3000, consent: false };

/** Fields of a payment body; one of them gets an unexpected value. */
const FIELDS = ["method", "card", "total", "consent", "extra"];
const CARD_FIELDS = ["number", "expiryMonth", "expiryYear", "securityCode", "name", "extra"];

const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\u0000", "\ud800", "__proto__", "9".repeat(300), -0, 1e308, 2 ** 53, [], {}, null),
);

const payment = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...FIELDS), value),
    fc.dictionary(fc.constantFrom(...CARD_FIELDS), value),
  )
  .map(([changes, cardChanges]) => ({ ...PAY, card: { ...PAY.card, ...cardChanges }, ...changes }));

describe("I20: any browser input to the checkout gets a well-formed response and no 5xx", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  function assertWellFormed(answer: Answer): void {
    const { status, body } = answer;
    assert.ok(status < 500, `${status} ${JSON.stringify(body)}`);
    if (status === 200) return;
    assert.equal(body.result.status, "validation_error");
    assert.ok(body.result.codes.length > 0);
    for (const code of body.result.codes) assert.match(code.id, /^V\d{5}$/);
  }

  for (const path of ["initialise", "pay", "continue", "outcome", "abandon"]) {
    test(`/checkout/${path} handles any JSON`, async () => {
      const { session } = await openFrame(shop);
      await fc.assert(
        fc.asyncProperty(value, async (body) =>
          assertWellFormed(await callFrame(shop, `/checkout/${path}`, body, session)),
        ),
        { numRuns: 40 },
      );
    });
  }

  test("/checkout/pay handles any almost valid payment", async () => {
    let { session } = await openFrame(shop);
    await fc.assert(
      fc.asyncProperty(payment, async (body) => {
        const answer = await callFrame(shop, "/checkout/pay", body, session);
        assertWellFormed(answer);
        if (answer.status === 200) session = (await openFrame(shop)).session;
      }),
      { numRuns: 80 },
    );
  });

  test("/checkout/pay refuses a wallet token that nests too deep, in JSON or in a text, and takes no attempt", async () => {
    const { session, requestId } = await openFrame(shop, { paymentMethods: ["card", "google_pay"] });
    const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    const payWith = async (token: unknown) => {
      const body = { method: "google_pay", wallet: { token }, total: 3000, consent: false };
      return problemsOf(await callFrame(shop, "/checkout/pay", body, session));
    };
    const text = "[".repeat(30_000) + "]".repeat(30_000);
    assert.deepEqual(await payWith(nested(30)), ["V11620 /wallet/token"]);
    assert.deepEqual(await payWith(nested(31)), [`V11016 /wallet/token${"/0".repeat(30)}`]);
    // `JSON.stringify` throws at such a depth, so the text is made by hand.
    const response = await fetch(`${shop.hostedUrl.replace("localhost", "127.0.0.1")}/checkout/pay`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-checkout-session": session },
      body: `{"method":"google_pay","wallet":{"token":${"[".repeat(100_000)}${"]".repeat(100_000)}},"total":3000,"consent":false}`,
    });
    assert.equal(response.status, 400);
    assert.deepEqual(await payWith(text), ["V11620 /wallet/token"]);
    assert.equal((await getRequest(shop, requestId)).paymentRequestStatus, "created");
  });

  test("stores names in every script as typed", async () => {
    for (const name of ["Ægir Ørsted", "李小龍", "👩‍👩‍👧", 'O\'Brien "Bo" \\', "𝒜", "\u200f"]) {
      const { session } = await openFrame(shop);
      assertWellFormed(
        await callFrame(shop, "/checkout/pay", { ...PAY, card: { ...PAY.card, name } }, session),
      );
    }
    const rows = await gateway.database.rows<{ name: string }>(
      "select card ->> 'name' as name from transactions",
    );
    assert.ok(rows.some((row) => row.name === "👩‍👩‍👧"));
  });
});
