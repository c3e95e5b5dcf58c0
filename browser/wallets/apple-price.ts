import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { isObject } from "../protocol/is-object.ts";
import { decimalText } from "./vendor-format.ts";

type AppleLine = { readonly label: string; readonly amount: string; readonly type: "final" };

export type AppleSelection = { readonly newTotal: AppleLine; readonly newLineItems: readonly AppleLine[] };

type Price = { readonly surcharge: number; readonly total: number };

/** The total names the merchant. Amount and surcharge appear only with a surcharge. */
export function applePrice(
  words: Pick<CheckoutWords, "amount" | "surcharge">,
  merchantName: string,
  amount: number,
  { surcharge, total }: Price,
): AppleSelection {
  const line = (label: string, cents: number): AppleLine => ({
    label,
    amount: decimalText(cents),
    type: "final",
  });
  return {
    newTotal: line(merchantName, total),
    newLineItems: surcharge === 0 ? [] : [line(words.amount, amount), line(words.surcharge, surcharge)],
  };
}

/** The agreement has Apple's field names; only its days are text where Apple expects dates. */
export function recurringRequest(agreement: Readonly<Record<string, unknown>>): object {
  const billing = isObject(agreement["regularBilling"]) ? agreement["regularBilling"] : {};
  const dates: { [name: string]: Date } = {};
  for (const name of ["recurringPaymentStartDate", "recurringPaymentEndDate"]) {
    const day = billing[name];
    if (typeof day === "string") dates[name] = new Date(day);
  }
  return { ...agreement, regularBilling: { ...billing, ...dates } };
}
