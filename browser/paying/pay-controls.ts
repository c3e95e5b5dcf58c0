import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import type { Wallet } from "../../src/kernel/wallets.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import type { CardPayInput } from "../ui/enhance-pay-form.ts";

/** A wallet's payload, which only the gateway can read, for the total that its sheet showed. */
export type WalletPayInput = {
  readonly method: Wallet;
  readonly wallet: { readonly token: unknown };
  readonly total: number;
  readonly consent: boolean;
};

export type PayInput = CardPayInput | WalletPayInput;

/** The result for a wallet's sheet that is still open. `unknown`: neither approved nor declined yet. */
export type SheetOutcome = "approved" | "declined" | "unknown";

/** What differs between the card form and a wallet: where progress shows, and how a new total is applied. */
export type PayControls = {
  readonly setBusy: (words: string | undefined) => void;
  readonly correctTotal: (total: number) => void;
  /** The button's name in "Press … again to accept it." */
  readonly button: string;
  readonly onOutcome: (outcome: SheetOutcome) => void;
};

export function cardControls(words: CheckoutWords, form: PayFormControl): PayControls {
  return {
    setBusy: (words) => form.setBusy(words, "card"),
    correctTotal: form.correctTotal,
    button: words.pay,
    onOutcome: () => undefined,
  };
}
