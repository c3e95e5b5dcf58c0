import { defined } from "../kernel/defined.ts";
import { cents, lineTotal, quantityToThousandths } from "../kernel/money.ts";
import { addressesOf } from "./page-address.ts";
import type { PayersView } from "./payers-view.ts";
import type { Order } from "./views/order-summary.ts";

function headingOf({ request: { amount, status }, language, speech }: PayersView): string {
  if (amount === 0) return language.page.saveYourCard;
  return status === "created" ? speech.words.amountToPay : language.page.yourOrder;
}

/** The order on the page. Each line is rounded as in the rule for the total. */
export function presentOrder(view: PayersView): Order {
  const { amount, currency, details, pageKey } = view.request;
  const { picture } = addressesOf(pageKey ?? "", 0);
  const { lineItems = [], adjustments = [] } = details.hostedPage ?? {};
  return {
    heading: headingOf(view),
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
