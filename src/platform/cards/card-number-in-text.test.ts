import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { newId } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import { holdsCardNumber } from "./card-number-in-text.ts";

describe("contract 2: a card number in free text", () => {
  for (const text of [
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4 1 1 1-1 1 1 1-1 1 1 1-1 1 1 1",
    "4111 1111\r\n1111\n1111",
    "4111  1111 - 1111\u00a01111",
    "4111\u20131111\u20131111\u20131111",
    "4111\u200b1111\u200b1111\u200b1111",
    "４１１１１１１１１１１１１１１１",
    "٤١١١١١١١١١١١١١١١",
    "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱",
    "४१११११११११११११११",
    "𝟺𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷",
    "𞥔𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑𞥑",
    "Card4111111111111111",
    "Order 12 4111 1111 1111 1111 exp 12/28",
    "4111 1111 1111 1111 12/28",
    "my card is 378282246310005, thanks",
    "+4111 1111 1111 1111",
    "+378282246310005",
    "Tel: +3782 822463 10005",
    "+36700102000000",
    "+36700102000000 2",
    "+1 36700102000000",
    "4222222222222",
    "5555555555554444",
    "2223000048400011",
    "36700102000000",
    "6011111111111117",
    "3530111333300000",
    "6200000000000005",
    "4000000000000000006",
  ]) {
    test(`is found in "${text}"`, () => assert.equal(holdsCardNumber(text), true));
  }

  for (const text of [
    "",
    "4111111111111112",
    "٤١١١١١١١١١١١١١١٢",
    "411111111111",
    "9999999999999995",
    "1234567890123452",
    "Order 2026-11-15-0000123456",
    "2026-11-15 10:30:00.000",
    "1763209999123",
    "0412 345 678",
    "+61 412 345 678",
    "+4917612345675",
    "004917612345675",
    "4111/1111/1111/1111",
    "4111.1111.1111.1111",
    "4111x1111x1111x1111",
    "14111111111111111",
    "41111111111111110",
    "00004111111111111111",
    "12-3140-0171323-50",
    "550e8400-e29b-41d4-a716-446655440000",
    "00000000-0000-4111-1111-111111111111",
  ]) {
    test(`is not seen in "${text}"`, () => assert.equal(holdsCardNumber(text), false));
  }

  test("is not seen in ids", () => {
    for (let count = 0; count < 20_000; count += 1) {
      const uuid = randomUUID();
      assert.equal(holdsCardNumber(uuid), false, uuid);
      assert.equal(holdsCardNumber(uuid.replaceAll("-", "")), false, uuid);
      const id = newId("paymentRequest", instant(1_763_209_999_123 + count));
      assert.equal(holdsCardNumber(`paid by ${id}, thanks`), false, id);
    }
    assert.equal(holdsCardNumber("4111111111111111a4111111111111111"), false, "bytes in hexadecimal, too");
    assert.equal(holdsCardNumber("4111111111111111 abcdef"), true);
    assert.equal(holdsCardNumber("4111111111111111D25121011234567890F"), true, "the second track of a card");
    assert.equal(holdsCardNumber("4111111111111111x4111111111111111"), true);
    assert.equal(holdsCardNumber("pr_01k4111111111111111aaaaaaaaaa"), false, "an id can hold one by chance");
    assert.equal(holdsCardNumber("pr_4111111111111111"), true, "what is no id is searched");
  });

  test("takes no time that grows with the square of the text", () => {
    const begun = performance.now();
    for (const text of ["1 ".repeat(2_500), "4".repeat(5_000), "+1-".repeat(1_600), "4 1".repeat(1_600)]) {
      holdsCardNumber(text);
    }
    assert.ok(performance.now() - begun < 500);
  });
});
