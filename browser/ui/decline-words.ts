import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";

/** Why the bank declined and what the payer can do. No text accuses the payer. */
export type DeclineWords = { readonly reason: string; readonly advice: string };

type Keys = readonly [reason: keyof CheckoutWords, advice: keyof CheckoutWords];

const DECLINED: Keys = ["bankDeclined", "otherOrBank"];
const UNKNOWN_CARD: Keys = ["bankUnknown", "checkOrOther"];
const UNREACHABLE: Keys = ["bankUnreachable", "waitOrOther"];
const NOT_POSSIBLE: Keys = ["notPossible", "otherOrMerchant"];

/** Lost, stolen and suspected cards get the neutral text: the payer may not be the cardholder. */
const KEYS: ReadonlyMap<string, Keys> = new Map([
  ["no_merchant", NOT_POSSIBLE],
  ["error", UNREACHABLE],
  ["invalid_transaction", NOT_POSSIBLE],
  ["invalid_amount", NOT_POSSIBLE],
  ["invalid_card_number", UNKNOWN_CARD],
  ["no_issuer", UNKNOWN_CARD],
  ["3d_secure_error", ["bankUnsure", "againOrOther"]],
  ["suspected_malfunction", UNREACHABLE],
  ["format_error", NOT_POSSIBLE],
  ["bank_not_supported_by_switch", UNREACHABLE],
  ["no_universal_account", UNKNOWN_CARD],
  ["insufficient_funds", ["fundsMissing", "otherOrFunds"]],
  ["partial_approval_refused", ["bankPart", "otherOrFunds"]],
  ["expired_card", ["cardOver", "otherCard"]],
  ["no_card_record", UNKNOWN_CARD],
  ["function_not_permitted_to_cardholder", ["bankForbids", "otherOrBank"]],
  ["function_not_permitted_to_terminal", NOT_POSSIBLE],
  ["card_issuer_unavailable", UNREACHABLE],
  ["unable_to_route_transaction", UNREACHABLE],
  ["downstream_error", UNREACHABLE],
]);

type Codes = readonly { readonly message: string }[];

export function declineWords(words: CheckoutWords, codes: Codes): DeclineWords {
  const known = codes.map(({ message }) => KEYS.get(message)).find((keys) => keys !== undefined);
  const [reason, advice] = known ?? DECLINED;
  return { reason: words[reason], advice: words[advice] };
}

/** For another attempt. There are three at most, so one or two are left. */
export function retryWords(words: CheckoutWords, codes: Codes, left: number): string {
  const attempts = left === 1 ? words.tryOnce : words.tryTwice;
  return fill(words.declinedRetry, { ...declineWords(words, codes), attempts });
}
