import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { defined } from "../kernel/defined.ts";
import { cents, lineTotal, quantityToThousandths } from "../kernel/money.ts";
import { addressesOf } from "./page-address.ts";
import type { Order } from "./views/order-summary.ts";

function headingOf(amount: PaymentRequest["amount"], status: PaymentRequest["status"]): string {
  if (amount === 0) return "Save your card";
  return status === "created" ? "Amount to pay" : "Your order";
}

/** The order on the page. Each line is rounded as in the rule for the total. */
export function presentOrder({ amount, currency, details, status, pageKey }: PaymentRequest): Order {
  const { picture } = addressesOf(pageKey ?? "", 0);
  const { lineItems = [], adjustments = [] } = details.hostedPage ?? {};
  return {
    heading: headingOf(amount, status),
    amount,
    currencyCode: currency,
    ...defined({ description: details.description }),
    items: lineItems.map(({ image, ...item }, index) => ({
      ...item,
      ...(image === undefined ? {} : { image: picture(index) }),
      total: Number(lineTotal(cents(item.amount), quantityToThousandths(item.quantity))),
    })),
    adjustments,
  };
}
