import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shownCode } from "../../support/codes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertAccepted, assertRefused } from "./request-assertions.ts";
import { CHECKOUT, HOSTED, payIdRequest, withValue } from "./sample-requests.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" } });
});
after(() => gateway.stop());

const NONE = {
  cardNotPresent: false,
  threeDSecure: false,
  applePay: false,
  googlePay: false,
  directDebit: false,
  payId: false,
};

async function merchantWith(capabilities: object): Promise<string> {
  const { key } = await gateway.newMerchant();
  const change = await gateway.put(
    "/management/account",
    { capabilities: { ...NONE, ...capabilities } },
    { key },
  );
  assert.equal(change.status, 200);
  return key;
}

const secure = withValue(CHECKOUT, "/transactionRequest/category/authenticationType", "3d_secure");
const THREE_D_SECURE = "/transactionRequest/category/authenticationType";
const all = ["card", "apple_pay", "google_pay"];

describe("contract 3, 8: a missing capability is refused with 403", () => {
  const cases = [
    ["card", "cardNotPresent", CHECKOUT, "V11180", "/paymentMethods/0"],
    ["card on a hosted page, by default", "cardNotPresent", HOSTED, "V11180", "/paymentMethods/0"],
    ["PayID", "payId", payIdRequest(), "V11182", "/payment/instrument/payId"],
  ] as const;
  for (const [what, capability, body, code, field] of cases) {
    test(`${what}: refused while ${capability} is off, accepted when only it is on`, async () => {
      const key = await merchantWith({});
      await assertRefused(gateway, body, [[code, field]], { status: 403, key });
      await gateway.put("/management/account", { capabilities: { [capability]: true } }, { key });
      await assertAccepted(gateway, body, { key });
    });
  }

  for (const [method, capability] of [
    ["apple_pay", "applePay"],
    ["google_pay", "googlePay"],
  ] as const) {
    test(`${method}: refused while ${capability} or cardNotPresent is off, accepted when both are on`, async () => {
      const body = { ...CHECKOUT, paymentMethods: [method] };
      for (const on of [{}, { [capability]: true }, { cardNotPresent: true }]) {
        const key = await merchantWith(on);
        await assertRefused(gateway, body, [["V11180", "/paymentMethods/0"]], { status: 403, key });
      }
      await assertAccepted(gateway, body, {
        key: await merchantWith({ [capability]: true, cardNotPresent: true }),
      });
    });
  }

  test("3d_secure: refused while threeDSecure is off, accepted when it is on", async () => {
    const key = await merchantWith({ cardNotPresent: true });
    await assertRefused(gateway, secure, [["V11181", THREE_D_SECURE]], { status: 403, key });
    await assertAccepted(gateway, CHECKOUT, { key });
    await gateway.put("/management/account", { capabilities: { threeDSecure: true } }, { key });
    await assertAccepted(gateway, secure, { key });
  });

  test("each unavailable method is named by its index", async () => {
    const key = await merchantWith({ cardNotPresent: true, applePay: true });
    const body = { ...secure, paymentMethods: all };
    await assertRefused(
      gateway,
      body,
      [
        ["V11180", "/paymentMethods/2"],
        ["V11181", THREE_D_SECURE],
      ],
      { status: 403, key },
    );
  });

  test("an invalid request is 400 and says nothing about capabilities", async () => {
    const key = await merchantWith({});
    await assertRefused(gateway, withValue(CHECKOUT, "/payment/amount", 0), [["V11101", "/payment/amount"]], {
      key,
    });
  });

  test("directDebit does not affect payment requests", async () => {
    const key = await merchantWith({ ...NONE, cardNotPresent: true, directDebit: false });
    await assertAccepted(gateway, CHECKOUT, { key });
  });

  test("the first sandbox merchant has every capability", async () => {
    await assertAccepted(gateway, { ...secure, paymentMethods: all });
    await assertAccepted(gateway, payIdRequest());
  });

  test("a new live merchant has none", async () => {
    const { key } = await gateway.newMerchant({ mode: "live" });
    const call = { status: 403, key, mode: "live" };
    await assertRefused(gateway, CHECKOUT, [["V11180", "/paymentMethods/0"]], call);
    await assertRefused(gateway, payIdRequest(), [["V11182", "/payment/instrument/payId"]], call);
  });

  test("a live PayID is refused while there is no PayID connector, and nothing is stored", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows("update merchants set capabilities = $2 where id = $1", [
      id,
      JSON.stringify({ ...NONE, payId: true, cardNotPresent: true }),
    ]);
    const call = { key, mode: "live" };
    const body = { ...payIdRequest(), reference: "live-payid" };
    await assertRefused(gateway, body, [["V11183", "/payment/instrument/payId"]], { ...call, status: 403 });
    const left = await gateway.database.rows(
      `select id from payment_requests where merchant_id = $1
       union all select id from events where merchant_id = $1
       union all select subject_id from jobs where merchant_id = $1 and kind <> 'payout_run'`,
      [id],
    );
    assert.deepEqual(left, []);
    // Control: the same PayID in the sandbox.
    await assertAccepted(gateway, body);
  });

  test("a live card or wallet request is refused while there is no acquirer, and nothing is stored", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows("update merchants set capabilities = $2 where id = $1", [
      id,
      JSON.stringify({ ...NONE, cardNotPresent: true, applePay: true, googlePay: true }),
    ]);
    const bodies = [CHECKOUT, HOSTED, ...all.map((method) => ({ ...CHECKOUT, paymentMethods: [method] }))];
    for (const body of bodies) {
      const refused = await gateway.post("/paymentrequests", body, { key });
      const codes = [shownCode("V11618 checkout_acquirer_missing", gateway.baseUrl)];
      assert.equal(refused.status, 403);
      assert.deepEqual(refused.body.result, { mode: "live", status: "validation_error", codes });
      await assertAccepted(gateway, body);
    }
    // A problem that the merchant can fix comes first.
    const invalid = withValue(CHECKOUT, "/payment/amount", 0);
    await assertRefused(gateway, invalid, [["V11101", "/payment/amount"]], { key, mode: "live" });
    assert.deepEqual(
      await gateway.database.rows("select id from payment_requests where merchant_id = $1", [id]),
      [],
    );
    assert.deepEqual(await gateway.database.rows("select id from events where merchant_id = $1", [id]), []);
  });
});
