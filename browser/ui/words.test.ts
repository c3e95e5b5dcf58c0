import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGLISH, spoken } from "../../src/kernel/languages/languages.ts";
import { speechIn } from "../../src/kernel/languages/speech.ts";
import { nameProblem } from "./cardholder-name.ts";
import { declineWords } from "./decline-words.ts";
import { fieldProblems } from "./field-problems.ts";
import { html } from "./html.ts";
import { moneyText } from "./money-text.ts";
import { rateText } from "./price-rows.ts";

const SPEECH = speechIn(spoken(ENGLISH), "NZD");

import { ENGLISH_CHECKOUT as WORDS } from "../../src/kernel/languages/english.ts";

describe("contract 11: texts for the payer", () => {
  test("amounts read as dollars and cents", () => {
    for (const money of [SPEECH.money, moneyText]) {
      const shown = [0, 5, 36, 3000, 123456, 99_999_999_999].map((cents) => money(cents));
      assert.deepEqual(shown, ["$0.00", "$0.05", "$0.36", "$30.00", "$1,234.56", "$999,999,999.99"]);
      assert.equal(money(-250), "-$2.50");
    }
  });

  test("a rate is a percentage, an amount, or both", () => {
    assert.equal(rateText(SPEECH, 1.2, 0), "1.2%");
    assert.equal(rateText(SPEECH, 1.2, 10), "1.2% + $0.10");
    assert.equal(rateText(SPEECH, 0, 10), "$0.10");
  });

  test("a decline gives its reason", () => {
    assert.match(declineWords(WORDS, [{ message: "insufficient_funds" }]).reason, /insufficient funds/);
    assert.match(declineWords(WORDS, [{ message: "expired_card" }]).reason, /expired/);
    assert.match(declineWords(WORDS, [{ message: "3d_secure_error" }]).reason, /confirm that it's you/);
  });

  test("lost, stolen and suspected cards get the text of a plain decline", () => {
    const plain = declineWords(WORDS, [{ message: "do_not_honour" }]);
    for (const message of [
      "pick_up_card",
      "suspected_fraud_retain_card",
      "lost_card",
      "stolen_card",
      "suspected_fraud",
      "restricted_card",
      "capture_card",
      "D04499",
      "toString",
    ]) {
      assert.deepEqual(declineWords(WORDS, [{ message }]), plain, message);
    }
  });

  test("shows the gateway's refusals at their fields, only the first per field", () => {
    const codes = [
      { field: "/card/expiryMonth" },
      { field: "/card/expiryYear" },
      { field: "/card/number" },
      {},
    ];
    const problems = fieldProblems(WORDS, codes);
    assert.deepEqual(Object.keys(problems).sort(), ["expiry", "number"]);
    assert.match(problems.expiry ?? "", /month/);
  });

  test("the name may be empty and must not be a card number", () => {
    assert.equal(nameProblem(WORDS, ""), undefined);
    assert.equal(nameProblem(WORDS, "Zoë O'Neil"), undefined);
    assert.match(nameProblem(WORDS, "4111 1111 1111 1111") ?? "", /name/);
  });
});

describe("markup: escapes every text", () => {
  test("a value can't open or close a tag or attribute", () => {
    const evil = `"><script>alert('1')</script>&amp;`;
    assert.equal(
      html`<p title="${evil}">${evil}</p>`.html,
      `<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>`,
    );
  });

  test("nested markup stays markup, and absent values add nothing", () => {
    assert.equal(
      html`<p>${html`<b>${1}</b>`}${[html`<i></i>`]}${undefined}${false}</p>`.html,
      "<p><b>1</b><i></i></p>",
    );
  });
});
