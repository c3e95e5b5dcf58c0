import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGLISH_CHECKOUT as WORDS } from "../../src/kernel/languages/english.ts";
import { applePrice, recurringRequest } from "./apple-price.ts";
import { closeOnce, notifySheet } from "./close-apple-sheet.ts";
import { readSettings } from "./settings.ts";
import { cardTypeOfNetwork, decimalText } from "./vendor-format.ts";

describe("contract 8: requests to the vendors' sheets", () => {
  test("money is decimal to the cent for any amount", () => {
    const texts = [1, 10, 99, 100, 3046, 99_999_999_999].map(decimalText);
    assert.deepEqual(texts, ["0.01", "0.10", "0.99", "1.00", "30.46", "999999999.99"]);
  });

  test("maps networks to card types and keeps an unknown network", () => {
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

  test("Apple's total names the merchant; lines appear with a surcharge only", () => {
    const plain = applePrice(WORDS, "Harbour Books", 3000, { surcharge: 0, total: 3000 });
    assert.deepEqual(plain, {
      newTotal: { label: "Harbour Books", amount: "30.00", type: "final" },
      newLineItems: [],
    });
    const dear = applePrice(WORDS, "Harbour Books", 3000, { surcharge: 46, total: 3046 });
    assert.equal(dear.newTotal.amount, "30.46");
    assert.deepEqual(
      dear.newLineItems.map(({ label, amount }) => [label, amount]),
      [
        ["Amount", "30.00"],
        ["Surcharge", "0.46"],
      ],
    );
  });

  test("spec 2.6: an agreement's days become dates for Apple", () => {
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

  test("leaves malformed settings out", () => {
    const card = { id: "a", cardType: "visa", last4: "1111", label: "Visa" };
    const settings = { sandbox: "yes", sandboxCards: [card, { ...card, last4: 1111 }, null], gateway: 7 };
    const read = readSettings({ type: "google_pay", settings });
    assert.equal(read.sandbox, false);
    assert.deepEqual(read.sandboxCards, [card]);
    assert.equal(read.text("gateway"), "");
    assert.deepEqual(read.texts("allowedCardNetworks"), []);
  });
});

describe("contract 8: Apple's sheet receives the outcome once", () => {
  function sheet(closed: boolean) {
    const received: string[] = [];
    const receive = (word: string): void => {
      received.push(word);
      // Safari's sheet throws once the payer has dismissed it or it has timed out.
      if (closed) throw new Error("InvalidAccessError");
    };
    const session = {
      abort: () => receive("abort"),
      completePayment: ({ status }: { readonly status: number }) => receive(`status ${status}`),
    };
    return { received, onOutcome: closeOnce({ STATUS_SUCCESS: 0, STATUS_FAILURE: 1 }, session), receive };
  }

  for (const closed of [false, true]) {
    test(
      closed
        ? "a closed sheet does not stop the page from showing the outcome"
        : "an open sheet gets the first outcome",
      () => {
        for (const [outcome, word] of [
          ["approved", "status 0"],
          ["declined", "status 1"],
          ["unknown", "abort"],
        ] as const) {
          const { received, onOutcome } = sheet(closed);
          onOutcome(outcome);
          onOutcome("declined");
          assert.deepEqual(received, [word]);
        }
        const { received, receive } = sheet(closed);
        notifySheet(() => receive("merchant session"));
        assert.deepEqual(received, ["merchant session"]);
      },
    );
  }
});
