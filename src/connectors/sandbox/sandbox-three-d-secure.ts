import { defined } from "../../kernel/defined.ts";
import { cents } from "../../kernel/money.ts";
import type { SandboxChallenges } from "../ports/sandbox-controls.ts";
import type { AuthenticationAnswer, AuthenticationRequest, ThreeDSecure } from "../ports/three-d-secure.ts";
import { AUTHENTICATION_CHALLENGES, AUTHENTICATION_FAILS } from "./card-scenarios.ts";
import type { Ledger } from "./ledger.ts";

/** Where the sandbox bank's page is, below the hosted origin. */
export const SANDBOX_BANK_PATH = "/sandbox/bank";

type SandboxThreeDSecure = { readonly connector: ThreeDSecure; readonly challenges: SandboxChallenges };

/** Simulates 3D Secure: by amount it fails, challenges the payer, or succeeds at once. */
export function createSandboxThreeDSecure(
  ledger: Ledger,
  newChallengeKey: () => string,
): SandboxThreeDSecure {
  async function begin(request: AuthenticationRequest): Promise<AuthenticationAnswer> {
    if (request.amount === AUTHENTICATION_FAILS) return { kind: "failed" };
    if (request.amount !== AUTHENTICATION_CHALLENGES) return { kind: "authenticated" };
    const entry = await ledger.addOnce({
      kind: "challenge",
      reference: request.reference,
      belongsTo: newChallengeKey(),
      amount: request.amount + request.surcharge,
      facts: defined({ currency: request.currency, returnTo: request.returnTo }),
    });
    return { kind: "challenge", url: `${SANDBOX_BANK_PATH}/${entry.belongsTo}` };
  }

  async function resultOf(reference: string): Promise<"authenticated" | "failed" | "open"> {
    const answer = await ledger.find("challenge answer", reference);
    if (answer === undefined) return "open";
    return answer.facts["passed"] === "true" ? "authenticated" : "failed";
  }

  async function findEntry(challengeKey: string) {
    return (await ledger.listBelongingTo(challengeKey)).find((entry) => entry.kind === "challenge");
  }

  const challenges: SandboxChallenges = {
    find: async (challengeKey) => {
      const challenge = await findEntry(challengeKey);
      if (challenge === undefined) return undefined;
      const answered = (await ledger.find("challenge answer", challenge.reference)) !== undefined;
      return { amount: cents(challenge.amount), answered, returnTo: challenge.facts["returnTo"] };
    },
    answer: async (challengeKey, passed) => {
      const challenge = await findEntry(challengeKey);
      if (challenge === undefined) return false;
      const facts = { ...challenge.facts, passed: String(passed) };
      await ledger.addOnce({ ...challenge, kind: "challenge answer", facts });
      return true;
    },
    answerAt: (url, passed) => challenges.answer(url.slice(SANDBOX_BANK_PATH.length + 1), passed),
  };
  return { connector: { begin, resultOf }, challenges };
}
