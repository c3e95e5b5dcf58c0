import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { instant } from "../../kernel/time.ts";
import type { Merchant } from "../merchants/merchant.ts";
import type { PaymentInstrument } from "../payment-instruments/payment-instrument.ts";
import { chargeProblems, newCharge } from "./new-charge.ts";
import type { ChargeInput } from "./wire.ts";

const NOW = instant(Date.UTC(2026, 10, 16));
const id = "txn_1" as Id<"transaction">;
const ids = { id: "ins_1", customerId: "cus_1", merchantId: "mer_1" };
const visa = { cardType: "visa", name: "Jamie Lee", last4: "1111", expiryMonth: 12, expiryYear: 2030 };
const account = { accountName: "Jamie Lee", bsb: "062000", number: "XXXXXX78" };

const card = (cardType = "visa") =>
  ({ ...ids, type: "card", card: { ...visa, cardType }, bankAccount: null }) as PaymentInstrument;
const bank = (country: "AU" | "NZ" = "AU", shown: object = account) =>
  ({
    ...ids,
    type: "bank_account",
    card: null,
    bankAccount: { ...shown, country, bankName: "Commonwealth Bank" },
  }) as PaymentInstrument;
const merchant = (capabilities: Partial<Merchant["capabilities"]>) =>
  ({ id: "mer_1", currency: "NZD", capabilities }) as Merchant;
const both = merchant({ cardNotPresent: true, directDebit: true });

type Parts = Partial<Omit<ChargeInput, "payment">> & {
  readonly cvn?: string;
  readonly currencyCode?: "AUD" | "NZD";
};

const input = ({ cvn, currencyCode, ...rest }: Parts = {}): ChargeInput => ({
  ...rest,
  payment: {
    amount: 100,
    ...(currencyCode !== undefined && { currencyCode }),
    instrument: {
      customer: { id: "cus_1", paymentInstrumentId: "ins_1", ...(cvn !== undefined && { cvn }) },
    },
  },
});

describe("a charge of a stored instrument", () => {
  const charge = (instrument: PaymentInstrument, parts?: Parts) =>
    newCharge(both, instrument, input(parts), { id, now: NOW });

  test("of a card calls the acquirer at once, in the merchant's currency", () => {
    const { source, phase, currency, amount, reference, card: charged, bankAccount } = charge(card());
    assert.deepEqual(
      { source, phase, currency, amount, reference },
      { source: "card", phase: "calling", currency: "NZD", amount: 100, reference: id },
    );
    assert.deepEqual(charged, visa);
    assert.equal(bankAccount, null);
  });

  test("of a bank account waits for the bank, in the account's currency, and keeps what may be shown of the account", () => {
    const { source, phase, currency, card: charged, bankAccount } = charge(bank());
    assert.deepEqual(
      { source, phase, currency },
      { source: "direct_debit", phase: "waiting", currency: "AUD" },
    );
    assert.equal(charged, null);
    assert.deepEqual(bankAccount, account);
    const { bsb: _, ...withoutBsb } = account;
    assert.deepEqual(charge(bank("NZ", withoutBsb)).bankAccount, withoutBsb);
    assert.equal(charge(bank("NZ")).currency, "NZD");
  });

  test("is one single payment over the internet, captured at once and in full, unless the merchant says otherwise", () => {
    const facts = ({ origin, frequency, captureType, acceptsPartial }: ReturnType<typeof charge>) => [
      ...[origin, frequency, captureType],
      acceptsPartial,
    ];
    assert.deepEqual(facts(charge(card())), ["internet", "single", "auto", false]);
    const category = {
      origin: "mail",
      frequency: "recurring",
      captureType: "manual",
      partialApproval: "accept",
    } as const;
    assert.deepEqual(facts(charge(card(), { category })), ["mail", "recurring", "manual", true]);
    assert.equal(charge(card(), { category: { partialApproval: "decline" } }).acceptsPartial, false);
  });

  test("belongs to the instrument's customer, with the merchant's reference, metadata and currency", () => {
    const made = charge(card(), { reference: "order 7", metadata: { a: "b" }, currencyCode: "AUD" });
    const { reference, metadata, currency, customerId, paymentInstrumentId, createdAt } = made;
    assert.deepEqual(
      { reference, metadata, currency, customerId, paymentInstrumentId, createdAt },
      {
        reference: "order 7",
        metadata: { a: "b" },
        currency: "AUD",
        customerId: "cus_1",
        paymentInstrumentId: "ins_1",
        createdAt: NOW,
      },
    );
  });

  test("needs the capability for its kind of instrument, and no other", () => {
    const code = (one: Merchant, instrument: PaymentInstrument) => {
      try {
        newCharge(one, instrument, input(), { id, now: NOW });
        return undefined;
      } catch (error) {
        return error instanceof Refusal ? error.problems[0]?.code : error;
      }
    };
    const cards = merchant({ cardNotPresent: true, directDebit: false });
    const debits = merchant({ cardNotPresent: false, directDebit: true });
    assert.equal(code(cards, card()), undefined);
    assert.equal(code(cards, bank()), "charge_direct_debit_capability_missing");
    assert.equal(code(debits, card()), "charge_card_capability_missing");
    assert.equal(code(debits, bank()), undefined);
  });

  test("with a problem is refused", () => {
    assert.throws(() => charge(card(), { cvn: "1" }), Refusal);
  });
});

describe("problems of a charge", () => {
  const codes = (instrument: PaymentInstrument, parts?: Parts) =>
    chargeProblems(instrument, input(parts)).map(({ code, field }) => `${code} ${field}`);
  const wrongCode = "charge_cvn_invalid /payment/instrument/customer/cvn";

  test("a security code has the length of its card's scheme; of an unknown scheme it may have any", () => {
    assert.deepEqual(codes(card()), []);
    assert.deepEqual(codes(card(), { cvn: "123" }), []);
    assert.deepEqual(codes(card(), { cvn: "1234" }), [wrongCode]);
    assert.deepEqual(codes(card("amex"), { cvn: "1234" }), []);
    assert.deepEqual(codes(card("amex"), { cvn: "123" }), [wrongCode]);
    assert.deepEqual(codes(card("unknown"), { cvn: "1234" }), []);
  });

  test("a bank account has no security code, no later capture, no part of the amount, and one currency", () => {
    assert.deepEqual(codes(bank()), []);
    assert.deepEqual(codes(bank(), { currencyCode: "AUD" }), []);
    assert.deepEqual(codes(bank(), { category: { captureType: "auto", partialApproval: "decline" } }), []);
    assert.deepEqual(
      codes(bank(), {
        cvn: "123",
        category: { captureType: "manual", partialApproval: "accept" },
        currencyCode: "NZD",
      }),
      [
        wrongCode,
        "charge_capture_type_invalid /category/captureType",
        "charge_partial_approval_invalid /category/partialApproval",
        "charge_currency_invalid /payment/currencyCode",
      ],
    );
  });
});
