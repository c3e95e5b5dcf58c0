import { defined } from "../../kernel/defined.ts";
import type { Agreement } from "../payment-requests/index.ts";

const UNITS = { daily: "day", monthly: "month", annual: "year" } as const;

/** The agreement beyond this payment, as Apple's recurring payment request. */
export function presentAgreement(agreement: Agreement): object {
  const { frequency, frequencyCount, startDate, endDate, billingAgreement } = agreement;
  return defined({
    paymentDescription: agreement.description,
    managementURL: agreement.managementURL,
    billingAgreement,
    regularBilling: defined({
      label: agreement.description,
      amount: decimal(agreement.amount),
      type: "final",
      paymentTiming: "recurring",
      recurringPaymentStartDate: startDate,
      recurringPaymentEndDate: endDate,
      recurringPaymentIntervalUnit: frequency && UNITS[frequency],
      recurringPaymentIntervalCount: frequencyCount ?? 1,
    }),
  });
}

/** Cents as Apple writes amounts: `10.50`. */
function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
