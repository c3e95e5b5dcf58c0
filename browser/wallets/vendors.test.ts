import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applePrice, recurringRequest } from "./apple-price.ts";
import { closeOnce, notifySheet } from "./close-apple-sheet.ts";
import { readSettings } from "./settings.ts";
import { cardTypeOfNetwork, decimalText } from "./vendor-format.ts";

describe("contract 8: what the vendors' sheets are told", () => {
  test("money is decimal to the cent, whatever its size", () => {
    const told = [1, 10, 99, 100, 3046, 99_999_999_999].map(decimalText);
    assert.deepEqual(told, ["0.01", "0.10", "0.99", "1.00", "30.46", "999999999.99"]);
  });

  test("networks become the card types of surcharges; a stranger stays one", () => {
    const known = { Visa: "visa", MasterCard: "mastercard", AmEx: "amex", AMEX: "amex", JCB: "jcb" };
    const renamed = {
      ChinaUnionPay: "unionpay",
      "Diners Club": "diners",
      Maestro: "mastercard",
      Eftpos: "eftpos",
    };
    for (const [network, type] of Object.entries({ ...known, ...renamed })) {
      assert.equal(cardTypeOfNetwork(network), type);
    }
    assert.equal(cardTypeOfNetwork("Mada"), "mada");
    assert.equal(cardTypeOfNetwork(undefined), "");
  });

  test("Apple's total names the merchant; lines come with a surcharge only", () => {
    const plain = applePrice("Harbour Books", 3000, { surcharge: 0, total: 3000 });
    assert.deepEqual(plain, {
      newTotal: { label: "Harbour Books", amount: "30.00", type: "final" },
      newLineItems: [],
    });
    const dear = applePrice("Harbour Books", 3000, { surcharge: 46, total: 3046 });
    assert.equal(dear.newTotal.amount, "30.46");
    assert.deepEqual(
      dear.newLineItems.map(({ label, amount }) => [label, amount]),
      [
        ["Amount", "30.00"],
        ["Surcharge", "0.46"],
      ],
    );
  });

  test("spec 2.6: an agreement reaches Apple with dates for days", () => {
    const agreement = { paymentDescription: "Coffee club", managementURL: "https://shop.example/club" };
    const billing = { label: "Coffee club", amount: "25.50", recurringPaymentIntervalUnit: "month" };
    const days = { recurringPaymentStartDate: "2027-01-31", recurringPaymentEndDate: "2027-12-31" };
    assert.deepEqual(recurringRequest({ ...agreement, regularBilling: { ...billing, ...days } }), {
      ...agreement,
      regularBilling: {
        ...billing,
        recurringPaymentStartDate: new Date("2027-01-31"),
        recurringPaymentEndDate: new Date("2027-12-31"),
      },
    });
    assert.deepEqual(recurringRequest({ ...agreement, regularBilling: billing }), {
      ...agreement,
      regularBilling: billing,
    });
  });

  test("settings that are not as agreed are left out, not guessed", () => {
    const card = { id: "a", cardType: "visa", last4: "1111", label: "Visa" };
    const settings = { sandbox: "yes", sandboxCards: [card, { ...card, last4: 1111 }, null], gateway: 7 };
    const read = readSettings({ type: "google_pay", settings });
    assert.equal(read.sandbox, false);
    assert.deepEqual(read.sandboxCards, [card]);
    assert.equal(read.text("gateway"), "");
    assert.deepEqual(read.texts("allowedCardNetworks"), []);
  });
});

describe("contract 8: Apple's sheet is told once how the payment went", () => {
  function sheet(gone: boolean) {
    const told: string[] = [];
    const hear = (word: string): void => {
      told.push(word);
      // As Safari's does once the payer has dismissed it, or it has waited too long.
      if (gone) throw new Error("InvalidAccessError");
    };
    const session = {
      abort: () => hear("abort"),
      completePayment: ({ status }: { readonly status: number }) => hear(`status ${status}`),
    };
    return { told, answered: closeOnce({ STATUS_SUCCESS: 0, STATUS_FAILURE: 1 }, session), hear };
  }

  for (const gone of [false, true]) {
    test(gone ? "one that has gone stops nobody who shows the outcome" : "and hears the first word", () => {
      for (const [outcome, word] of [
        ["good", "status 0"],
        ["bad", "status 1"],
        ["unknown", "abort"],
      ] as const) {
        const { told, answered } = sheet(gone);
        answered(outcome);
        answered("bad");
        assert.deepEqual(told, [word]);
      }
      const { told, hear } = sheet(gone);
      notifySheet(() => hear("merchant session"));
      assert.deepEqual(told, ["merchant session"]);
    });
  }
});
