import type { Wallet } from "./wallets.ts";

/** The part of a card that may be stored in clear, with a transaction or a payment instrument. */
export type MaskedCard = {
  readonly name: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cardType: string;
  /** Set if the card came from a wallet. */
  readonly wallet?: Wallet;
  /** The wallet had the scheme's token of the card, not its number. Not shown. Absent from cards of earlier releases. */
  readonly isNetworkToken?: boolean;
};
