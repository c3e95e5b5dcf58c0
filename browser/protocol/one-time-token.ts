const TOKEN = /^tok_([0-9a-z]{29})(w?)_[A-Za-z0-9_-]{43}$/;

/** The public part of a one-time token. The secret part never appears in a URL. */
export type PublicPart = {
  /** Identifies the merchant in the frame's URL. */
  readonly merchantHint: string;
  /** The payment request names a wallet, so the frame needs permission to open one. */
  readonly wallets: boolean;
};

export function publicPartOf(token: string): PublicPart | undefined {
  const [, merchantHint, mark] = TOKEN.exec(token) ?? [];
  return merchantHint === undefined ? undefined : { merchantHint, wallets: mark === "w" };
}
