import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant } from "../../kernel/time.ts";
import {
  cardEnd,
  changedCard,
  changedInstrument,
  deletedInstrument,
  isToken,
  ownPairs,
  type PaymentInstrument,
} from "./payment-instrument.ts";

const card = { name: "Ann", last4: "1111", expiryMonth: 12, expiryYear: 2030, cardType: "visa" };
const bankAccount = {
  country: "AU",
  accountName: "Ann",
  bsb: "062000",
  number: "••78",
  bankName: "CBA",
} as const;
const facts = { reference: "r", metadata: null, updatedAt: instant(1_000), deletedAt: null };
const stored = { ...facts, type: "card", card, bankAccount: null } as unknown as PaymentInstrument;
const account = { ...facts, type: "bank_account", card: null, bankAccount } as unknown as PaymentInstrument;
const now = instant(2_000);

describe("a stored instrument", () => {
  test("a card ends with its expiry month, in UTC", () => {
    assert.equal(cardEnd({ expiryMonth: 12, expiryYear: 2030 }), Date.UTC(2031, 0, 1));
    assert.equal(cardEnd({ expiryMonth: 2, expiryYear: 2028 }), Date.UTC(2028, 2, 1));
  });

  for (const [what, facts, token] of [
    ["a typed card", {}, false],
    ["an Apple Pay card", { wallet: "apple_pay" }, true],
    ["a Google Pay card", { wallet: "google_pay" }, false],
    ["a Google Pay card on a device", { wallet: "google_pay", isNetworkToken: true }, true],
  ] as const) {
    test(`${what} ${token ? "has a network token" : "has its own number"}`, () =>
      assert.equal(isToken({ ...card, ...facts }), token));
  }

  test("is the same object after a change that changes nothing", () => {
    const sameCard = { name: "Ann", expiryMonth: 12, expiryYear: 2030 };
    assert.equal(changedInstrument(stored, { reference: "r", card: sameCard }, now), stored);
    assert.equal(changedInstrument(account, { bankAccount: { accountName: "Ann" } }, now), account);
    assert.equal(changedInstrument(account, { bankAccount: {} }, now), account);
    assert.equal(changedCard(card, sameCard), card);
    assert.equal(changedCard(card), card);
  });

  for (const change of [{ name: "Bob" }, { expiryMonth: 11 }, { expiryYear: 2031 }]) {
    test(`${Object.keys(change).join()} of a card alone is a change`, () =>
      assert.deepEqual(changedInstrument(stored, { card: change }, now), {
        ...stored,
        card: { ...card, ...change },
        updatedAt: 2_000,
      }));
  }

  test("reference, metadata or the account's name alone are changes", () => {
    assert.deepEqual(changedInstrument(stored, { reference: "s" }, now), {
      ...stored,
      reference: "s",
      updatedAt: 2_000,
    });
    assert.deepEqual(changedInstrument(stored, { metadata: { a: "1" } }, now).metadata, { a: "1" });
    assert.deepEqual(changedInstrument(account, { bankAccount: { accountName: "Bob" } }, now), {
      ...account,
      bankAccount: { ...bankAccount, accountName: "Bob" },
      updatedAt: 2_000,
    });
  });

  test("a bank account's `bankName` is not the merchant's to set", () => {
    const sent = { bankName: "CBA", a: "1" };
    assert.deepEqual(ownPairs(account, sent), { a: "1" });
    assert.deepEqual(ownPairs(stored, sent), sent);
    assert.equal(ownPairs(account, undefined), undefined);
  });

  test("deleting is a change", () => {
    assert.deepEqual(deletedInstrument(stored, instant(500)), {
      ...stored,
      updatedAt: 1_001,
      deletedAt: 1_001,
    });
  });
});
