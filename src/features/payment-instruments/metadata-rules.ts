import type { Problem } from "../../kernel/refusal.ts";
import { PAIRS_AT_MOST } from "../../platform/http/metadata.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { type BankAccountInput, bankNameOf } from "./bank-account.ts";
import { isBankName, UNKNOWN_BANK } from "./bank-names.ts";

type Pairs = Readonly<Record<string, string | undefined>>;

/** Problems of the pairs of an instrument. Null: a card, of which `bankName` is a pair like any other. */
export function pairProblems(bankName: string | null, metadata: Pairs = {}): readonly Problem[] {
  const { bankName: given, ...others } = metadata;
  const own = Object.keys(bankName === null ? metadata : others).length;
  return [
    ...(own > PAIRS_AT_MOST ? [{ code: "metadata_object_invalid", field: "/metadata" } as const] : []),
    ...(bankName !== null && given !== undefined && given !== bankName
      ? [{ code: "metadata_bank_name_read_only", field: "/metadata/bankName" } as const]
      : []),
  ];
}

/** The same of a new bank account. While a wrong field hides which bank it is, the name can be any bank's. */
export function newPairProblems(
  account: Loose<BankAccountInput> | undefined,
  metadata: Pairs | undefined,
  sound: Sound,
): readonly Problem[] {
  const given = metadata?.["bankName"];
  const possible = given !== undefined && isBankName(given) ? given : UNKNOWN_BANK;
  return pairProblems(bankNameOf(account, sound) ?? possible, metadata);
}
