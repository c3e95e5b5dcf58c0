import { defined } from "../../kernel/defined.ts";
import { type Instant, toIso } from "../../kernel/time.ts";
import { isCardholderName } from "../../platform/cards/cardholder-name.ts";
import { isCardNumber } from "../../platform/cards/check-card.ts";
import { plainDigits } from "../../platform/cards/plain-digits.ts";
import type { WalletCard } from "../ports/wallets.ts";
import { refuseToken } from "./token-refused.ts";

const CRYPTOGRAM = /^[A-Za-z0-9+/]{16,128}={0,2}$/;
const ECI = /^\d{1,2}$/;
const LONGEST_NAME = 100;

type Given = {
  readonly number: string;
  readonly expiryMonth: unknown;
  readonly expiryYear: unknown;
  readonly name?: string | undefined;
  readonly cryptogram?: string | undefined;
  readonly eci?: string | undefined;
};

/** The card of a wallet, if an acquirer can accept it: a vendor's signature does not make a card valid. */
export function usableCard(given: Given, now: Instant): WalletCard {
  const { number, expiryMonth: month, expiryYear: year, name, cryptogram, eci } = given;
  if (!isCardNumber(number) || !isWhole(month) || !isWhole(year)) refuseToken("card_unusable");
  if (month < 1 || month > 12 || year > 2200) refuseToken("card_unusable");
  const thisMonth = toIso(now).slice(0, 7);
  if (`${year}-${String(month).padStart(2, "0")}` < thisMonth) refuseToken("card_unusable");
  if (cryptogram !== undefined && !CRYPTOGRAM.test(cryptogram)) refuseToken("card_unusable");
  if (eci !== undefined && eci !== "" && !ECI.test(eci)) refuseToken("card_unusable");
  return defined({
    number,
    expiryMonth: month,
    expiryYear: year,
    name: isName(name) ? name.trim() : undefined,
    cryptogram,
    eci: eci === "" ? undefined : eci,
  });
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** An implausible name is left out: nothing depends on it. */
function isName(name: string | undefined): name is string {
  return (
    name !== undefined &&
    name.trim() !== "" &&
    name.length <= LONGEST_NAME &&
    /^[^\p{Cc}\p{Cs}]*$/u.test(name) &&
    isCardholderName(plainDigits(name))
  );
}
