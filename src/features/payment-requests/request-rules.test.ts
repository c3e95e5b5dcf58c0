import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DAY, instant, later, MINUTE, toIso } from "../../kernel/time.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { paymentRequestProblems } from "./request-rules.ts";

/** Midnight in Sydney, on 17 November. */
const NOW = instant(Date.UTC(2026, 10, 16, 13));
const payment = { amount: 3000 };
const checkout = { payment, paymentMethods: ["card"], transactionRequest: {} };
const payId = { payment: { ...payment, instrument: { payId: { type: "single", value: "a" } } } };
const hosted = { payment, hostedPaymentPage: {} };

type Row = readonly [what: string, input: object, fields: readonly string[], wrong?: readonly string[]];

/** The fields with a problem. `wrong` are those that the schema has refused, and left out of the input. */
function fieldsOf(input: object, wrong: readonly string[] = [], mode = "sandbox"): readonly unknown[] {
  const merchant = { mode, country: "AU" } as Merchant;
  const problems = paymentRequestProblems(input, merchant, NOW, (pointer) => !wrong.includes(pointer));
  return problems.map(({ field }) => field);
}

function check(rows: readonly Row[]): void {
  for (const [what, input, fields, wrong] of rows)
    test(`${what}: ${fields.join(", ") || "accepted"}`, () =>
      assert.deepEqual(fieldsOf(input, wrong), fields));
}

describe("a payment request is a checkout, a hosted page or a rail", () =>
  check([
    ["a checkout", checkout, []],
    ["neither", { payment }, ["/paymentMethods", "/transactionRequest"]],
    ["a hosted page", hosted, []],
    ["a hosted page that the schema refused", { payment }, [], ["/hostedPaymentPage"]],
    ["a hosted page with other rules", { ...hosted, transactionRequest: {} }, []],
    [
      "attempts beside a hosted page",
      { ...hosted, transactionRequest: { attempts: 2 } },
      ["/transactionRequest/attempts"],
    ],
    ["a PayID", payId, []],
    ["a PayID in Australian dollars", { payment: { ...payId.payment, currencyCode: "AUD" } }, []],
    [
      "a PayID in another currency",
      { payment: { ...payId.payment, currencyCode: "NZD" } },
      ["/payment/currencyCode"],
    ],
    ["a PayID with a page", { ...hosted, ...payId }, ["/hostedPaymentPage"]],
    [
      "a PayID for cards",
      { ...checkout, ...payId, customerRequest: {} },
      ["/paymentMethods", "/customerRequest", "/transactionRequest"],
    ],
    ["a PayID that the schema refused", { payment }, [], ["/payment/instrument"]],
    ["a PayID with refused methods", payId, ["/paymentMethods"], ["/paymentMethods"]],
  ]));

describe("an amount of 0 verifies a card that is then stored", () => {
  const zero = { amount: 0 };
  const stores = { customerRequest: { paymentInstrument: "create" } };
  const amount = ["/payment/amount"];
  check([
    ["a card that is stored", { ...checkout, payment: zero, ...stores }, []],
    ["a card on a hosted page", { ...hosted, payment: zero, ...stores }, []],
    ["a card that is not stored", { ...checkout, payment: zero }, amount],
    [
      "a card whose storing the schema refused",
      { ...checkout, payment: zero, customerRequest: {} },
      [],
      ["/customerRequest/paymentInstrument"],
    ],
    [
      "a method that the schema refused",
      { ...checkout, payment: zero, ...stores, paymentMethods: [undefined] },
      [],
    ],
    ["a wallet", { ...checkout, payment: zero, ...stores, paymentMethods: ["apple_pay"] }, amount],
    ["a PayID", { payment: { ...payId.payment, ...zero }, ...stores }, ["/customerRequest", ...amount]],
    [
      "a PayID that the schema refused",
      { payment: zero, ...stores },
      ["/customerRequest", ...amount],
      ["/payment/instrument"],
    ],
    ["an amount of a cent", { ...checkout, payment: { amount: 1 } }, []],
  ]);

  test("a refused amount is not compared with the lines of a page", () => {
    const page = { hostedPaymentPage: { lineItems: [{ title: "Ticket", amount: 3000 }] } };
    assert.deepEqual(fieldsOf({ payment: zero, ...page }), amount);
    assert.deepEqual(fieldsOf({ payment: zero, ...page, ...stores }), amount);
    assert.deepEqual(fieldsOf({ payment, ...page }), []);
    assert.deepEqual(fieldsOf({ payment: { amount: 2999 }, ...page }), amount);
  });
});

describe("an address is asked of a card's payer", () => {
  const asks = (collectAddress: string) => ({ ...checkout, transactionRequest: { collectAddress } });
  const address = ["/transactionRequest/collectAddress"];
  const wallet = { paymentMethods: ["google_pay"] };
  check([
    ["cards", asks("full"), []],
    ["cards and a wallet", { ...asks("full"), paymentMethods: ["google_pay", "card"] }, []],
    ["a wallet alone", { ...asks("full"), ...wallet }, address],
    ["a wallet alone, and no address", { ...asks("none"), ...wallet }, []],
    [
      "a wallet twice",
      { ...asks("full"), paymentMethods: ["google_pay", "google_pay"] },
      address,
      ["/paymentMethods"],
    ],
    ["a method that the schema refused", { ...asks("full"), paymentMethods: [undefined, "google_pay"] }, []],
    [
      "methods that the schema refused",
      { ...asks("full"), paymentMethods: undefined },
      ["/paymentMethods"],
      ["/paymentMethods"],
    ],
  ]);
});

describe("a payment request lives between a minute and ninety days", () => {
  const ends = (milliseconds: number) => ({ ...checkout, expiryDateTime: toIso(later(NOW, milliseconds)) });
  const expiry = ["/expiryDateTime"];
  check([
    ["a minute", ends(MINUTE), []],
    ["less than a minute", ends(MINUTE - 1), expiry],
    ["ninety days", ends(90 * DAY), []],
    ["more than ninety days", ends(90 * DAY + 1), expiry],
    ["no time at all", { ...checkout, expiryDateTime: "soon" }, []],
  ]);
});

describe("an existing customer has a name, an e-mail address and saved cards", () => {
  const by = (customerRequest: object) => ({ ...checkout, customerRequest });
  check([
    ["a new customer", by({ name: "Ann", email: "ann@shop.example" }), []],
    ["an existing customer", by({ id: "cus_1", allowRemoval: true }), []],
    ["an existing customer's name", by({ id: "cus_1", name: "Ann" }), ["/customerRequest/name"]],
    ["an existing customer's address", by({ id: "cus_1", email: "a@b.example" }), ["/customerRequest/email"]],
    ["removal by a new customer", by({ allowRemoval: false }), ["/customerRequest/allowRemoval"]],
    ["removal by a refused customer", by({ allowRemoval: true }), [], ["/customerRequest/id"]],
  ]);
});

describe("an agreement is for Apple Pay", () => {
  const place = "/agreementDetails";
  const agrees = (agreementDetails: object, paymentMethods: readonly unknown[] = ["apple_pay"]) => ({
    ...checkout,
    paymentMethods,
    agreementDetails,
  });
  check([
    ["with Apple Pay", agrees({}), []],
    ["without Apple Pay", agrees({}, ["card", "google_pay"]), [place]],
    ["on a hosted page without methods", { ...hosted, agreementDetails: {} }, [place]],
    ["a card twice", agrees({}, ["card", "card"]), [place], ["/paymentMethods"]],
    ["a method that the schema refused", agrees({}, ["card", undefined]), []],
    ["methods that the schema refused", { ...hosted, agreementDetails: {} }, [], ["/paymentMethods"]],
    ["an end on the first day", agrees({ startDate: "2026-12-01", endDate: "2026-12-01" }), []],
    [
      "an end before the first day",
      agrees({ startDate: "2026-12-01", endDate: "2026-11-30" }),
      [`${place}/endDate`],
    ],
    ["a first day alone", agrees({ startDate: "2026-12-01" }), []],
    ["an end today by the merchant's calendar", agrees({ endDate: "2026-11-17" }), []],
    ["an end yesterday", agrees({ endDate: "2026-11-16" }), [`${place}/endDate`]],
    [
      "an end before a first day that the schema refused",
      agrees({ endDate: "2026-11-16" }),
      [],
      [`${place}/startDate`],
    ],
  ]);

  test("a live payer manages it over an encrypted connection", () => {
    const at = (managementURL: string) => agrees({ managementURL });
    assert.deepEqual(fieldsOf(at("HTTP://gym.example/"), [], "live"), [`${place}/managementURL`]);
    assert.deepEqual(fieldsOf(at("https://gym.example/"), [], "live"), []);
    assert.deepEqual(fieldsOf(at("http://gym.example/"), [], "sandbox"), []);
  });
});
