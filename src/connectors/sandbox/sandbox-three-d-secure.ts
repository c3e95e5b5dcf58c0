import type { AuthenticationAnswer, AuthenticationRequest, ThreeDSecure } from "../ports/three-d-secure.ts";
import { AUTHENTICATION_ASKS, AUTHENTICATION_FAILS } from "./card-scenarios.ts";
import type { Ledger } from "./ledger.ts";

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
export function createSandboxThreeDSecure(ledger: Ledger, newChallengeKey: () => string): SandboxBank {
  async function begin(request: AuthenticationRequest): Promise<AuthenticationAnswer> {
    if (request.amount === AUTHENTICATION_FAILS) return { kind: "failed" };
    if (request.amount !== AUTHENTICATION_ASKS) return { kind: "authenticated" };
    const entry = await ledger.addOnce({
      kind: "challenge",
      reference: request.reference,
      belongsTo: newChallengeKey(),
      amount: request.amount + request.surcharge,
      facts: {
        currency: request.currency,
        ...(request.returnTo === undefined ? {} : { returnTo: request.returnTo }),
      },
    });
    return { kind: "challenge", url: `${SANDBOX_BANK_PATH}/${entry.belongsTo}` };
  }

  async function resultOf(reference: string): Promise<"authenticated" | "failed" | "open"> {
    const answer = await ledger.find("challenge answer", reference);
    if (answer === undefined) return "open";
    return answer.facts["passed"] === "true" ? "authenticated" : "failed";
  }

  async function challengeOf(challengeKey: string) {
    return (await ledger.listBelongingTo(challengeKey)).find((entry) => entry.kind === "challenge");
  }

  return {
    begin,
    resultOf,
    answer: async (challengeKey, passed) => {
      const challenge = await challengeOf(challengeKey);
      if (challenge === undefined) return false;
      const facts = { ...challenge.facts, passed: String(passed) };
      await ledger.addOnce({ ...challenge, kind: "challenge answer", facts });
      return true;
    },
    findChallenge: async (challengeKey) => {
      const challenge = await challengeOf(challengeKey);
      if (challenge === undefined) return undefined;
      const answered = (await ledger.find("challenge answer", challenge.reference)) !== undefined;
      return { amount: challenge.amount, answered, returnTo: challenge.facts["returnTo"] };
    },
  };
}
