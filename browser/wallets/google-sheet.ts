import { isObject } from "../protocol/is-object.ts";
import { confirmTotal } from "./confirm-total.ts";
import type { GoogleClient } from "./google-client.ts";
import { googleRequest } from "./google-request.ts";
import type { SheetEnd, SheetParts } from "./sheet.ts";
import { cardTypeOfNetwork } from "./vendor-format.ts";

/** Google's own sheet. It closes when a card was chosen; a surcharge that came by that choice is then shown by us, first. */
export async function openGoogleSheet(google: GoogleClient, parts: SheetParts): Promise<SheetEnd> {
  const { host } = parts;
  let given: unknown;
  try {
    given = await google.loadPaymentData(googleRequest(parts));
  } catch (refused) {
    return isObject(refused) && refused["statusCode"] === "CANCELED" ? "cancelled" : "failed";
  }
  const data = isObject(given) ? given["paymentMethodData"] : undefined;
  const { tokenizationData, info } = isObject(data) ? data : {};
  const token = isObject(tokenizationData) ? tokenizationData["token"] : undefined;
  if (typeof token !== "string") return "failed";
  const { cardNetwork, cardDetails } = isObject(info) ? info : {};
  const cardType = cardTypeOfNetwork(cardNetwork);
  const quote = host.quote(cardType);
  host.emitSurcharge(quote);
  if (
    quote.surcharge > 0 &&
    !(await confirmTotal(parts, quote, typeof cardDetails === "string" ? cardDetails : ""))
  )
    return "cancelled";
  return { token, total: quote.total, cardType, answered: () => undefined };
}
