import { readCents } from "../../../kernel/money.ts";
import { holdsCardNumber } from "../../../platform/cards/card-number-in-text.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { PaymentProblems, TypedPayment } from "./page.ts";

export function typedPayment(fields: FormFields): TypedPayment {
  const text = (name: string, longest: number) => (fields[name] ?? "").trim().slice(0, longest);
  return { amount: text("amount", 20), payerName: text("payerName", 140) };
}

export function paymentProblems(typed: TypedPayment): PaymentProblems {
  const isPlain = !/[\p{Cc}\p{Cs}]/u.test(typed.payerName) && !holdsCardNumber(typed.payerName);
  return {
    ...(readCents(typed.amount) === undefined ? { amount: "Type an amount such as 30.00." } : {}),
    ...(isPlain ? {} : { payerName: "Type a name in plain letters." }),
  };
}
