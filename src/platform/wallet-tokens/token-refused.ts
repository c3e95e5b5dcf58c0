import type { TokenTrouble } from "../../connectors/wallet-vendor.ts";

/** A token that is not taken. What exactly was wrong stays here: it would help only somebody who makes up tokens. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
  readonly trouble: TokenTrouble;

  constructor(trouble: TokenTrouble) {
    super(`the token is not taken: ${trouble}`);
    this.trouble = trouble;
  }
}

export function refuseToken(trouble: TokenTrouble): never {
  throw new TokenRefused(trouble);
}
