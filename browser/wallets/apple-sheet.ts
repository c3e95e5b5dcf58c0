import type { SheetOutcome } from "../paying/pay-way.ts";
import { isObject } from "../protocol/is-object.ts";
import { appleRequest, appleVersion, merchantOf } from "./apple-request.ts";
import type { AppleMaker, AppleSession } from "./apple-session.ts";
import { applePrice } from "./apple-words.ts";
import type { SheetEnd, SheetParts } from "./sheet.ts";
import { cardTypeOfNetwork } from "./vendor-words.ts";

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
          if (given !== undefined) session.completeMerchantValidation(given);
          else {
            resolve("failed");
            session.abort();
          }
        });
      };
      session.onpaymentmethodselected = ({ paymentMethod }) => {
        usable = true;
        cardType = cardTypeOfNetwork(paymentMethod.network);
        quote = host.quote(cardType);
        host.tellSurcharge(quote);
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
  const reply = await host.ask("/checkout/applepay/session", { validationURL }, ANSWER_WITHIN_MS);
  return reply.kind === "answered" && isObject(reply.body) ? reply.body["merchantSession"] : undefined;
}

/** The first word counts. While nobody knows how it went, the sheet goes without saying either. */
function closeOnce(apple: AppleMaker, session: AppleSession): (outcome: SheetOutcome) => void {
  let closed = false;
  return (outcome) => {
    if (closed) return;
    closed = true;
    if (outcome === "unknown") session.abort();
    else
      session.completePayment({ status: outcome === "good" ? apple.STATUS_SUCCESS : apple.STATUS_FAILURE });
  };
}
