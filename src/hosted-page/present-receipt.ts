import type { PageView } from "../features/checkout/index.ts";
import { type Merchant, zoneOf } from "../features/merchants/index.ts";
import type { Instant } from "../kernel/time.ts";
import { cardWords } from "./card-words.ts";
import type { Receipt } from "./views/receipt.ts";

/** The facts of the approved payment. A reference that we made up ourselves would tell the payer nothing. */
export function presentReceipt({ request, attempt, merchant }: PageView): Receipt {
  if (attempt === undefined) throw new Error("an approved payment without its transaction");
  return {
    merchantName: request.details.hostedPage?.merchantName ?? merchant.name,
    amount: attempt.amount,
    surcharge: attempt.surcharge,
    currencyCode: attempt.currency,
    reference: request.reference === request.id ? undefined : request.reference,
    transactionId: attempt.id,
    card: attempt.card === null ? undefined : cardWords(attempt.card),
    paidAt: dateWords(attempt.updatedAt, merchant),
  };
}

/** As people of the merchant's country write it, in its time. */
function dateWords(moment: Instant, merchant: Merchant): string {
  return new Intl.DateTimeFormat(merchant.country === "NZ" ? "en-NZ" : "en-AU", {
    timeZone: zoneOf(merchant),
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(moment));
}
