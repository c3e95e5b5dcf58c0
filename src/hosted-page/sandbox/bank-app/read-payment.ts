import { readCents } from "../../../kernel/money.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { PaymentProblems, TypedPayment } from "./page.ts";

export function typedPayment(fields: FormFields): TypedPayment {
  const text = (name: string, longest: number) => (fields[name] ?? "").trim().slice(0, longest);
  return { amount: text("amount", 20), payerName: text("payerName", 140) };
}

export function paymentProblems(typed: TypedPayment): PaymentProblems {
  return {
    ...(readCents(typed.amount) === undefined ? { amount: "Type an amount such as 30.00." } : {}),
    ...(/[\p{Cc}\p{Cs}]/u.test(typed.payerName) ? { payerName: "Type a name in plain letters." } : {}),
  };
}
