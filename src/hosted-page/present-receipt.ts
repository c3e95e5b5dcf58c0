import { type Merchant, zoneOf } from "../features/merchants/index.ts";
import { authorisedOf } from "../features/transactions/index.ts";
import { cardLabel } from "../kernel/languages/card-label.ts";
import type { Catalogue } from "../kernel/languages/catalogue.ts";
import { dateLocale } from "../kernel/languages/languages.ts";
import type { Instant } from "../kernel/time.ts";
import type { PayersView } from "./payers-view.ts";
import type { Receipt } from "./views/receipt.ts";

/** The receipt of an approved payment. It omits a reference that is just the request's id. */
export function presentReceipt({
  request,
  attempt,
  merchant,
  language,
}: Pick<PayersView, "request" | "attempt" | "merchant" | "language">): Receipt {
  if (attempt === undefined) throw new Error("an approved payment without its transaction");
  return {
    merchantName: request.details.hostedPage?.merchantName ?? merchant.name,
    amount: attempt.amount,
    surcharge: attempt.surcharge,
    charged: authorisedOf(attempt),
    currencyCode: attempt.currency,
    reference: request.reference === request.id ? undefined : request.reference,
    transactionId: attempt.id,
    card: attempt.card === null ? undefined : cardLabel(language.checkout, attempt.card),
    paidAt: dateText(attempt.updatedAt, merchant, language),
  };
}

/** Date and time in the payer's language and the merchant's time zone; English as the merchant's country writes it. */
function dateText(moment: Instant, merchant: Merchant, language: Catalogue): string {
  return new Intl.DateTimeFormat(dateLocale(language, merchant.country), {
    timeZone: zoneOf(merchant),
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(moment));
}
