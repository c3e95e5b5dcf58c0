import { cardLabel } from "../../browser/ui/saved-cards.ts";
import type { PageView } from "../features/checkout/index.ts";
import { type Merchant, zoneOf } from "../features/merchants/index.ts";
import { authorisedOf } from "../features/transactions/index.ts";
import type { Instant } from "../kernel/time.ts";
import type { Receipt } from "./views/receipt.ts";

/** The receipt of an approved payment. It omits a reference that is just the request's id. */
export function presentReceipt({ request, attempt, merchant }: PageView): Receipt {
  if (attempt === undefined) throw new Error("an approved payment without its transaction");
  return {
    merchantName: request.details.hostedPage?.merchantName ?? merchant.name,
    amount: attempt.amount,
    surcharge: attempt.surcharge,
    charged: authorisedOf(attempt),
    currencyCode: attempt.currency,
    reference: request.reference === request.id ? undefined : request.reference,
    transactionId: attempt.id,
    card: attempt.card === null ? undefined : cardLabel(attempt.card),
    paidAt: dateText(attempt.updatedAt, merchant),
  };
}

/** Date and time in the format and time zone of the merchant's country. */
function dateText(moment: Instant, merchant: Merchant): string {
  return new Intl.DateTimeFormat(`en-${merchant.country}`, {
    timeZone: zoneOf(merchant),
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(moment));
}
