import { isObject } from "../protocol/is-object.ts";
import { decimalText } from "./vendor-format.ts";

/** A line of Apple's sheet. */
export type AppleLine = { readonly label: string; readonly amount: string; readonly type: "final" };

export type AppleSelection = { readonly newTotal: AppleLine; readonly newLineItems: readonly AppleLine[] };

type Price = { readonly surcharge: number; readonly total: number };

/** Amount and surcharge where there is one, and always the total, which names who is paid. */
export function applePrice(
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
    newLineItems: surcharge === 0 ? [] : [line("Amount", amount), line("Surcharge", surcharge)],
  };
}

/** The agreement comes in Apple's words; only its days are still text, where Apple wants dates. */
export function recurringRequest(agreement: Readonly<Record<string, unknown>>): object {
  const billing = isObject(agreement["regularBilling"]) ? agreement["regularBilling"] : {};
  const dates: { [name: string]: Date } = {};
  for (const name of ["recurringPaymentStartDate", "recurringPaymentEndDate"]) {
    const day = billing[name];
    if (typeof day === "string") dates[name] = new Date(day);
  }
  return { ...agreement, regularBilling: { ...billing, ...dates } };
}
