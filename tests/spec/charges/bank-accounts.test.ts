import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { callApi, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type ChargeOverrides, chargeOf, type Stored } from "../../support/stored-cards.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
});
after(() => gateway.stop());

const charge = (overrides: ChargeOverrides, stored: Stored) =>
  callApi(shop, "POST", "/transactions", chargeOf(stored, overrides));

describe("contract 5: charging a stored bank account", () => {
  async function account(bankAccount: object): Promise<Stored> {
    const { id } = ok(await callApi(shop, "POST", "/customers", { name: "Ann", email: "ann@example.com" }));
    const made = ok(await callApi(shop, "POST", `/customers/${id}/PaymentInstruments`, { bankAccount }));
    return { id, paymentInstrumentId: made.id };
  }
  const AU = { accountName: "Ann Lee", bsb: "062000", number: "12345678" };
  const NZ = { accountName: "Ann Lee", number: "01-0902-0068389-00" };

  test("a debit is pending, in the currency of the account's country, always with automatic capture", async () => {
    for (const [bankAccount, currencyCode, other] of [
      [AU, "AUD", "NZD"],
      [NZ, "NZD", "AUD"],
    ] as const) {
      const stored = await account(bankAccount);
      const made = ok(await charge({}, stored));
      assert.equal(made.result.status, "pending");
      assert.equal(made.category.source, "direct_debit");
      assert.equal(made.payment.currencyCode, currencyCode);
      assert.equal(made.payment.instrument.bankAccount.accountName, "Ann Lee");
      assert.match(made.payment.instrument.bankAccount.number, /X/);
      ok(await charge({ currencyCode }, stored));
      assertRefused(await charge({ currencyCode: other }, stored), 400, ["V11732", "/payment/currencyCode"]);
      assertRefused(await charge({ category: { captureType: "manual" } }, stored), 400, [
        "V11741",
        "/category/captureType",
      ]);
      assertRefused(await charge({ category: { partialApproval: "accept" } }, stored), 400, [
        "V11744",
        "/category/partialApproval",
      ]);
      assertRefused(await charge({ cvn: "123" }, stored), 400, [
        "V11737",
        "/payment/instrument/customer/cvn",
      ]);
    }
  });

  test("a merchant without the direct debit capability is refused", async () => {
    const stored = await account(AU);
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { directDebit: false } }));
    assertRefused(await charge({}, stored), 403, "V11743");
    // What is wrong with the body comes first, and alone.
    assertRefused(await charge({ category: { captureType: "manual" } }, stored), 400, [
      "V11741",
      "/category/captureType",
    ]);
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { directDebit: true } }));
    ok(await charge({}, stored));
  });
});
