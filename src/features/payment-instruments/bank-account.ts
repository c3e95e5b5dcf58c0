import type { Problem } from "../../kernel/refusal.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { australianBank, newZealandBank } from "./bank-names.ts";
import type { BankAccount } from "./payment-instrument.ts";

export type BankAccountInput = {
  readonly accountName: string;
  /** Present: the account is Australian. */
  readonly bsb?: string | undefined;
  readonly number: string;
};

const AUSTRALIAN_NUMBER = /^\d{6,9}$/;
/** Bank, branch, body, suffix: with all the hyphens or with none. */
const NEW_ZEALAND_NUMBER = /^(\d{2})(-?)(\d{4})\2(\d{7})\2(\d{2,3})$/;

const AUSTRALIAN_NAME = 32;

const PLACE = "/bankAccount";

/** Problems of a bank account beyond the format of each field. The bank verifies check digits, the gateway does not. */
export function bankAccountProblems(
  account: Loose<BankAccountInput> | undefined,
  sound: Sound,
): readonly Problem[] {
  if (account === undefined) return [];
  const australian = account.bsb !== undefined || !sound(`${PLACE}/bsb`);
  const format = australian ? AUSTRALIAN_NUMBER : NEW_ZEALAND_NUMBER;
  const { accountName, number } = account;
  const named = accountName === undefined || fitsName(australian ? "AU" : "NZ", accountName);
  return [
    ...(named
      ? []
      : [{ code: "payment_instrument_account_name_invalid", field: `${PLACE}/accountName` } as const]),
    ...(number === undefined || format.test(number)
      ? []
      : [{ code: "payment_instrument_account_number_invalid", field: `${PLACE}/number` } as const]),
  ];
}

/** The bank of an account; undefined while a wrong field hides it. */
export function bankNameOf(
  { bsb, number = "" }: Loose<BankAccountInput> = {},
  sound: Sound,
): string | undefined {
  if (bsb !== undefined) return australianBank(bsb);
  const isKnown = sound(`${PLACE}/bsb`) && NEW_ZEALAND_NUMBER.test(number);
  return isKnown ? newZealandBank(newZealandDigits(number)) : undefined;
}

/** Whether banks of that country accept the name. The schema refuses names that are too long everywhere. */
export function fitsName(country: BankAccount["country"], accountName: string): boolean {
  return country === "NZ" || Array.from(accountName).length <= AUSTRALIAN_NAME;
}

/** Splits a valid account into the secret for the vault and the part that may be stored in clear. */
export function splitAccount({ accountName, bsb, number }: BankAccountInput): {
  readonly secret: string;
  readonly shown: BankAccount;
} {
  if (bsb !== undefined) {
    const shown = { accountName, bsb, number: masked(number), bankName: australianBank(bsb) };
    return { secret: number, shown: { country: "AU", ...shown } };
  }
  const secret = newZealandDigits(number);
  const parts = [secret.slice(0, 2), secret.slice(2, 6), secret.slice(6, 13), secret.slice(13)];
  const shown = { accountName, number: masked(parts.join("-")), bankName: newZealandBank(secret) };
  return { secret, shown: { country: "NZ", ...shown } };
}

/** Sixteen digits: a suffix of two digits is the same account as three digits with a leading zero. */
function newZealandDigits(number: string): string {
  const [, bank = "", , branch = "", body = "", suffix = ""] = NEW_ZEALAND_NUMBER.exec(number) ?? [];
  return bank + branch + body + suffix.padStart(3, "0");
}

/** Every digit but the last two. */
function masked(number: string): string {
  return number.replace(/\d(?=.*\d.*\d)/g, "X");
}
