import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGLISH, spoken } from "../../src/kernel/languages/languages.ts";
import { speechIn } from "../../src/kernel/languages/speech.ts";
import { type PayFormModel, payForm } from "./pay-form.ts";
import { statusPanel } from "./status-panel.ts";

const MODEL: PayFormModel = {
  speech: speechIn(spoken(ENGLISH), "AUD"),
  merchantName: "Harbour Coffee",
  mode: "sandbox",
  amount: 3000,
  currencyCode: "AUD",
  card: true,
  wallets: [],
  surcharging: false,
  storeCard: "never",
  saved: { cards: [], allowRemoval: false },
};
const EVIL = `"><img src=x onerror=alert(1)>'&`;

describe("contract 11: the card form", () => {
  test("has labels, autocomplete and the total", () => {
    const form = payForm(MODEL);
    for (const [name, label, autocomplete] of [
      ["number", "Card number", "cc-number"],
      ["expiry", "Expiry date", "cc-exp"],
      ["securityCode", "Security code", "cc-csc"],
      ["name", "Name on card", "cc-name"],
    ]) {
      assert.match(form, new RegExp(`<label for="${name}">${label}</label>`));
      assert.match(form, new RegExp(`<input id="${name}"[^>]* autocomplete="${autocomplete}"`));
    }
    assert.match(form, /Pay <span id="total">\$30\.00<\/span>/);
    assert.match(form, /Australian dollars \(AUD\)/);
  });

  test("shows what the payment is for, as text only", () => {
    assert.doesNotMatch(payForm(MODEL), /class="description"/);
    const form = payForm({ ...MODEL, description: EVIL });
    assert.match(form, /<p class="description"><bdi>&quot;&gt;&lt;img src=x/);
  });

  test("requests consent only when the card is stored, and ticks it only after the payer", () => {
    assert.doesNotMatch(payForm(MODEL), /Save this card/);
    const form = payForm({ ...MODEL, storeCard: "asked" });
    assert.match(form, /Save this card for future payments/);
    assert.doesNotMatch(form, /\schecked|id="consent"[^>]*required/);
    assert.ok(form.indexOf('id="consent"') < form.indexOf('class="price"'));
    assert.match(payForm({ ...MODEL, storeCard: "asked", consent: true }), /id="consent"[^>]* checked>/);
  });

  test("without an amount the button saves the card, beside a sentence that says so, and there is no price", () => {
    const form = payForm({ ...MODEL, amount: 0, storeCard: "always" });
    assert.match(form, /<span class="pay-words">Save card<\/span>/);
    assert.match(form, /By saving this card, you let <bdi>Harbour Coffee<\/bdi> store it/);
    assert.doesNotMatch(form, /type="checkbox"|\$0|id="total"/);
  });

  test("for payments that recur a sentence beside the button says what is stored, by whom and for what", () => {
    const form = payForm({ ...MODEL, storeCard: "always" });
    assert.doesNotMatch(form, /Save this card|type="checkbox"/);
    assert.match(
      form,
      /By paying, you let <bdi>Harbour Coffee<\/bdi> store this card and charge it for the recurring payments/,
    );
    assert.match(form, /<button class="pay"[^>]* aria-describedby="currency storing"/);
    const withWallets = payForm({ ...MODEL, storeCard: "always", wallets: ["apple_pay"] });
    assert.equal(withWallets.split('id="storing"').length, 2);
    assert.ok(withWallets.indexOf('id="storing"') < withWallets.indexOf('id="wallets"'));
  });

  test("shows amount, surcharge and total with a surcharge", () => {
    const surcharge = { amount: 36, cardType: "visa", percent: 1.2, fixed: 0 } as const;
    const form = payForm({ ...MODEL, surcharging: true, surcharge });
    for (const part of ["Amount", "$30.00", "Surcharge", "Visa 1.2%", "$0.36", "Total", "$30.36"]) {
      assert.ok(form.includes(part), part);
    }
    assert.match(payForm({ ...MODEL, surcharging: true }), /A surcharge may apply/);
    assert.doesNotMatch(payForm(MODEL), /urcharge/);
  });

  test("links a problem to its field", () => {
    const form = payForm({ ...MODEL, problems: { number: "Enter your card number." } });
    assert.match(
      form,
      /<input id="number"[^>]* aria-describedby="number-hint number-problem" aria-invalid="true"/,
    );
    assert.match(form, /id="number-problem">.*<span>Enter your card number\.<\/span>/);
    assert.match(form, /<input id="expiry"[^>]* aria-invalid="false"/);
  });

  test("wallets come before the card and stay hidden until the script adds their buttons", () => {
    const form = payForm({ ...MODEL, wallets: ["apple_pay", "google_pay"] });
    assert.match(form, /<div class="wallets" id="wallets" hidden>/);
    assert.ok(form.indexOf('id="wallet-buttons"') < form.indexOf("or pay by card"));
    assert.ok(form.indexOf("or pay by card") < form.indexOf('id="number"'));
    assert.doesNotMatch(payForm(MODEL), /wallet|or pay by card/);
  });

  test("with wallets consent comes once, before every payment method", () => {
    const form = payForm({ ...MODEL, wallets: ["google_pay"], storeCard: "asked" });
    assert.ok(form.indexOf('id="consent"') < form.indexOf('id="wallets"'));
    assert.equal(form.split('id="consent"').length, 2);
  });

  test("without a card method there are no card fields, and without scripts the page says what is needed", () => {
    const post = { action: "/pay/x", hidden: {}, needsScript: "Needs JavaScript" };
    const wallets = ["apple_pay", "google_pay"] as const;
    const form = payForm({ ...MODEL, card: false, wallets, storeCard: "asked", post });
    assert.doesNotMatch(form, /id="number"|class="pay"|cc-number|or pay by card/);
    assert.match(form, /Amount to pay<\/span><strong class="order-total">\$30\.00/);
    assert.match(form, /<noscript><p>Needs JavaScript<\/p>/);
    assert.ok(
      form.indexOf('id="wallets"') < form.indexOf('id="consent"'),
      "hidden with the rest until scripts run",
    );
  });

  test("without scripts the form posts with its hidden fields", () => {
    const form = payForm({ ...MODEL, post: { action: "/pay/x", hidden: { proof: EVIL }, needsScript: "" } });
    assert.match(form, /<form [^>]*method="post" action="\/pay\/x"/);
    assert.match(form, /<input type="hidden" name="proof" value="&quot;&gt;&lt;img/);
    assert.doesNotMatch(payForm(MODEL), /method=|action=/);
  });

  test("escapes every text of merchant and payer, and needs no exception in the Content-Security-Policy", () => {
    const problems = { number: EVIL, expiry: EVIL, securityCode: EVIL, name: EVIL };
    const everything = { merchantName: EVIL, name: EVIL, notice: EVIL, currencyCode: EVIL, problems };
    const form = payForm({
      ...MODEL,
      ...everything,
      storeCard: "asked",
      post: { action: EVIL, hidden: { a: EVIL }, needsScript: "" },
    });
    const panel = statusPanel({
      picture: "good",
      heading: EVIL,
      words: [EVIL],
      amount: EVIL,
      action: { id: EVIL, label: EVIL },
    });
    for (const markup of [form, panel]) {
      assert.doesNotMatch(markup, /<img/);
      assert.doesNotMatch(markup, /\sstyle=|<style|<script|\son[a-z]+=(?!alert)/);
    }
  });
});
