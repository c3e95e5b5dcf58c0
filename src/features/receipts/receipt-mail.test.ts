import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findLanguage } from "../../kernel/languages/languages.ts";
import { instant } from "../../kernel/time.ts";
import type { Merchant } from "../merchants/merchant.ts";
import type { PaymentRequest } from "../payment-requests/payment-request.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { receiptMail } from "./receipt-mail.ts";

const paid = {
  merchant: { name: "Corner Shop", mode: "live", country: "AU" } as Merchant,
  request: { id: "pr_1", reference: "pr_1", details: {} } as PaymentRequest,
  transaction: {
    id: "txn_1",
    currency: "AUD",
    amount: 1_000,
    surcharge: 0,
    captured: 1_000,
    card: null,
    createdAt: instant(Date.UTC(2026, 10, 16)),
  } as Transaction,
};
const PLAIN = ["Total: $10.00 AUD", "Date: 16 November 2026 at 11:00 am AEDT", "Transaction: txn_1"];

type Changes = { readonly [part in keyof typeof paid]?: object };

function mail(changes: Changes = {}, tag = "en") {
  const language = findLanguage(tag);
  assert.ok(language);
  const parts = Object.entries(paid).map(([name, part]) => [
    name,
    { ...part, ...changes[name as keyof Changes] },
  ]);
  return receiptMail(Object.fromEntries(parts), language);
}

/** The rows of the plain text, between its heading and its end. */
function rows(changes?: Changes): readonly string[] {
  return (mail(changes).text.split("\n\n").at(-2) ?? "").replace(/[\u202f\u00a0]/g, " ").split("\n");
}

describe("the mail of a receipt", () => {
  test("says who was paid how much, and nothing that is not known", () => {
    const { subject, text, html } = mail();
    assert.equal(subject, "Receipt from Corner Shop: $10.00 AUD");
    assert.match(text, /^You paid \$10\.00 AUD to Corner Shop\n\nTotal/);
    assert.deepEqual(rows(), PLAIN);
    assert.match(text, /\n\nQuestions about the order\? Please contact Corner Shop\.\n$/);
    assert.doesNotMatch(html, /undefined|test payment/);
  });

  test("names the page's merchant, the description, the card and the merchant's own reference", () => {
    const changes = {
      request: {
        reference: "order <7>",
        details: { description: "Tea & cake", hostedPage: { merchantName: "Tea Shop" } },
      },
      transaction: { card: { cardType: "visa", last4: "1111" } },
    };
    assert.match(mail(changes).subject, /^Receipt from Tea Shop:/);
    assert.deepEqual(rows(changes), [
      "For: Tea & cake",
      PLAIN[0],
      "Paid with: Visa ending in 1111",
      PLAIN[1],
      "Reference: order <7>",
      PLAIN[2],
    ]);
    assert.match(mail(changes).html, /Tea &#38; cake.*order &#60;7&#62;/);
    assert.deepEqual(rows({ request: { details: { description: "" } } }), PLAIN);
  });

  test("splits the total into amount and surcharge, but not a part of it", () => {
    const split = { surcharge: 15, captured: 1_015 };
    assert.deepEqual(rows({ transaction: split }).slice(0, 3), [
      "Amount: $10.00",
      "Surcharge: $0.15",
      "Total: $10.15 AUD",
    ]);
    assert.deepEqual(rows({ transaction: { surcharge: 1, captured: 1_001 } }).length, 5);
    assert.equal(rows({ transaction: { ...split, captured: 900 } })[0], "Total: $9.00 AUD");
  });

  test("of the sandbox says that no money moved", () => {
    const { subject, text, html } = mail({ merchant: { mode: "sandbox" } });
    assert.match(subject, /^\[Test\] /);
    for (const body of [text, html]) assert.match(body, /This was a test payment: no money moved\./);
  });

  test("is written in the language's direction", () => {
    const [english, arabic] = [mail().html, mail({}, "ar").html];
    assert.match(english, /dir="ltr".*align="left" style="padding:6px 16px 6px 0/s);
    assert.doesNotMatch(english, /align="right"|6px 0 6px 16px/);
    assert.match(arabic, /dir="rtl".*align="right" style="padding:6px 0 6px 16px/s);
    assert.doesNotMatch(arabic, /align="left"|6px 16px 6px 0/);
  });
});
