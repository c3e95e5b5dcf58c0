import type { CalendarDay } from "../../kernel/time.ts";
import {
  BankFileProblem,
  type DebitDays,
  type DebitLine,
  type NzAgreement,
  type WrittenFile,
} from "../ports/debit-files.ts";
import { bankText } from "./bank-text.ts";
import { dayParts, REFERENCE } from "./debit-fields.ts";
import { digits } from "./fixed-record.ts";

const ALLOWED = "A-Za-z0-9 \\-'&/#?:_.";

const DIRECT_DEBIT_BATCH = "6";
const DEBIT = "00";

/** The largest amount and total that eleven digits hold. */
export const LARGEST_NZ_AMOUNT = 99_999_999_999;

/**
 * A direct debit file in the layout that New Zealand banks share (fields between commas: a header of type 1, records of
 * type 2, a control record of type 3 with a hash total), as Bank of New Zealand accepts it for direct debits.
 */
export function writeNzDebitFile(
  agreement: NzAgreement,
  days: DebitDays,
  debits: readonly DebitLine[],
): WrittenFile {
  if (debits.length === 0) throw new BankFileProblem("a file without debits is not accepted by any bank");
  if (!/^\d{7}$/.test(agreement.authorisationCode)) {
    throw new BankFileProblem("authorisationCode is not seven digits");
  }
  const total = debits.reduce((sum, { amount }) => sum + amount, 0);
  const records = [
    [
      "1",
      agreement.authorisationCode,
      "",
      "",
      accountDigits("account", agreement.account),
      DIRECT_DEBIT_BATCH,
      shortDay(days.due),
      shortDay(days.made),
      "I",
    ],
    ...debits.map((debit) => detail(agreement, debit)),
    ["3", fits("total", total), String(debits.length), hashTotal(debits)],
  ];
  return {
    text: records.map((fields) => `${fields.join(",")}\r\n`).join(""),
    count: debits.length,
    total,
  };
}

function detail(agreement: NzAgreement, debit: DebitLine): readonly string[] {
  const { reference } = debit;
  if (!REFERENCE.test(reference))
    throw new BankFileProblem("a debit's reference is not one that this gateway makes");
  if (debit.amount < 1) throw new BankFileProblem(`${reference}: the amount is not above zero`);
  const name = textOf("name", 20, agreement.name);
  const particulars = textOf("particulars", 12, agreement.particulars, true);
  return [
    "2",
    accountDigits(reference, debit.number),
    DEBIT,
    fits(`${reference}: amount`, debit.amount),
    textOf(`${reference}: accountName`, 20, debit.accountName),
    // On the payer's statement: reference, code, a field that is not used, particulars.
    reference,
    "",
    "",
    particulars,
    // On ours: name, code, reference, particulars.
    name,
    "",
    reference,
    "",
  ];
}

/** Branch and body of every account, added up; eleven digits of that, counted from the right. */
export function hashTotal(debits: readonly Pick<DebitLine, "number">[]): string {
  const sum = debits.reduce((all, { number }) => all + BigInt(number.slice(2, 13)), 0n);
  return String(sum % 100_000_000_000n).padStart(11, "0");
}

function textOf(field: string, width: number, text: string, mayBeEmpty = false): string {
  const plain = bankText(field, text, ALLOWED);
  if (plain === "" && !mayBeEmpty) throw new BankFileProblem(`${field} is empty`);
  return plain.slice(0, width);
}

function accountDigits(field: string, number: string): string {
  const plain = number.replaceAll("-", "");
  if (!/^\d{15,16}$/.test(plain)) throw new BankFileProblem(`${field}: an account number is 15 or 16 digits`);
  return plain;
}

/** At most eleven digits, without leading zeros. */
function fits(field: string, amount: number): string {
  digits(field, 11, amount);
  return String(amount);
}

function shortDay(day: CalendarDay): string {
  const { yy, mm, dd } = dayParts(day);
  return yy + mm + dd;
}
