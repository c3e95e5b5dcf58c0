import type { DebitFiles } from "../ports/debit-files.ts";
import { LARGEST_ABA_AMOUNT, writeAbaFile } from "./aba-file.ts";
import { readAbaReturns } from "./aba-returns.ts";
import { readAcknowledgement } from "./acknowledgement.ts";
import { LARGEST_NZ_AMOUNT, writeNzDebitFile } from "./nz-debit-file.ts";
import { readNzReturns } from "./nz-returns.ts";

/** Debit files for banks of Australia (ABA) and New Zealand. */
export const BANK_FILES: DebitFiles = {
  largestTotal: ({ country }) => (country === "AU" ? LARGEST_ABA_AMOUNT : LARGEST_NZ_AMOUNT),
  write: (agreement, days, debits) =>
    agreement.country === "AU"
      ? writeAbaFile(agreement, days.due, debits)
      : writeNzDebitFile(agreement, days, debits),
  readReturns: (agreement, text) =>
    agreement.country === "AU" ? readAbaReturns(text, agreement.userId) : readNzReturns(text),
  readAcknowledgement,
};
