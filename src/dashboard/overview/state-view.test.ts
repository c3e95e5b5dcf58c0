import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "../../../browser/ui/html.ts";
import { DEBITS_ADDED_AT_MOST } from "./queries.ts";
import { debitsInProcessing } from "./state-view.ts";

test("debits in processing have no amount where not all of them were added up", () => {
  const words = (inDollars: number) => {
    const debits = [
      { currency: "AUD", count: inDollars, amount: 1_000 },
      { currency: "NZD", count: 1, amount: 1_050 },
    ];
    return html`${debitsInProcessing("/dashboard/mer_1", debits)}`.html.replace(/<[^>]*>/g, "");
  };
  assert.equal(words(DEBITS_ADDED_AT_MOST - 2), "9,999 debits, $10.00 AUD, $10.50 NZD");
  assert.equal(words(DEBITS_ADDED_AT_MOST - 1), "10,000 or more debits");
});
