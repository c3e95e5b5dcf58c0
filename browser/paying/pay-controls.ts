import type { PayFormControl } from "../ui/control-form.ts";
import type { CardOrder } from "../ui/enhance-pay-form.ts";
import type { WalletType } from "../ui/wallet-names.ts";

/** What a wallet gave: a payload that only the gateway can read, for the total that its sheet showed. */
export type WalletOrder = {
  readonly method: WalletType;
  readonly wallet: { readonly token: unknown };
  readonly total: number;
  readonly consent: boolean;
};

export type PaymentOrder = CardOrder | WalletOrder;

/** What the gateway said, for a sheet that is still open. `unknown`: nobody may say yet that it went well, or not. */
export type SheetOutcome = "good" | "bad" | "unknown";

/** How the payer began to pay, for what differs by it: where progress shows, and what a new price means. */
export type PayWay = {
  readonly setBusy: (words: string | undefined) => void;
  readonly correctTotal: (total: number) => void;
  /** The button that pays: "Press … again to accept it." */
  readonly button: string;
  readonly answered: (outcome: SheetOutcome) => void;
};

export function cardWay(form: PayFormControl): PayWay {
  return {
    setBusy: (words) => form.setBusy(words, "card"),
    correctTotal: form.correctTotal,
    button: "Pay",
    answered: () => undefined,
  };
}
