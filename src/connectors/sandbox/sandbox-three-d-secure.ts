import { cents } from "../../kernel/money.ts";
import type { SandboxChallenges } from "../ports/sandbox-controls.ts";
import type {
  AuthenticationData,
  AuthenticationRequest,
  ChallengeStep,
  DoneStep,
  MethodStep,
  ThreeDSecure,
} from "../ports/three-d-secure.ts";
import type { Ledger } from "./ledger.ts";
import {
  authenticationData,
  encodeMessage,
  PROTOCOL_VERSION,
  transactionIdFor,
} from "./three-d-secure-messages.ts";
import { threeDSecureScenario } from "./three-d-secure-scenarios.ts";

/** Where the sandbox bank's pages are, below the hosted origin. */
export const SANDBOX_BANK_PATH = "/sandbox/bank";
export const SANDBOX_METHOD_PATH = "/sandbox/bank-method";

type SandboxThreeDSecure = { readonly connector: ThreeDSecure; readonly challenges: SandboxChallenges };

/** Simulates 3D Secure: by amount the bank answers at once, looks at the payer's browser first, or challenges the payer. */
export function createSandboxThreeDSecure(
  ledger: Ledger,
  newChallengeKey: () => string,
): SandboxThreeDSecure {
  async function begin(request: AuthenticationRequest): Promise<MethodStep | ChallengeStep | DoneStep> {
    const scenario = threeDSecureScenario(request.amount);
    const { reference, methodNotificationUrl } = request;
    if (scenario.does !== "lookAtBrowser" || methodNotificationUrl === undefined) return answer(request);
    const threeDSServerTransID = transactionIdFor(reference, "server");
    const message = { threeDSServerTransID, threeDSMethodNotificationURL: methodNotificationUrl };
    return {
      kind: "method",
      handover: {
        url: `${SANDBOX_METHOD_PATH}/${scenario.seconds}`,
        fields: { threeDSMethodData: encodeMessage(message) },
      },
      state: threeDSServerTransID,
    };
  }

  async function answer(request: AuthenticationRequest): Promise<ChallengeStep | DoneStep> {
    const { reference, amount, card } = request;
    const scenario = threeDSecureScenario(amount);
    if (scenario.does === "challenge") return challenge(request);
    const status = scenario.does === "answer" ? scenario.status : "Y";
    return { kind: "done", data: authenticationData(reference, card.number, status) };
  }

  async function challenge(request: AuthenticationRequest): Promise<ChallengeStep> {
    const { reference, card, challengeIn, challengeNotificationUrl } = request;
    const entry = await ledger.addOnce({
      kind: "challenge",
      reference,
      belongsTo: newChallengeKey(),
      amount: request.amount + request.surcharge,
      // The first digit chooses the scheme's indicator when the payer has answered.
      facts: { challengeIn, notificationUrl: challengeNotificationUrl, scheme: card.number.slice(0, 1) },
    });
    const key = entry.belongsTo ?? "";
    const url = `${SANDBOX_BANK_PATH}/${key}`;
    if (challengeIn === "window") return { kind: "challenge", handover: { url } };
    const creq = encodeMessage({ ...messageOf(reference, key), messageType: "CReq" });
    return { kind: "challenge", handover: { url, fields: { creq } } };
  }

  async function resultOf(reference: string): Promise<AuthenticationData | "open"> {
    const answered = await ledger.find("challenge answer", reference);
    if (answered === undefined) return "open";
    const { passed, scheme = "" } = answered.facts;
    return authenticationData(reference, scheme, passed === "true" ? "Y" : "N");
  }

  async function findEntry(challengeKey: string) {
    return (await ledger.listBelongingTo(challengeKey)).find((entry) => entry.kind === "challenge");
  }

  const challenges: SandboxChallenges = {
    find: async (challengeKey) => {
      const found = await findEntry(challengeKey);
      if (found === undefined) return undefined;
      const { reference, amount, facts } = found;
      const result = await resultOf(reference);
      const message = { ...messageOf(reference, challengeKey), messageType: "CRes" };
      return {
        amount: cents(amount),
        cres: result === "open" ? undefined : encodeMessage({ ...message, transStatus: result.status }),
        notificationUrl: facts["notificationUrl"] ?? "/",
        isWindow: facts["challengeIn"] === "window",
      };
    },
    answer: async (challengeKey, hasPassed) => {
      const found = await findEntry(challengeKey);
      if (found === undefined) return false;
      const facts = { ...found.facts, passed: String(hasPassed) };
      await ledger.addOnce({ ...found, kind: "challenge answer", facts });
      return true;
    },
    answerAt: (url, hasPassed) => challenges.answer(url.slice(SANDBOX_BANK_PATH.length + 1), hasPassed),
  };
  const connector: ThreeDSecure = {
    begin,
    authenticate: async (request, { completion, state }) => {
      const { reference, amount } = request;
      if (state !== transactionIdFor(reference, "server"))
        throw new Error("the method step was not begun here");
      await ledger.addOnce({ kind: "method", reference, belongsTo: null, amount, facts: { completion } });
      return answer(request);
    },
    resultOf,
  };
  return { connector, challenges };
}

function messageOf(reference: string, challengeKey: string): Readonly<Record<string, string>> {
  const threeDSServerTransID = transactionIdFor(reference, "server");
  return { threeDSServerTransID, acsTransID: challengeKey, messageVersion: PROTOCOL_VERSION };
}
