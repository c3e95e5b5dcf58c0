const TOKEN = /^tok_([0-9a-z]{29})(w?)_[A-Za-z0-9_-]{43}$/;

/** The public part of a one-time token. The secret part never is in an address. */
export type OpenPart = {
  /** Names the merchant in the frame's address. */
  readonly merchantHint: string;
  /** The payment request asks for a wallet, so the frame must be allowed to open one. */
  readonly wallets: boolean;
};

export function openPartOf(token: string): OpenPart | undefined {
  const [, merchantHint, mark] = TOKEN.exec(token) ?? [];
  return merchantHint === undefined ? undefined : { merchantHint, wallets: mark === "w" };
}
