import { isObject } from "../protocol/is-object.ts";
import { applePrice } from "./apple-price.ts";
import { appleRequest, appleVersion, merchantOf } from "./apple-request.ts";
import type { AppleMaker } from "./apple-session.ts";
import { closeOnce, notifySheet } from "./close-apple-sheet.ts";
import type { SheetEnd, SheetParts } from "./sheet.ts";
import { cardTypeOfNetwork } from "./vendor-format.ts";

const ANSWER_WITHIN_MS = 25_000;

/** Apple's own sheet. It asks who we are, tells the card's network as it is chosen, and stays open until it hears how it went. */
export function openAppleSheet(apple: AppleMaker, parts: SheetParts): Promise<SheetEnd> {
  const { host, settings } = parts;
  let cardType = "";
  let quote = host.quote(cardType);
  let usable = false;

  return new Promise((resolve) => {
    try {
      const session = new apple(appleVersion(apple), appleRequest(parts, quote));
      session.onvalidatemerchant = ({ validationURL }) => {
        void merchantSession(parts, validationURL).then((given) => {
          if (given === undefined) resolve("failed");
          notifySheet(() =>
            given === undefined ? session.abort() : session.completeMerchantValidation(given),
          );
        });
      };
      session.onpaymentmethodselected = ({ paymentMethod }) => {
        usable = true;
        cardType = cardTypeOfNetwork(paymentMethod.network);
        quote = host.quote(cardType);
        host.emitSurcharge(quote);
        session.completePaymentMethodSelection(applePrice(merchantOf(parts), host.opening.amount, quote));
      };
      session.onpaymentauthorized = ({ payment }) => {
        resolve({
          token: payment.token.paymentData,
          total: quote.total,
          cardType,
          answered: closeOnce(apple, session),
        });
      };
      // In the sandbox a sheet that went before it showed a card did so by itself: Apple knows nothing of our test keys.
      session.oncancel = () => resolve(usable || !settings.sandbox ? "cancelled" : "failed");
      session.begin();
    } catch (_refused) {
      resolve("failed");
    }
  });
}

/** Only our server can vouch for us, and Apple decides whether it does. */
async function merchantSession({ host }: SheetParts, validationURL: string): Promise<unknown> {
  const reply = await host.call("/checkout/applepay/session", { validationURL }, ANSWER_WITHIN_MS);
  return reply.kind === "answered" && isObject(reply.body) ? reply.body["merchantSession"] : undefined;
}
