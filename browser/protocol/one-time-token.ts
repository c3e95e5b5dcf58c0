/** The secret of a PayID's token, which pays nothing, has 32 characters; any other has 43. */
const TOKEN = /^tok_([0-9a-z]{29})([pw]?)_[\w-]{32,43}$/;

/** The public part of a token. The secret part never appears in a URL. */
export type PublicPart = {
  /** Identifies the merchant in the frame's URL. */
  readonly merchantHint: string;
  /** `w`: the payment request names a wallet, so the frame needs permission to open one. `p`: it is paid by PayID. */
  readonly mark: string | undefined;
};

export function publicPartOf(token: string): PublicPart | undefined {
  const [, merchantHint, mark] = TOKEN.exec(token) ?? [];
  return merchantHint === undefined ? undefined : { merchantHint, mark };
}
