import type { TokenProblem } from "../ports/wallets.ts";

/** A token that is not taken. What exactly was wrong stays here: it would help only somebody who makes up tokens. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
  readonly trouble: TokenProblem;

  constructor(trouble: TokenProblem) {
    super(`the token is not taken: ${trouble}`);
    this.trouble = trouble;
  }
}

export function refuseToken(trouble: TokenProblem): never {
  throw new TokenRefused(trouble);
}
