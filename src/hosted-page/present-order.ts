import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { cents, lineTotal, quantityToThousandths } from "../kernel/money.ts";
import type { Order } from "./views/order-summary.ts";

/** What is being paid, as the page shows it. Each line is rounded as the amount rule rounds it. */
export function presentOrder({ amount, currency, details, status }: PaymentRequest): Order {
  const { lineItems = [], adjustments = [] } = details.hostedPage ?? {};
  return {
    heading: status === "created" ? "Amount to pay" : "Your order",
    amount,
    currencyCode: currency,
    ...(details.description === undefined ? {} : { description: details.description }),
    items: lineItems.map((item) => ({
      ...item,
      total: Number(lineTotal(cents(item.amount), quantityToThousandths(item.quantity))),
    })),
    adjustments,
  };
}
