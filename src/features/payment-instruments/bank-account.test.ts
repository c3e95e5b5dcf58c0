import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bankAccountProblems, bankNameOf, splitAccount } from "./bank-account.ts";

const AU = { accountName: "Jamie Lee", bsb: "062000", number: "12345678" };
const NZ = { accountName: "Jamie Lee", number: "12-3140-0171323-50" };
const fine = () => true;
const codesOf = (account: object) => bankAccountProblems(account, fine).map(({ code }) => code);

describe("spec 2.7: Australian accounts", () => {
  test("a number has 6 to 9 digits", () => {
    for (const number of ["123456", "000000", "1234567", "123456789"]) {
      assert.deepEqual(codesOf({ ...AU, number }), [], number);
    }
    for (const number of ["12345", "1234567890", "1234-5678", "123 456", "12-3140-0171323-50", "١٢٣٤٥٦"]) {
      assert.deepEqual(codesOf({ ...AU, number }), ["payment_instrument_account_number_invalid"], number);
    }
  });

  test("a name has up to 32 characters", () => {
    assert.deepEqual(codesOf({ ...AU, accountName: "é".repeat(32) }), []);
    assert.deepEqual(codesOf({ ...AU, accountName: "🌊".repeat(32) }), []);
    assert.deepEqual(codesOf({ ...AU, accountName: "x".repeat(33) }), [
      "payment_instrument_account_name_invalid",
    ]);
  });

  test("an invalid bsb still means Australia: the other fields follow its rules", () => {
    const { bsb: _, ...rest } = { ...AU, accountName: "x".repeat(33) };
    const problems = bankAccountProblems(rest, (pointer) => pointer !== "/bankAccount/bsb");
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["payment_instrument_account_name_invalid"],
    );
    assert.deepEqual(codesOf(rest), ["payment_instrument_account_number_invalid"]);
  });

  test("all but the last two digits are masked, and the length stays", () => {
    const shown = (number: string) => splitAccount({ ...AU, number }).shown.number;
    assert.equal(shown("12345678"), "XXXXXX78");
    assert.equal(shown("123456"), "XXXX56");
    assert.equal(shown("123456789"), "XXXXXXX89");
  });

  test("only the vault gets the number", () => {
    assert.deepEqual(splitAccount(AU), {
      secret: "12345678",
      shown: {
        country: "AU",
        accountName: "Jamie Lee",
        bsb: "062000",
        number: "XXXXXX78",
        bankName: "Commonwealth Bank",
      },
    });
  });
});

describe("spec 2.7, contract 6: New Zealand accounts", () => {
  test("a number is 2-4-7-2 or 2-4-7-3 digits, with all the hyphens or none", () => {
    for (const number of [
      "12-3140-0171323-50",
      "12-3140-0171323-050",
      "123140017132350",
      "1231400171323050",
    ]) {
      assert.deepEqual(codesOf({ ...NZ, number }), [], number);
    }
    for (const number of [
      "12314001713235",
      "12314001713230501",
      "12-3140-0171323-5",
      "12-3140-0171323-0501",
      "12-3140-017132350",
      "123140-0171323-50",
      "12-3140-171323-50",
      "1-23140-0171323-50",
      "12 3140 0171323 50",
      "12-3140-0171323-5O",
      "12345678",
      "",
    ]) {
      assert.deepEqual(codesOf({ ...NZ, number }), ["payment_instrument_account_number_invalid"], number);
    }
  });

  test("check digits are not verified", () => {
    assert.deepEqual(codesOf({ ...NZ, number: "01-0902-0068389-01" }), []);
    assert.deepEqual(codesOf({ ...NZ, number: "99-9999-9999999-99" }), []);
  });

  test("a name can be longer than an Australian one", () => {
    assert.deepEqual(codesOf({ ...NZ, accountName: "x".repeat(33) }), []);
  });

  test("a suffix of two digits is stored as three; shown are the last two, and the hyphens", () => {
    for (const number of [
      "12-3140-0171323-50",
      "123140017132350",
      "12-3140-0171323-050",
      "1231400171323050",
    ]) {
      assert.deepEqual(splitAccount({ ...NZ, number }), {
        secret: "1231400171323050",
        shown: { country: "NZ", accountName: "Jamie Lee", number: "XX-XXXX-XXXXXXX-X50", bankName: "ASB" },
      });
    }
    assert.equal(splitAccount({ ...NZ, number: "12-3140-0171323-987" }).secret, "1231400171323987");
  });
});

describe("contract 6: the name of the bank", () => {
  const australian = (bsb: string) => splitAccount({ ...AU, bsb }).shown.bankName;
  const newZealand = (bank: string) =>
    splitAccount({ ...NZ, number: `${bank}-0001-0000001-00` }).shown.bankName;

  for (const [bsb, name] of [
    ["012003", "ANZ Bank"],
    ["033088", "Westpac"],
    ["732001", "Westpac"],
    ["062000", "Commonwealth Bank"],
    ["083004", "National Australia Bank"],
    ["112879", "St.George Bank"],
    ["182512", "Macquarie Bank"],
    ["306089", "Bankwest"],
    ["484799", "Suncorp Bank"],
    ["633000", "Bendigo Bank"],
    ["923100", "ING"],
    ["939200", "AMP Bank"],
    ["802985", "Cuscal"],
    ["670864", "Cuscal"],
    ["325185", "Beyond Bank Australia"],
    ["313140", "Bank Australia"],
    ["654000", "Queensland Country Bank"],
    ["833205", "Defence Bank"],
  ] as const) {
    test(`${bsb} is at ${name}`, () => assert.equal(australian(bsb), name));
  }

  for (const [number, name] of [
    ["01", "ANZ"],
    ["02", "Bank of New Zealand"],
    ["03", "Westpac"],
    ["06", "ANZ"],
    ["12", "ASB"],
    ["15", "TSB"],
    ["38", "Kiwibank"],
    ["88", "Bank of China"],
  ] as const) {
    test(`${number} is ${name}`, () => assert.equal(newZealand(number), name));
  }

  test("three digits take precedence over two", () => {
    assert.equal(australian("610101"), "Adelaide Bank");
    assert.equal(australian("611100"), "Select Credit Union");
  });

  test("is known before the account is stored, unless a wrong field hides it", () => {
    assert.equal(bankNameOf(AU, fine), "Commonwealth Bank");
    assert.equal(bankNameOf(NZ, fine), "ASB");
    assert.equal(bankNameOf({ ...NZ, number: "12-3140" }, fine), undefined);
    const isWrong = (pointer: string) => pointer !== "/bankAccount/bsb";
    assert.equal(bankNameOf(NZ, isWrong), undefined, "a wrong bsb means Australia");
    assert.equal(bankNameOf(undefined, fine), undefined);
  });

  test("an unlisted prefix is an unknown bank, and the account is accepted", () => {
    assert.equal(australian("999999"), "Unknown bank");
    assert.equal(newZealand("99"), "Unknown bank");
    assert.deepEqual(codesOf({ ...AU, bsb: "999999" }), []);
  });
});
