import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../../kernel/time.ts";
import { BankFileProblem, type DebitLine } from "../ports/debit-files.ts";
import { writeAbaFile } from "./aba-file.ts";
import { readAbaReturns } from "./aba-returns.ts";

const DAY = parseDate("2026-03-09") ?? assert.fail();
const USER = "301500";
const DEBITS: readonly DebitLine[] = [
  { reference: "AAAAAAAAAAA1", amount: 12_345, accountName: "Jamie Lee", bsb: "083170", number: "1234567" },
  { reference: "AAAAAAAAAAA2", amount: 55, accountName: "Sam Ng", bsb: "062000", number: "123456789" },
];

/** What a bank does with our file: records that it returns become type 2, with a reason, the day and our number. */
function returned(reasons: readonly string[], change: (file: string) => string = (file) => file): string {
  const agreement = { institution: "CBA", userName: "Gym", userId: USER, description: "DEBITS" };
  const own = { bsb: "062000", account: "10203040", remitter: "GYM", balanced: false };
  const { text } = writeAbaFile({ ...agreement, ...own }, DAY, DEBITS);
  const [head = "", ...rest] = text.trimEnd().split("\r\n");
  const items = rest
    .slice(0, reasons.length)
    .map((record, index) => `2${record.slice(1, 17)}${reasons[index]}${record.slice(18, 112)}09${USER}`);
  const total = items.reduce((sum, item) => sum + Number(item.slice(20, 30)), 0);
  const sum = String(total).padStart(10, "0");
  const foot = `7999-999${" ".repeat(12)}${sum}${"0".repeat(10)}${sum}${" ".repeat(24)}${String(items.length).padStart(6, "0")}${" ".repeat(40)}`;
  return change([head, ...items, foot].map((record) => `${record}\r\n`).join(""));
}

const refused = (text: string, why: RegExp) =>
  assert.throws(
    () => readAbaReturns(text, USER),
    (error: Error) => error instanceof BankFileProblem && why.test(error.message),
  );

describe("the ABA returns file", () => {
  test("finds a return by the reference that we sent", () => {
    assert.deepEqual(readAbaReturns(returned(["6", "3"]), USER), [
      { line: 2, reference: "AAAAAAAAAAA1", amount: 12_345, reason: "refused" },
      { line: 3, reference: "AAAAAAAAAAA2", amount: 55, reason: "account_closed" },
    ]);
  });

  test("each return code has its reason; unknown codes are refused", () => {
    const meaning = (code: string) => readAbaReturns(returned([code]), USER)[0]?.reason;
    assert.deepEqual(["1", "2", "3", "4", "5", "6", "8", "9"].map(meaning), [
      "account_invalid",
      "account_blocked",
      "account_closed",
      "account_blocked",
      "account_invalid",
      "refused",
      "refused",
      "refused",
    ]);
    for (const code of ["0", "7", " ", "A"]) refused(returned([code]), /line 2: the return code/);
  });

  test("accepts a file without returns, any line ends, and a short last line", () => {
    assert.deepEqual(readAbaReturns(returned([]), USER), []);
    const file = returned(["6"]);
    for (const end of ["\n", "\r"]) {
      assert.equal(readAbaReturns(file.replaceAll("\r\n", end), USER).length, 1);
    }
    assert.equal(readAbaReturns(file.trimEnd(), USER).length, 1);
  });

  test("refuses all of a file that was truncated or changed", () => {
    const cut = (file: string) => file.split("\r\n").slice(0, -2).join("\r\n");
    refused(returned(["6", "3"], cut), /totals is missing/);
    const dropped = (file: string) => file.split("\r\n").toSpliced(1, 1).join("\r\n");
    refused(returned(["6", "3"], dropped), /count of records/);
    refused(
      returned(["6"], (file) => file.replace("130000012345", "130000012346")),
      /totals are not/,
    );
    refused(
      returned(["6"], (file) => file.replace("Jamie Lee ", "Jamie Lee")),
      /120 characters/,
    );
    refused("", /type 0/);
    refused("hello", /type 0/);
  });

  test("refuses what is not ours, or is not a debit", () => {
    refused(
      returned(["6"], (file) => file.replace(`09${USER}`, "09999999")),
      /another user/,
    );
    refused(
      returned(["6"], (file) => file.replace("6130000012345", "6500000012345")),
      /not a debit/,
    );
  });
});
