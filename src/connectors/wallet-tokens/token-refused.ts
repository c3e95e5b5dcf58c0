import type { TokenAnswer, TokenProblem, WalletPayment } from "../ports/wallets.ts";

/** A refused token. The exact defect stays here: it would only help forgers. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
  readonly problem: TokenProblem;

  constructor(problem: TokenProblem) {
    super(`wallet token refused: ${problem}`);
    this.problem = problem;
  }
}

export function refuseToken(problem: TokenProblem): never {
  throw new TokenRefused(problem);
}

/** A refusal is an answer; any other error is a bug. */
export function answerWithToken(open: () => WalletPayment): TokenAnswer {
  try {
    return { kind: "opened", payment: open() };
  } catch (error) {
    if (error instanceof TokenRefused) return { kind: "refused", problem: error.problem };
    throw error;
  }
}
