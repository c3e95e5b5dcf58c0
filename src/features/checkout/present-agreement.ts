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

const ONCE_EACH = { daily: "Daily", monthly: "Monthly", annual: "Annually" } as const;

/** The same for the sandbox's sheet, in words: the sheet's script has no bytes to spare for them. */
export function presentTerms(agreement: Agreement): object {
  const { description, amount, frequency, frequencyCount = 1, billingAgreement, managementURL } = agreement;
  const price = `$${decimal(amount).replace(/\B(?=(?:\d{3})+\.)/g, ",")}`;
  const often =
    frequency && (frequencyCount > 1 ? `Every ${frequencyCount} ${UNITS[frequency]}s` : ONCE_EACH[frequency]);
  const terms = [
    description,
    `Amount: ${price}`,
    ...(often === undefined ? [] : [`Frequency: ${often}`]),
    ...(billingAgreement === undefined ? [] : [billingAgreement]),
  ];
  return { terms, termsLink: managementURL };
}

/** Cents as Apple writes amounts: `10.50`. */
function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
