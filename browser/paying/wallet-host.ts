import { cardTypeNamed } from "../../src/kernel/card-type.ts";
import type { Speech } from "../../src/kernel/languages/speech.ts";
import { WALLET_NAMES } from "../../src/kernel/wallets.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { priceRows, type Surcharge } from "../ui/price-rows.ts";
import { surchargeFor } from "../ui/quote-surcharge.ts";
import { schemeMark } from "../ui/scheme-marks.ts";
import type { CallGateway } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import type { SheetOutcome, WalletPayInput } from "./pay-controls.ts";
import type { CheckoutDetails } from "./read-responses.ts";
import { takePayment } from "./take-payment.ts";

/** The price with a card of one type, in cents and as markup. */
export type Quote = { readonly surcharge: number; readonly total: number; readonly rows: string };

/** All that the wallets' script, which is separate, shares with the checkout. */
export type WalletHost = {
  readonly speech: Speech;
  readonly details: CheckoutDetails;
  readonly call: CallGateway;
  readonly form: PayFormControl;
  /** An unknown card type has no surcharge. */
  readonly quote: (cardType: string) => Quote;
  readonly cardMark: (cardType: string) => string;
  /** Emits the surcharge of the card that the payer chose in the sheet. */
  readonly emitSurcharge: (quote: Quote) => void;
  /** Pays with the sheet's payload, for the total that it showed for a card of that type. */
  readonly pay: (
    input: WalletPayInput,
    cardType: string,
    onOutcome: (outcome: SheetOutcome) => void,
  ) => Promise<void>;
};

/** Shows the buttons of the wallets that this browser supports. Returns whether there are any. */
export type OfferWallets = (host: WalletHost) => Promise<boolean>;

declare global {
  interface Window {
    tidegateWallets?: OfferWallets;
  }
}

export function makeWalletHost(checkout: Checkout): WalletHost {
  const { details, speech } = checkout;
  const { amount, rates } = details;
  /** Totals from the gateway that differ from this page's rates. */
  const corrected: { [cardType: string]: Surcharge } = {};
  let surcharges = rates !== undefined;
  const form = checkout.form();

  function quote(cardType: string): Quote {
    const surcharge = corrected[cardType] ?? (rates && surchargeFor(amount, rates, cardTypeNamed(cardType)));
    const rows = priceRows(speech, amount, surcharge, false).html;
    return { surcharge: surcharge?.amount ?? 0, total: amount + (surcharge?.amount ?? 0), rows };
  }

  return {
    speech,
    details,
    call: checkout.call,
    form,
    quote,
    cardMark: (cardType) => schemeMark(cardTypeNamed(cardType)).html,
    emitSurcharge: ({ surcharge }) => {
      if (surcharges) checkout.emitSurcharge(surcharge);
    },
    pay: async (input, cardType, onOutcome) => {
      let isCorrected = false;
      const isUnpaid = await takePayment(checkout, input, {
        setBusy: (words) => form.setBusy(words, "wallet"),
        correctTotal: (total) => {
          corrected[cardType] = { amount: total - amount, cardType: undefined, percent: 0, fixed: 0 };
          surcharges = true;
          isCorrected = true;
          checkout.emitSurcharge(total - amount);
        },
        button: WALLET_NAMES[input.method],
        onOutcome,
      });
      // What the sheet offered was not paid: the form's price applies again, unless the payer is to press the button again.
      if (isUnpaid && surcharges && !isCorrected) checkout.emitSurcharge(form.surcharge());
    },
  };
}
