import { defined } from "../kernel/defined.ts";
import { cents, lineTotal, quantityToThousandths } from "../kernel/money.ts";
import { addressesOf } from "./page-address.ts";
import type { PayersView } from "./payers-view.ts";
import type { Order } from "./views/order-summary.ts";

function headingOf({ request: { amount, status }, language, speech }: PayersView): string {
  if (amount === 0) return language.page.saveYourCard;
  return status === "created" ? speech.words.amountToPay : language.page.yourOrder;
}

/** Of the payment that was made or is being made; before it, only the form knows the card. */
function surchargeOf({ standing, attempt }: PayersView): number {
  const isPaying = standing === "approved" || standing === "confirming" || standing === "challenged";
  return isPaying ? (attempt?.surcharge ?? 0) : 0;
}

/** The order on the page. Each line is rounded as in the rule for the total. */
export function presentOrder(view: PayersView, surcharge = surchargeOf(view)): Order {
  const { amount, currency, details, pageKey } = view.request;
  const { picture } = addressesOf(pageKey ?? "", 0);
  const { lineItems = [], adjustments = [] } = details.hostedPage ?? {};
  return {
    heading: headingOf(view),
    amount,
    surcharge,
    surcharging: view.merchant.surcharging.enabled || surcharge > 0,
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
