import { cardTypeNamed } from "../../src/kernel/card-type.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { priceRows, type Surcharge } from "../ui/price-rows.ts";
import { surchargeFor } from "../ui/quote-surcharge.ts";
import { schemeMark } from "../ui/scheme-marks.ts";
import { walletName } from "../ui/wallet-names.ts";
import type { CallGateway } from "./call-gateway.ts";
import type { Checkout } from "./checkout.ts";
import type { SheetOutcome, WalletOrder } from "./pay-controls.ts";
import type { Opening } from "./read-responses.ts";
import { takePayment } from "./take-payment.ts";

/** What paying with a card of some type costs, in figures and as rows to show. */
export type Quote = { readonly surcharge: number; readonly total: number; readonly rows: string };

/** What the checkout lends to its wallets. They are a script of their own, which shares nothing with this one but this. */
export type WalletHost = {
  readonly opening: Opening;
  readonly call: CallGateway;
  readonly form: PayFormControl;
  /** Types are those of the sandbox and of surcharges; any other word costs nothing on top. */
  readonly quote: (cardType: string) => Quote;
  readonly cardMark: (cardType: string) => string;
  /** A card was chosen in a wallet's sheet: the merchant's page hears what it costs on top. */
  readonly emitSurcharge: (quote: Quote) => void;
  /** Pays with what the sheet gave, for the total that it showed for a card of that type. */
  readonly pay: (
    order: WalletOrder,
    cardType: string,
    answered: (outcome: SheetOutcome) => void,
  ) => Promise<void>;
};

/** The wallets' script: shows the buttons that this browser can have, and says whether there are any. */
export type OfferWallets = (host: WalletHost) => Promise<boolean>;

declare global {
  interface Window {
    tidegateWallets?: OfferWallets;
  }
}

export function makeWalletHost(checkout: Checkout): WalletHost {
  const { opening } = checkout;
  const { amount, rates } = opening;
  /** The gateway named another price than the rates of this page give. */
  const corrected: { [cardType: string]: Surcharge } = {};
  const form = checkout.form();

  function quote(word: string): Quote {
    const surcharge = corrected[word] ?? (rates && surchargeFor(amount, rates, cardTypeNamed(word)));
    const rows = priceRows(amount, surcharge, false).html;
    return { surcharge: surcharge?.amount ?? 0, total: amount + (surcharge?.amount ?? 0), rows };
  }

  return {
    opening,
    call: checkout.call,
    form,
    quote,
    cardMark: (word) => schemeMark(cardTypeNamed(word)).html,
    emitSurcharge: ({ surcharge }) => {
      if (rates !== undefined) checkout.emitSurcharge(surcharge);
    },
    pay: (order, cardType, answered) =>
      takePayment(checkout, order, {
        setBusy: (words) => form.setBusy(words, "wallet"),
        correctTotal: (total) => {
          corrected[cardType] = { amount: total - amount, cardType: undefined, percent: 0, fixed: 0 };
        },
        button: walletName(order.method),
        answered,
      }),
  };
}
