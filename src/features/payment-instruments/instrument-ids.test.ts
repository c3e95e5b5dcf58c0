import assert from "node:assert/strict";
import { test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { placeOf } from "./instrument-ids.ts";

test("the vault has a card's number and an account's number in different places", () => {
  const ids = { merchantId: "mer_1" as Id<"merchant">, id: "ins_1" as Id<"paymentInstrument"> };
  const place = { merchantId: ids.merchantId, instrumentId: ids.id };
  assert.deepEqual(placeOf({ ...ids, type: "card" }), { ...place, field: "card_number" });
  assert.deepEqual(placeOf({ ...ids, type: "bank_account" }), { ...place, field: "account_number" });
});
