import {
  type AbaAgreement,
  LARGEST_ABA_AMOUNT,
  writeAbaFile,
} from "../../../connectors/bank-files/aba-file.ts";
import { readAbaReturns } from "../../../connectors/bank-files/aba-returns.ts";
import type { DebitLine, ReturnedLine, WrittenFile } from "../../../connectors/bank-files/debit-file.ts";
import {
  LARGEST_NZ_AMOUNT,
  type NzAgreement,
  writeNzDebitFile,
} from "../../../connectors/bank-files/nz-debit-file.ts";
import { readNzReturns } from "../../../connectors/bank-files/nz-returns.ts";
import type { CalendarDay } from "../../../kernel/time.ts";

/** What an operator agreed on with a bank, with the country that tells which bank's files it is about. */
export type DebitAgreement =
  | ({ readonly country: "AU" } & AbaAgreement)
  | ({ readonly country: "NZ" } & NzAgreement);

/** The largest total of one file. */
export function largestTotal({ country }: DebitAgreement): number {
  return country === "AU" ? LARGEST_ABA_AMOUNT : LARGEST_NZ_AMOUNT;
}

export function writeDebitFile(
  agreement: DebitAgreement,
  days: { readonly due: CalendarDay; readonly made: CalendarDay },
  debits: readonly DebitLine[],
): WrittenFile {
  return agreement.country === "AU"
    ? writeAbaFile(agreement, days.due, debits)
    : writeNzDebitFile(agreement, days, debits);
}

export function readReturns(agreement: DebitAgreement, text: string): readonly ReturnedLine[] {
  return agreement.country === "AU" ? readAbaReturns(text, agreement.userId) : readNzReturns(text);
}
