import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decodeMessage, encodeMessage } from "./codec.ts";
import { type Dialect, type FieldRule, type IsoMessage, MessageError } from "./dialect.ts";
import { checkDialect } from "./dialect-file.ts";
import { ISO87_ASCII, ISO87_BINARY } from "./iso87.ts";

const PURCHASE: IsoMessage = {
  type: "0200",
  fields: {
    2: "4111111111111111111",
    3: "000000",
    4: "14400",
    11: "000123",
    22: "810",
    32: "12345",
    41: "TERM01",
    48: "CV003123",
    49: "036",
    90: "0100".padEnd(42, "1"),
  },
};

describe("ISO 8583 messages", () => {
  test("in iso87-ascii are digits, lengths and the bitmap as characters", () => {
    assert.equal(
      encodeMessage(ISO87_ASCII, PURCHASE).toString("latin1"),
      [
        "0200F02004010081800000000040000000" + "00",
        "194111111111111111111000000000000014400000123810" + "0512345",
        "TERM01  008CV003123036",
        PURCHASE.fields[90],
      ].join(""),
    );
  });

  test("in iso87-binary pack an odd number with its zero on the left if fixed, on the right if it has a length", () => {
    assert.equal(
      encodeMessage(ISO87_BINARY, PURCHASE).toString("hex").toUpperCase(),
      [
        "0200F0200401008180000000004000000000",
        "1941111111111111111110" + "000000" + "000000014400" + "000123" + "0810" + "05123450",
        Buffer.from("TERM01  ").toString("hex"),
        `0008${Buffer.from("CV003123").toString("hex")}`,
        Buffer.from("036").toString("hex"),
        PURCHASE.fields[90],
      ]
        .join("")
        .toUpperCase(),
    );
  });

  for (const dialect of [ISO87_ASCII, ISO87_BINARY, withHeader()]) {
    test(`in ${dialect.name} are read as they were written`, () => {
      fc.assert(
        fc.property(messages(dialect), (message) => {
          assert.deepEqual(decodeMessage(dialect, encodeMessage(dialect, message)), message);
        }),
        { numRuns: 300 },
      );
    });

    test(`in ${dialect.name} are refused when bytes are missing or left over`, () => {
      fc.assert(
        fc.property(messages(dialect), fc.double({ min: 0, max: 1, noNaN: true }), (message, at) => {
          const bytes = encodeMessage(dialect, message);
          const cut = bytes.subarray(0, Math.floor(at * (bytes.length - 1)));
          assert.throws(() => decodeMessage(dialect, cut), MessageError);
          const longer = Buffer.concat([bytes, Buffer.from("0")]);
          assert.throws(() => decodeMessage(dialect, longer), /1 bytes follow the last field/);
        }),
        { numRuns: 300 },
      );
    });

    test(`in ${dialect.name} that are random bytes are refused or read, and end no process`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          try {
            decodeMessage(dialect, Buffer.from(bytes));
          } catch (error) {
            assert.ok(error instanceof MessageError);
          }
        }),
        { numRuns: 1_000 },
      );
    });
  }

  const refused: readonly (readonly [string, IsoMessage, RegExp])[] = [
    ["letters in digits", { type: "0200", fields: { 4: "12a" } }, /field 4 holds digits only/],
    [
      "a fixed field that is too long",
      { type: "0200", fields: { 3: "0000000" } },
      /field 3 has the length 7/,
    ],
    ["a number above its maximum", { type: "0200", fields: { 2: "1".repeat(20) } }, /field 2 .* at most 19/],
    ["a control character", { type: "0200", fields: { 41: "A\nB" } }, /field 41 holds printable/],
    ["a type that is none", { type: "02", fields: {} }, /four digits/],
    [
      "a field that does not exist",
      { type: "0200", fields: { 129: "1" } },
      /field 129 is not in the dialect/,
    ],
  ];
  for (const [name, message, reason] of refused) {
    test(`are not written with ${name}`, () => {
      for (const dialect of [ISO87_ASCII, ISO87_BINARY]) {
        assert.throws(() => encodeMessage(dialect, message), reason);
      }
    });
  }

  test("with digits that are none are refused, and the reason quotes no value", () => {
    const ascii = encodeMessage(ISO87_ASCII, { type: "0200", fields: { 2: "4111111111111111" } });
    const bad = Buffer.from(ascii.toString("latin1").replace("41111", "4x111"));
    assert.throws(
      () => decodeMessage(ISO87_ASCII, bad),
      (error: Error) => /field 2 holds digits only/.test(error.message) && !error.message.includes("111"),
    );
    const packed = encodeMessage(ISO87_BINARY, { type: "0200", fields: { 11: "123456" } });
    packed[packed.length - 1] = 0xab;
    assert.throws(() => decodeMessage(ISO87_BINARY, packed), /field 11 holds digits only/);
  });

  test("with a length that a field may not have are refused before anything is read", () => {
    assert.throws(
      () => decodeMessage(ISO87_ASCII, Buffer.from(`02004000000000000000${"99"}${"1".repeat(99)}`)),
      /field 2 has the length 99: at most 19 is allowed/,
    );
  });
});

function withHeader(): Dialect {
  const checked = checkDialect({ name: "bank-of-test", base: "iso87-binary", header: "6000000000" });
  assert.ok("dialect" in checked);
  return checked.dialect;
}

/** Messages that fill fixed fields, as they look after reading. */
function messages(dialect: Dialect): fc.Arbitrary<IsoMessage> {
  const fields = fc
    .uniqueArray(fc.constantFrom(...dialect.fields.keys()), { minLength: 1, maxLength: 12 })
    .chain((numbers) =>
      fc.record(
        Object.fromEntries(numbers.map((field) => [field, values(dialect.fields.get(field))] as const)),
        { noNullPrototype: true },
      ),
    );
  const type = fc.constantFrom("0100", "0110", "0200", "0421", "0810");
  return fc.record({ type, fields }, { noNullPrototype: true });
}

function values(rule: FieldRule | undefined): fc.Arbitrary<string> {
  assert.ok(rule !== undefined);
  const { format, length, maximum } = rule;
  const minLength = length === "fixed" ? maximum : 0;
  const text = (alphabet: string, least: number, most: number) =>
    fc.string({ unit: fc.constantFrom(...alphabet.split("")), minLength: least, maxLength: most });
  if (format === "ans") return text(" AZaz09é#{", minLength, maximum);
  if (format === "x+n") return text("0123456789", maximum - 1, maximum - 1).map((digits) => `C${digits}`);
  if (format === "b") {
    return fc
      .uint8Array({ minLength, maxLength: maximum })
      .map((bytes) => Buffer.from(bytes).toString("hex").toUpperCase());
  }
  return text(format === "z" ? "0123456789D" : "0123456789", minLength, maximum);
}
