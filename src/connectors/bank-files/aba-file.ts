import type { CalendarDay } from "../../kernel/time.ts";
import {
  type AbaAgreement,
  BankFileProblem,
  type DebitLine,
  type WrittenFile,
} from "../ports/debit-files.ts";
import { bankText } from "./bank-text.ts";
import { dayParts, REFERENCE } from "./debit-fields.ts";
import { blank, digits, left, right } from "./fixed-record.ts";

/** The characters of the Bulk Electronic Clearing System. */
const ALLOWED = "A-Za-z0-9 +\\-@$!%&()*./#=:;?,'\\[\\]_^";

const DEBIT = "13";
const CREDIT = "50";

/** The largest amount and total that ten digits hold. */
export const LARGEST_ABA_AMOUNT = 9_999_999_999;

/**
 * A direct entry file as Australian banks accept it (ABA, also called Cemtex): one descriptive record, one record per debit,
 * one record of totals; 120 characters each.
 */
export function writeAbaFile(
  agreement: AbaAgreement,
  day: CalendarDay,
  debits: readonly DebitLine[],
): WrittenFile {
  if (debits.length === 0) throw new BankFileProblem("a file without debits is not accepted by any bank");
  // First, so that a problem of the agreement does not count as one of a debit.
  const head = descriptive(agreement, day);
  const total = debits.reduce((sum, { amount }) => sum + amount, 0);
  const own: DebitLine = {
    reference: debits[0]?.reference ?? "",
    amount: total,
    accountName: agreement.userName,
    bsb: agreement.bsb,
    number: agreement.account,
  };
  const details = debits.map((debit) => detail(agreement, DEBIT, debit));
  if (agreement.balanced) details.push(detail(agreement, CREDIT, own));
  const credit = agreement.balanced ? total : 0;
  const records = [head, ...details, totals({ credit, debit: total, records: details.length })];
  return { text: records.map((record) => `${record}\r\n`).join(""), count: debits.length, total };
}

function descriptive(agreement: AbaAgreement, day: CalendarDay): string {
  const { yy, mm, dd } = dayParts(day);
  if (!/^[A-Z]{3}$/.test(agreement.institution)) {
    throw new BankFileProblem("institution is not three capital letters");
  }
  return [
    "0",
    blank(17),
    "01",
    agreement.institution,
    blank(7),
    left(26, textOf("userName", agreement.userName)),
    digits("userId", 6, agreement.userId),
    left(12, textOf("description", agreement.description)),
    dd + mm + yy,
    blank(40),
  ].join("");
}

function detail(agreement: AbaAgreement, code: string, debit: DebitLine): string {
  if (!REFERENCE.test(debit.reference))
    throw new BankFileProblem("a debit's reference is not one that this gateway makes");
  if (debit.amount < 1) throw new BankFileProblem(`${debit.reference}: the amount is not above zero`);
  return [
    "1",
    branch(debit.reference, debit.bsb ?? ""),
    right("number", 9, accountNumber(debit.reference, debit.number)),
    " ",
    code,
    digits(`${debit.reference}: amount`, 10, debit.amount),
    left(32, textOf(`${debit.reference}: accountName`, debit.accountName)),
    left(18, debit.reference),
    branch("bsb", agreement.bsb),
    right("account", 9, accountNumber("account", agreement.account)),
    left(16, textOf("remitter", agreement.remitter)),
    // No tax is ever withheld from a debit.
    digits("withholding", 8, 0),
  ].join("");
}

function totals(sum: { readonly credit: number; readonly debit: number; readonly records: number }): string {
  return [
    "7",
    "999-999",
    blank(12),
    digits("net total", 10, Math.abs(sum.credit - sum.debit)),
    digits("credit total", 10, sum.credit),
    digits("debit total", 10, sum.debit),
    blank(24),
    digits("count", 6, sum.records),
    blank(40),
  ].join("");
}

function textOf(field: string, text: string): string {
  const plain = bankText(field, text, ALLOWED);
  if (plain === "") throw new BankFileProblem(`${field} is empty`);
  return plain;
}

function branch(field: string, bsb: string): string {
  const [, bank, state] = /^(\d{3})-?(\d{3})$/.exec(bsb) ?? [];
  if (bank === undefined) throw new BankFileProblem(`${field}: a BSB is six digits`);
  return `${bank}-${state}`;
}

function accountNumber(field: string, number: string): string {
  if (!/^\d{1,9}$/.test(number))
    throw new BankFileProblem(`${field}: an account number is up to nine digits`);
  return number;
}
