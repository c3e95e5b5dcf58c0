import { authorisedOf } from "../features/transactions/index.ts";
import { cardLabel } from "../kernel/languages/card-label.ts";
import { momentText } from "../kernel/languages/languages.ts";
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
    charged: attempt.captureStatus === "captured" ? attempt.captured : authorisedOf(attempt),
    currencyCode: attempt.currency,
    reference: request.reference === request.id ? undefined : request.reference,
    transactionId: attempt.id,
    card: attempt.card === null ? undefined : cardLabel(language.checkout, attempt.card),
    paidAt: momentText(language, merchant.country, attempt.createdAt),
  };
}
