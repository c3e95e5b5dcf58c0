import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CardFormModel, cardForm } from "./card-form.ts";
import { statusPanel } from "./status-panel.ts";

const MODEL: CardFormModel = {
  merchantName: "Harbour Coffee",
  mode: "sandbox",
  amount: 3000,
  currencyCode: "AUD",
  surcharging: false,
  storeCard: false,
};
const EVIL = `"><img src=x onerror=alert(1)>'&`;

describe("contract 11: the card form", () => {
  test("labels, autocomplete and the total are what tests and assistive technology rely on", () => {
    const form = cardForm(MODEL);
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

  test("consent is asked only when the card is stored, and never ticked", () => {
    assert.doesNotMatch(cardForm(MODEL), /Save this card/);
    const form = cardForm({ ...MODEL, storeCard: true });
    assert.match(form, /Save this card for future payments/);
    assert.doesNotMatch(form, /\schecked/);
  });

  test("with a surcharge it shows amount, surcharge and total", () => {
    const surcharge = { amount: 36, cardType: "visa", percent: 1.2, fixed: 0 } as const;
    const form = cardForm({ ...MODEL, surcharging: true, surcharge });
    for (const part of ["Amount", "$30.00", "Surcharge", "Visa 1.2%", "$0.36", "Total", "$30.36"]) {
      assert.ok(form.includes(part), part);
    }
    assert.match(cardForm({ ...MODEL, surcharging: true }), /A surcharge may apply/);
    assert.doesNotMatch(cardForm(MODEL), /urcharge/);
  });

  test("a problem is tied to its field", () => {
    const form = cardForm({ ...MODEL, problems: { number: "Enter your card number." } });
    assert.match(form, /<input id="number"[^>]* aria-describedby="number-problem" aria-invalid="true"/);
    assert.match(form, /id="number-problem">.*<span>Enter your card number\.<\/span>/);
    assert.match(form, /<input id="expiry"[^>]* aria-invalid="false"/);
  });

  test("without scripts it posts, with what the page needs back", () => {
    const form = cardForm({ ...MODEL, post: { action: "/pay/x", hidden: { proof: EVIL } } });
    assert.match(form, /<form [^>]*method="post" action="\/pay\/x"/);
    assert.match(form, /<input type="hidden" name="proof" value="&quot;&gt;&lt;img/);
    assert.doesNotMatch(cardForm(MODEL), /method=|action=/);
  });

  test("no text of a merchant or payer becomes markup, and nothing needs an exception in the policy", () => {
    const problems = { number: EVIL, expiry: EVIL, securityCode: EVIL, name: EVIL, consent: EVIL };
    const everything = { merchantName: EVIL, name: EVIL, notice: EVIL, currencyCode: EVIL, problems };
    const form = cardForm({
      ...MODEL,
      ...everything,
      storeCard: true,
      post: { action: EVIL, hidden: { a: EVIL } },
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
