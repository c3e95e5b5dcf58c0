import { isObject } from "../protocol/is-object.ts";
import { applePrice } from "./apple-price.ts";
import { appleRequest, appleVersion, merchantOf } from "./apple-request.ts";
import type { ApplePaySessionClass } from "./apple-session.ts";
import { closeOnce, notifySheet } from "./close-apple-sheet.ts";
import type { SheetContext, SheetResult } from "./sheet.ts";
import { cardTypeOfNetwork } from "./vendor-format.ts";

const TIMEOUT_MS = 25_000;

/** Apple's own sheet. It validates the merchant, reports the network of the chosen card, and stays open until the outcome. */
export function openAppleSheet(apple: ApplePaySessionClass, context: SheetContext): Promise<SheetResult> {
  const { host, settings } = context;
  let cardType = "";
  let quote = host.quote(cardType);
  let hasShownCard = false;

  return new Promise((resolve) => {
    try {
      const session = new apple(appleVersion(apple), appleRequest(context, quote));
      session.onvalidatemerchant = ({ validationURL }) => {
        void merchantSession(context, validationURL).then((validated) => {
          if (validated === undefined) resolve("failed");
          notifySheet(() =>
            validated === undefined ? session.abort() : session.completeMerchantValidation(validated),
          );
        });
      };
      session.onpaymentmethodselected = ({ paymentMethod }) => {
        hasShownCard = true;
        cardType = cardTypeOfNetwork(paymentMethod.network);
        quote = host.quote(cardType);
        host.emitSurcharge(quote);
        session.completePaymentMethodSelection(
          applePrice(host.speech.words, merchantOf(context), host.details.amount, quote),
        );
      };
      session.onpaymentauthorized = ({ payment }) => {
        resolve({
          token: payment.token.paymentData,
          total: quote.total,
          cardType,
          onOutcome: closeOnce(apple, session),
        });
      };
      // In the sandbox Apple rejects our test keys and closes the sheet before it shows a card: that is no cancellation.
      session.oncancel = () => resolve(hasShownCard || !settings.sandbox ? "cancelled" : "failed");
      session.begin();
    } catch (_refused) {
      resolve("failed");
    }
  });
}

/** Apple validates the merchant through our server. */
async function merchantSession({ host }: SheetContext, validationURL: string): Promise<unknown> {
  const reply = await host.call("/checkout/applepay/session", { validationURL }, TIMEOUT_MS);
  return reply.kind === "answered" && isObject(reply.body) ? reply.body["merchantSession"] : undefined;
}
