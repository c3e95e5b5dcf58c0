import type { AuthenticationAnswer, AuthenticationAsk, ThreeDSecure } from "../three-d-secure.ts";
import type { Book } from "./book.ts";
import { AUTHENTICATION_ASKS, AUTHENTICATION_FAILS } from "./card-scenarios.ts";

/** Where the sandbox bank's page is, below the hosted origin. */
export const SANDBOX_BANK_PATH = "/sandbox/bank";

export type Challenge = {
  readonly amount: number;
  readonly answered: boolean;
  /** Where the payer goes after the answer, when the bank's page took the whole window. */
  readonly returnTo: string | undefined;
};

export type SandboxBank = ThreeDSecure & {
  /** What the payer pressed on the sandbox bank's page. The first answer counts. False: there is no such challenge. */
  readonly answer: (challengeKey: string, passed: boolean) => Promise<boolean>;
  readonly findChallenge: (challengeKey: string) => Promise<Challenge | undefined>;
};

/** The 3D Secure of the sandbox: by amount it fails, asks the payer, or is satisfied. */
export function createSandboxThreeDSecure(book: Book, newChallengeKey: () => string): SandboxBank {
  async function begin(ask: AuthenticationAsk): Promise<AuthenticationAnswer> {
    if (ask.amount === AUTHENTICATION_FAILS) return { kind: "failed" };
    if (ask.amount !== AUTHENTICATION_ASKS) return { kind: "authenticated" };
    const entry = await book.addOnce({
      kind: "challenge",
      reference: ask.reference,
      belongsTo: newChallengeKey(),
      amount: ask.amount + ask.surcharge,
      facts: { currency: ask.currency, ...(ask.returnTo === undefined ? {} : { returnTo: ask.returnTo }) },
    });
    return { kind: "challenge", url: `${SANDBOX_BANK_PATH}/${entry.belongsTo}` };
  }

  async function resultOf(reference: string): Promise<"authenticated" | "failed" | "open"> {
    const answer = await book.find("challenge answer", reference);
    if (answer === undefined) return "open";
    return answer.facts["passed"] === "true" ? "authenticated" : "failed";
  }

  async function challengeOf(challengeKey: string) {
    return (await book.listBelongingTo(challengeKey)).find((entry) => entry.kind === "challenge");
  }

  return {
    begin,
    resultOf,
    answer: async (challengeKey, passed) => {
      const challenge = await challengeOf(challengeKey);
      if (challenge === undefined) return false;
      const facts = { ...challenge.facts, passed: String(passed) };
      await book.addOnce({ ...challenge, kind: "challenge answer", facts });
      return true;
    },
    findChallenge: async (challengeKey) => {
      const challenge = await challengeOf(challengeKey);
      if (challenge === undefined) return undefined;
      const answered = (await book.find("challenge answer", challenge.reference)) !== undefined;
      return { amount: challenge.amount, answered, returnTo: challenge.facts["returnTo"] };
    },
  };
}
