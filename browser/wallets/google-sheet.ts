import { isObject } from "../protocol/is-object.ts";
import { confirmTotal } from "./confirm-total.ts";
import type { GoogleClient } from "./google-client.ts";
import { googleRequest } from "./google-request.ts";
import type { SheetContext, SheetResult } from "./sheet.ts";
import { cardTypeOfNetwork } from "./vendor-format.ts";

/** Google's own sheet. It closes once a card is chosen, so we show that card's surcharge afterwards, before the payment. */
export async function openGoogleSheet(google: GoogleClient, context: SheetContext): Promise<SheetResult> {
  const { host } = context;
  let response: unknown;
  try {
    response = await google.loadPaymentData(googleRequest(context));
  } catch (refused) {
    return isObject(refused) && refused["statusCode"] === "CANCELED" ? "cancelled" : "failed";
  }
  const data = isObject(response) ? response["paymentMethodData"] : undefined;
  const { tokenizationData, info } = isObject(data) ? data : {};
  const token = isObject(tokenizationData) ? tokenizationData["token"] : undefined;
  if (typeof token !== "string") return "failed";
  const { cardNetwork, cardDetails } = isObject(info) ? info : {};
  const cardType = cardTypeOfNetwork(cardNetwork);
  const quote = host.quote(cardType);
  host.emitSurcharge(quote);
  if (
    quote.surcharge > 0 &&
    !(await confirmTotal(context, quote, typeof cardDetails === "string" ? cardDetails : ""))
  )
    return "cancelled";
  return { token, total: quote.total, cardType, onOutcome: () => undefined };
}
