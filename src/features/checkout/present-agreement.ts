import { defined } from "../../kernel/defined.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { spoken } from "../../kernel/languages/languages.ts";
import { fill, speechIn } from "../../kernel/languages/speech.ts";
import type { Currency } from "../../kernel/money.ts";
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
      type: agreement.amount === 0 ? "pending" : "final",
      paymentTiming: "recurring",
      recurringPaymentStartDate: startDate,
      recurringPaymentEndDate: endDate,
      recurringPaymentIntervalUnit: frequency && UNITS[frequency],
      recurringPaymentIntervalCount: frequency && (frequencyCount ?? 1),
    }),
  });
}

const INTERVALS = { daily: "everyDays", monthly: "everyMonths", annual: "everyYears" } as const;

/** The same for the sandbox's sheet, in the payer's words: the sheet's script has no bytes to spare for them. */
export function presentTerms(agreement: Agreement, language: Catalogue, currency: Currency): object {
  const { description, amount, frequency, frequencyCount = 1, billingAgreement, managementURL } = agreement;
  const { page, mail } = language;
  const { words, money } = speechIn(spoken(language), currency);
  const often =
    frequency &&
    (frequencyCount > 1 ? fill(page[INTERVALS[frequency]], { count: frequencyCount }) : page[frequency]);
  const row = (label: string, value: string) => fill(mail.row, { label, value });
  const terms = [
    description,
    row(words.amount, amount === 0 ? page.amountVaries : money(amount)),
    ...(often === undefined ? [] : [row(page.frequency, often)]),
    ...(billingAgreement === undefined ? [] : [billingAgreement]),
  ];
  return { terms, termsLink: managementURL };
}

/** Cents as Apple writes amounts: `10.50`. */
function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
