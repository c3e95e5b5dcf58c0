import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseDate } from "../../kernel/time.ts";
import { BankFileProblem, type DebitLine, type NzAgreement } from "../ports/debit-files.ts";
import { hashTotal, LARGEST_NZ_AMOUNT, writeNzDebitFile } from "./nz-debit-file.ts";
import { readNzReturns } from "./nz-returns.ts";

const DAYS = {
  due: parseDate("2026-03-10") ?? assert.fail(),
  made: parseDate("2026-03-09") ?? assert.fail(),
};
const AGREEMENT: NzAgreement = {
  authorisationCode: "0212345",
  account: "02-1234-0005678-00",
  name: "Tidewater Gym",
  particulars: "MEMBERSHIP",
};
const DEBIT: DebitLine = {
  reference: "7H3K9QMXV2ZB",
  amount: 12_345,
  accountName: "Aroha Tāne",
  number: "1231400171323050",
};

const recordsOf = (debits: readonly DebitLine[], agreement = AGREEMENT) =>
  writeNzDebitFile(agreement, DAYS, debits).text.trimEnd().split("\r\n");
const refused = (change: Partial<DebitLine>) =>
  assert.throws(() => writeNzDebitFile(AGREEMENT, DAYS, [{ ...DEBIT, ...change }]), BankFileProblem);
const fieldOf = (change: Partial<DebitLine>, place: number) =>
  recordsOf([{ ...DEBIT, ...change }])[1]?.split(",")[place - 1];

describe("the New Zealand direct debit file, field by field", () => {
  test("the header: authorisation code, own account, batch type 6, due day, day of making", () => {
    assert.equal(recordsOf([DEBIT])[0], "1,0212345,,,021234000567800,6,260310,260309,I");
  });

  test("a debit has thirteen fields", () => {
    assert.deepEqual(recordsOf([DEBIT])[1]?.split(","), [
      "2",
      "1231400171323050",
      "00",
      "12345",
      "Aroha Tane",
      "7H3K9QMXV2ZB",
      "",
      "",
      "MEMBERSHIP",
      "Tidewater Gym",
      "",
      "7H3K9QMXV2ZB",
      "",
    ]);
  });

  test("the control record: total, count, hash total", () => {
    const other = { ...DEBIT, amount: 55, number: "0112340567891000" };
    assert.equal(recordsOf([DEBIT, other]).at(-1), `3,12400,2,${hashTotal([DEBIT, other])}`);
  });

  test("the hash total is branch and body added up, its last eleven digits", () => {
    assert.equal(hashTotal([DEBIT]), "31400171323");
    assert.equal(hashTotal([{ number: "0100010000002000" }]), "00010000002");
    const largest = { number: "0199999999999000" };
    assert.equal(hashTotal([largest, largest]), "99999999998");
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\d{16}$/), { minLength: 1, maxLength: 50 }), (numbers) => {
        const sum = numbers.reduce((all, number) => all + BigInt(number.slice(2, 13)), 0n);
        const hash = hashTotal(numbers.map((number) => ({ number })));
        assert.match(hash, /^\d{11}$/);
        assert.ok(sum.toString().padStart(11, "0").endsWith(hash));
      }),
    );
  });

  test("limits: amounts, totals, names, numbers, references", () => {
    assert.equal(fieldOf({ amount: LARGEST_NZ_AMOUNT }, 4), "99999999999");
    for (const amount of [0, -1, 0.5, LARGEST_NZ_AMOUNT + 1]) refused({ amount });
    const all = { ...DEBIT, amount: LARGEST_NZ_AMOUNT };
    assert.throws(() => recordsOf([all, DEBIT]), /total/);
    assert.equal(fieldOf({ accountName: "N".repeat(21) }, 5), "N".repeat(20));
    for (const accountName of ["", "李", "A,B", "A(B"]) refused({ accountName });
    for (const number of ["12314001713230", "12314001713230500", "x"]) refused({ number });
    assert.equal(fieldOf({ number: "123140017132350" }, 2), "123140017132350");
    for (const reference of ["", "A".repeat(13), "a,b"]) refused({ reference });
    assert.throws(() => writeNzDebitFile(AGREEMENT, DAYS, []), BankFileProblem);
    const changes: readonly Partial<NzAgreement>[] = [
      { authorisationCode: "12345" },
      { account: "12" },
      { name: "" },
      { particulars: "a,b" },
    ];
    for (const change of changes) {
      assert.throws(() => recordsOf([DEBIT], { ...AGREEMENT, ...change }), BankFileProblem);
    }
    assert.equal(recordsOf([DEBIT], { ...AGREEMENT, particulars: "" })[1]?.split(",")[8], "");
  });
});

describe("the New Zealand dishonours", () => {
  const read = (...rows: readonly string[]) => readNzReturns(rows.join("\r\n"));
  const fails = (why: RegExp, ...rows: readonly string[]) =>
    assert.throws(
      () => read(...rows),
      (error: Error) => error instanceof BankFileProblem && why.test(error.message),
    );

  test("columns in any order, among others, with quotes or without", () => {
    assert.deepEqual(
      read(
        'Date,Reason,"Reference",Payer,Amount',
        '2026-03-11,Insufficient funds,AAAAAAAAAAA1,"Lee, Jamie",123.45',
        "2026-03-11,ACCOUNT CLOSED,AAAAAAAAAAA2,,$0.55",
        ',Refer to drawer,AAAAAAAAAAA3,,"-$1,234,567.80"',
        "",
      ),
      [
        { line: 2, reference: "AAAAAAAAAAA1", amount: 12_345, reason: "refused" },
        { line: 3, reference: "AAAAAAAAAAA2", amount: 55, reason: "account_closed" },
        { line: 4, reference: "AAAAAAAAAAA3", amount: 123_456_780, reason: "refused" },
      ],
    );
  });

  test("each wording has its reason; unknown wordings are refused", () => {
    const meaning = (words: string) => read("reference,amount,reason", `A,1.00,${words}`)[0]?.reason;
    assert.equal(meaning("Payment stopped"), "account_blocked");
    assert.equal(meaning("No authority held"), "account_blocked");
    assert.equal(meaning("Invalid account number"), "account_invalid");
    assert.equal(meaning("Refer to drawer"), "refused");
    fails(/line 2: the reason/, "reference,amount,reason", "A,1.00,because");
  });

  test("refuses all of a file that is not one of dishonours", () => {
    fails(/line 1: the header needs one column "reference"/, "amount,reason", "1.00,refused");
    fails(/one column "amount"/, "reference,amount,amount,reason", "A,1.00,1.00,refused");
    fails(/line 2: not as many fields/, "reference,amount,reason", "A,1.00");
    for (const amount of ["100", "1.0", "", "1.005", "ten", '"1,23.00"', '"1234,567.00"', '",123.00"']) {
      fails(/line 2: the amount/, "reference,amount,reason", `A,${amount},refused`);
    }
    fails(/header/, "");
  });
});
