import { BankFileProblem, type ReturnedLine, type ReturnReason } from "../ports/debit-files.ts";

/** Return codes of the Bulk Electronic Clearing System. 7 is no longer in use. */
export const ABA_REASONS: Readonly<Record<string, ReturnReason>> = {
  1: "account_invalid", // There is no such BSB.
  2: "account_blocked", // Payment stopped.
  3: "account_closed",
  4: "account_blocked", // Customer deceased.
  5: "account_invalid", // No such account.
  6: "refused", // Refer to customer, which mostly means insufficient funds.
  8: "refused", // The user's number is not valid.
  9: "refused", // Technically invalid.
};

const RETURN =
  /^2(?<bsb>\d{3}-\d{3})(?<account>[ \d]{9})(?<reason>.)(?<code>\d{2})(?<amount>\d{10})(?<name>.{32})(?<reference>.{18})(?<trace>\d{3}-\d{3}[ \d]{9})(?<remitter>.{16})(?<day>\d{2})(?<user>\d{6})$/;
const TOTALS = /^7999-999 {12}(?<net>\d{10})(?<credit>\d{10})(?<debit>\d{10}) {24}(?<count>\d{6})(?: {40})?$/;

/**
 * The returns file of an Australian bank: the layout of the file that was sent, with a record of type 2 per return.
 * All or nothing: a file whose totals do not add up was truncated or changed, and all of it is refused.
 */
export function readAbaReturns(text: string, userId: string): readonly ReturnedLine[] {
  const records = text.split(/\r\n|\n|\r/).map((record, index) => ({ record, line: index + 1 }));
  const given = records.filter(({ record }) => record.trim() !== "");
  const [head, ...rest] = given;
  const foot = rest.pop();
  if (head?.record.startsWith("0") !== true)
    throw problemAt(1, "a returns file begins with a record of type 0");
  const sums = TOTALS.exec(foot?.record ?? "")?.groups;
  if (foot === undefined || sums === undefined) {
    throw problemAt(foot?.line ?? 1, "the record of totals is missing: the file was cut");
  }
  const items = rest.map(({ record, line }) => itemOf(record, line, userId));
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  if (Number(sums["count"]) !== items.length) throw problemAt(foot.line, "the count of records is not right");
  // A returned debit is a credit to the payer, so banks differ in which of the totals they add it to.
  if (Math.max(Number(sums["debit"]), Number(sums["credit"])) !== total) {
    throw problemAt(foot.line, "the totals are not those of the records");
  }
  return items;
}

function itemOf(record: string, line: number, userId: string): ReturnedLine {
  const fields = RETURN.exec(record)?.groups;
  if (fields === undefined) throw problemAt(line, "not a record of type 2 with 120 characters");
  if (fields["user"] !== userId.padStart(6, "0")) throw problemAt(line, "a debit of another user");
  if (fields["code"] !== "13") throw problemAt(line, "what came back is not a debit");
  const reason = ABA_REASONS[fields["reason"] ?? ""];
  if (reason === undefined) throw problemAt(line, "the return code is not known");
  return {
    line,
    reference: (fields["reference"] ?? "").trim(),
    amount: Number(fields["amount"]),
    reason,
  };
}

function problemAt(line: number, problem: string): BankFileProblem {
  return new BankFileProblem(`line ${line}: ${problem}`);
}
