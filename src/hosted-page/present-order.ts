import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { defined } from "../kernel/defined.ts";
import { cents, lineTotal, quantityToThousandths } from "../kernel/money.ts";
import type { Order } from "./views/order-summary.ts";

/** The order on the page. Each line is rounded as in the rule for the total. */
export function presentOrder({ amount, currency, details, status }: PaymentRequest): Order {
  const { lineItems = [], adjustments = [] } = details.hostedPage ?? {};
  return {
    heading: status === "created" ? "Amount to pay" : "Your order",
    amount,
    currencyCode: currency,
    ...defined({ description: details.description }),
    items: lineItems.map((item) => ({
      ...item,
      total: Number(lineTotal(cents(item.amount), quantityToThousandths(item.quantity))),
    })),
    adjustments,
  };
}
