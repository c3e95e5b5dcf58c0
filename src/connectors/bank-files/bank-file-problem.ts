/** What can't be written into, or read from, a bank's file. The message is for the operator and holds no account number. */
export class BankFileProblem extends Error {
  override readonly name = "BankFileProblem";
}
