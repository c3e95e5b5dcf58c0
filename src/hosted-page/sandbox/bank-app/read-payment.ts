import { MAX_CENTS } from "../../../kernel/money.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { PaymentProblems, TypedPayment } from "./page.ts";

export function typedPayment(fields: FormFields): TypedPayment {
  const text = (name: string, longest: number) => (fields[name] ?? "").trim().slice(0, longest);
  return { payId: text("payId", 320), amount: text("amount", 20), payerName: text("payerName", 140) };
}

const DOLLARS = /^\$?(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/;

/** Dollars as people type them: 30, 30.5, $1,234.50. Undefined when it is not an amount that can be paid. */
export function readCents(text: string): number | undefined {
  const [, dollars, cents = ""] = DOLLARS.exec(text) ?? [];
  if (dollars === undefined) return undefined;
  const amount = Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
  return amount >= 1 && amount <= MAX_CENTS ? amount : undefined;
}

export function paymentProblems(typed: TypedPayment): PaymentProblems {
  return {
    ...(typed.payId === "" ? { payId: "Type the PayID that you were given." } : {}),
    ...(readCents(typed.amount) === undefined ? { amount: "Type an amount such as 30.00." } : {}),
    ...(/[\p{Cc}\p{Cs}]/u.test(typed.payerName) ? { payerName: "Type a name in plain letters." } : {}),
  };
}
