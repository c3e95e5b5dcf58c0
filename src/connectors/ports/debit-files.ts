import type { CalendarDay } from "../../kernel/time.ts";

/** One account to debit, as it goes into a bank's file. Never stored, never logged. */
export type DebitLine = {
  /** 1 to 12 letters and digits, the first not `0`: identifies a return. The payer sees it on the statement. */
  readonly reference: string;
  readonly amount: number;
  readonly accountName: string;
  /** Australia only: six digits. */
  readonly bsb?: string | undefined;
  readonly number: string;
};

/** A bank's file, with its totals. */
export type WrittenFile = { readonly text: string; readonly count: number; readonly total: number };

/** Why a bank sends a debit back. */
export type ReturnReason = "refused" | "account_invalid" | "account_blocked" | "account_closed";

/** A debit that came back. */
export type ReturnedLine = {
  /** Its line in the file. */
  readonly line: number;
  readonly reference: string;
  readonly amount: number;
  readonly reason: ReturnReason;
};

/** What a bank says about one debit of a file, or about the whole file. */
export type AcknowledgedLine = {
  /** Its line in the acknowledgement. */
  readonly line: number;
  /** Of a debit the one in the file; of the whole file the batch's id. */
  readonly reference: string;
  readonly amount: number;
  /** `accepted`: the bank processes it. Otherwise it does not, and why. */
  readonly outcome: "accepted" | ReturnReason;
};

/** The agreement with an Australian bank: the fixed parts of every file. */
export type AbaAgreement = {
  /** Three letters of the bank that receives the file, such as `CBA`. */
  readonly institution: string;
  /** The sender of the file, up to 26 characters, and the number that the payment system assigned. */
  readonly userName: string;
  readonly userId: string;
  /** Up to 12 characters, such as `DEBITS`. */
  readonly description: string;
  /** The account that receives the money, and that returned debits are taken from. */
  readonly bsb: string;
  readonly account: string;
  /** The name that payers see beside the debit, up to 16 characters. */
  readonly remitter: string;
  /** Some banks want one credit to the merchant's own account, so that the file nets to zero; others make it themselves. */
  readonly balanced: boolean;
};

/** The agreement with a New Zealand bank. */
export type NzAgreement = {
  /** The authorisation code that payers' authorities name: seven digits. */
  readonly authorisationCode: string;
  /** The account that receives the money: 15 or 16 digits. */
  readonly account: string;
  /** The name that payers see beside the debit, up to 20 characters. */
  readonly name: string;
  /** Up to 12 characters on the payer's statement. */
  readonly particulars: string;
};

/** An operator's agreement with a bank; the country decides the file format. */
export type DebitAgreement =
  | ({ readonly country: "AU" } & AbaAgreement)
  | ({ readonly country: "NZ" } & NzAgreement);

export type DebitDays = { readonly due: CalendarDay; readonly made: CalendarDay };

/** Files that the operator takes to the bank and back. Every call throws a `BankFileProblem`. */
export type DebitFiles = {
  /** The largest total of one file. */
  readonly largestTotal: (agreement: DebitAgreement) => number;
  readonly write: (agreement: DebitAgreement, days: DebitDays, debits: readonly DebitLine[]) => WrittenFile;
  readonly readReturns: (agreement: DebitAgreement, text: string) => readonly ReturnedLine[];
  readonly readAcknowledgement: (text: string) => readonly AcknowledgedLine[];
};

/** What can't be written into, or read from, a bank's file. The message is for the operator and has no account number. */
export class BankFileProblem extends Error {
  override readonly name = "BankFileProblem";
}
