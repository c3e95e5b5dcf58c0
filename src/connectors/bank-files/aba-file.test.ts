import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseDate } from "../../kernel/time.ts";
import { type AbaAgreement, BankFileProblem, type DebitLine } from "../ports/debit-files.ts";
import { LARGEST_ABA_AMOUNT, writeAbaFile } from "./aba-file.ts";

const DAY = parseDate("2026-03-09") ?? assert.fail();
const AGREEMENT: AbaAgreement = {
  institution: "CBA",
  userName: "Tidewater Gym",
  userId: "301500",
  description: "DEBITS",
  bsb: "062000",
  account: "10203040",
  remitter: "TIDEWATER GYM",
  balanced: false,
};
const DEBIT: DebitLine = {
  reference: "7H3K9QMXV2ZB",
  amount: 12_345,
  accountName: "Jamie Lee",
  bsb: "083170",
  number: "1234567",
};

const recordsOf = (debits: readonly DebitLine[], agreement = AGREEMENT) => {
  const { text } = writeAbaFile(agreement, DAY, debits);
  assert.ok(text.endsWith("\r\n"));
  return text.slice(0, -2).split("\r\n");
};

/** The characters from one place to another, both counted from 1 and included, as the published layout counts. */
const at = (record: string | undefined, from: number, to: number) => record?.slice(from - 1, to);
const refused = (change: Partial<DebitLine>) =>
  assert.throws(() => writeAbaFile(AGREEMENT, DAY, [{ ...DEBIT, ...change }]), BankFileProblem);
const taken = (change: Partial<DebitLine>) => recordsOf([{ ...DEBIT, ...change }])[1];

describe("the ABA direct entry file, field by field", () => {
  test("every record has 120 characters, all of them ASCII", () => {
    for (const record of recordsOf([DEBIT, DEBIT], { ...AGREEMENT, balanced: true })) {
      assert.match(record, /^[ -~]{120}$/);
    }
  });

  test("the descriptive record", () => {
    const [record] = recordsOf([DEBIT]);
    assert.equal(at(record, 1, 1), "0");
    assert.equal(at(record, 2, 18), " ".repeat(17));
    assert.equal(at(record, 19, 20), "01");
    assert.equal(at(record, 21, 23), "CBA");
    assert.equal(at(record, 24, 30), " ".repeat(7));
    assert.equal(at(record, 31, 56), "Tidewater Gym             ");
    assert.equal(at(record, 57, 62), "301500");
    assert.equal(at(record, 63, 74), "DEBITS      ");
    assert.equal(at(record, 75, 80), "090326");
    assert.equal(at(record, 81, 120), " ".repeat(40));
  });

  test("a debit", () => {
    const [, record] = recordsOf([DEBIT]);
    assert.equal(at(record, 1, 1), "1");
    assert.equal(at(record, 2, 8), "083-170");
    assert.equal(at(record, 9, 17), "  1234567");
    assert.equal(at(record, 18, 18), " ");
    assert.equal(at(record, 19, 20), "13");
    assert.equal(at(record, 21, 30), "0000012345");
    assert.equal(at(record, 31, 62), `Jamie Lee${" ".repeat(23)}`);
    assert.equal(at(record, 63, 80), "7H3K9QMXV2ZB      ");
    assert.equal(at(record, 81, 87), "062-000");
    assert.equal(at(record, 88, 96), " 10203040");
    assert.equal(at(record, 97, 112), "TIDEWATER GYM   ");
    assert.equal(at(record, 113, 120), "00000000");
  });

  test("the record of totals, without a balancing credit", () => {
    const record = recordsOf([DEBIT, { ...DEBIT, amount: 55 }]).at(-1);
    assert.equal(at(record, 1, 1), "7");
    assert.equal(at(record, 2, 8), "999-999");
    assert.equal(at(record, 9, 20), " ".repeat(12));
    assert.equal(at(record, 21, 30), "0000012400");
    assert.equal(at(record, 31, 40), "0000000000");
    assert.equal(at(record, 41, 50), "0000012400");
    assert.equal(at(record, 51, 74), " ".repeat(24));
    assert.equal(at(record, 75, 80), "000002");
    assert.equal(at(record, 81, 120), " ".repeat(40));
  });

  test("balanced: one credit of the total to the merchant's own account, and totals that net to zero", () => {
    const records = recordsOf([DEBIT, { ...DEBIT, amount: 55 }], { ...AGREEMENT, balanced: true });
    const [credit, totals] = records.slice(-2);
    assert.equal(at(credit, 2, 20), "062-000 10203040 50");
    assert.equal(at(credit, 21, 30), "0000012400");
    assert.equal(at(credit, 31, 62)?.trim(), "Tidewater Gym");
    assert.equal(at(totals, 21, 50), "000000000000000124000000012400");
    assert.equal(at(totals, 75, 80), "000003");
  });

  test("the complete file, byte for byte", () => {
    assert.equal(
      writeAbaFile(AGREEMENT, DAY, [DEBIT]).text,
      `0                 01CBA       Tidewater Gym             301500DEBITS      090326${" ".repeat(40)}\r
1083-170  1234567 130000012345Jamie Lee                       7H3K9QMXV2ZB      062-000 10203040TIDEWATER GYM   00000000\r
7999-999            000001234500000000000000012345                        000001${" ".repeat(40)}\r
`,
    );
  });
});

describe("the limits of the ABA file", () => {
  test("amounts: from 1 cent to ten digits, whole cents, and so are totals", () => {
    assert.equal(at(taken({ amount: 1 }), 21, 30), "0000000001");
    assert.equal(at(taken({ amount: LARGEST_ABA_AMOUNT }), 21, 30), "9999999999");
    for (const amount of [0, -1, 1.5, LARGEST_ABA_AMOUNT + 1]) refused({ amount });
    const all = { ...DEBIT, amount: LARGEST_ABA_AMOUNT };
    assert.throws(() => writeAbaFile(AGREEMENT, DAY, [all, { ...DEBIT, amount: 1 }]), /net total/);
  });

  test("names: 32 characters stay, longer ones are truncated, an empty one is refused", () => {
    assert.equal(at(taken({ accountName: "N".repeat(32) }), 31, 63), `${"N".repeat(32)}7`);
    assert.equal(at(taken({ accountName: "N".repeat(33) }), 31, 63), `${"N".repeat(32)}7`);
    for (const accountName of ["", "  ", "̄"]) refused({ accountName });
  });

  test("replaces letters outside the bank's set; refuses those without a replacement", () => {
    const name = (accountName: string) => at(taken({ accountName }), 31, 62)?.trim();
    assert.equal(name("Aroha Māori-Tāne"), "Aroha Maori-Tane");
    assert.equal(name("Zoë O’Brien – Groß"), "Zoe O'Brien - Gross");
    assert.equal(name("Łukasz Ørsted"), "Lukasz Orsted");
    assert.equal(name("A [B] & C (D)"), "A [B] & C (D)");
    for (const accountName of ["李小龙", "A|B", 'A"B', "A<B", "🙂"]) refused({ accountName });
  });

  test("a name can't break a line", () => {
    assert.equal(at(taken({ accountName: "A\r\nB" }), 31, 34), "A  B");
  });

  test("account numbers: up to nine digits; a BSB is six", () => {
    assert.equal(at(taken({ number: "123456789" }), 9, 17), "123456789");
    for (const number of ["", "1234567890", "12345a", "12 345"]) refused({ number });
    for (const bsb of [undefined, "", "08317", "0831700", "08-3170", "ABCDEF"]) refused({ bsb });
  });

  test("references: up to twelve letters and digits, the first not 0", () => {
    assert.equal(at(taken({ reference: "A" }), 63, 80), "A                 ");
    for (const reference of ["", "A".repeat(13), "a", "A B", "0", "0A"]) refused({ reference });
  });

  test("refuses an invalid agreement, and a file without debits", () => {
    const changes: readonly Partial<AbaAgreement>[] = [
      { institution: "CB" },
      { institution: "cba" },
      { userId: "1234567" },
      { userId: "12a" },
      { userName: "" },
      { bsb: "1" },
      { account: "1234567890" },
      { remitter: "漢" },
    ];
    for (const change of changes) {
      assert.throws(() => writeAbaFile({ ...AGREEMENT, ...change }, DAY, [DEBIT]), BankFileProblem);
    }
    assert.throws(() => writeAbaFile(AGREEMENT, DAY, []), BankFileProblem);
  });

  test("a problem of the agreement is not taken for one of a debit", () => {
    const agreement = { ...AGREEMENT, userName: "李小龙", balanced: true };
    assert.throws(() => writeAbaFile(agreement, DAY, [DEBIT]), /^BankFileProblem: userName has characters/);
  });

  test("a problem names the debit by its reference and never shows its number", () => {
    assert.throws(
      () => writeAbaFile(AGREEMENT, DAY, [{ ...DEBIT, number: "98765432101" }]),
      (error: Error) => error.message.includes(DEBIT.reference) && !error.message.includes("98765"),
    );
  });

  test("for any content, the totals are those of the records", () => {
    const debit = fc.record({
      reference: fc.stringMatching(/^[1-9A-Z][0-9A-Z]{0,11}$/),
      amount: fc.integer({ min: 1, max: 9_999_999 }),
      accountName: fc.stringMatching(/^[A-Za-zé][A-Za-z é'-]{0,40}$/),
      bsb: fc.stringMatching(/^\d{6}$/),
      number: fc.stringMatching(/^\d{6,9}$/),
    });
    fc.assert(
      fc.property(fc.array(debit, { minLength: 1, maxLength: 40 }), fc.boolean(), (debits, balanced) => {
        const records = recordsOf(debits, { ...AGREEMENT, balanced });
        const sum = (code: string) =>
          records
            .filter((record) => record.startsWith("1") && at(record, 19, 20) === code)
            .reduce((total, record) => total + Number(at(record, 21, 30)), 0);
        const totals = records.at(-1);
        assert.ok(records.every((record) => record.length === 120));
        assert.equal(Number(at(totals, 31, 40)), sum("50"));
        assert.equal(Number(at(totals, 41, 50)), sum("13"));
        assert.equal(Number(at(totals, 21, 30)), sum("13") - sum("50"));
        assert.equal(Number(at(totals, 75, 80)), records.length - 2);
      }),
    );
  });
});
