import { moneyText } from "../../../browser/ui/money-text.ts";
import { CARD_SCENARIOS, type CardScenario } from "../../connectors/sandbox/card-scenarios.ts";
import { PAID_AUTOMATICALLY } from "../../connectors/sandbox/payid-scenarios.ts";
import {
  THREE_D_SECURE_SCENARIOS,
  type ThreeDSecureScenario,
} from "../../connectors/sandbox/three-d-secure-scenarios.ts";
import { messagePhrase } from "../shell/words.ts";

/** A test payment that can be chosen by name. */
export type Scenario = {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly kind: "card" | "3d_secure" | "payid";
};

const ANY_AMOUNT = 3_000;

const ANSWERS = {
  Y: "the payer is authenticated",
  A: "attempted, so the payment goes on",
  N: "authentication fails",
  U: "unavailable",
  R: "the bank rejects the authentication",
} as const;

const SPECIAL: readonly Scenario[] = [
  { id: "approved", name: "Approved", amount: ANY_AMOUNT, kind: "card" },
  ...[...THREE_D_SECURE_SCENARIOS].map(([amount, scenario]) => ({
    id: `3ds-${amount}`,
    name: `3D Secure: ${threeDSecureWords(scenario)}`,
    amount,
    kind: "3d_secure" as const,
  })),
  { id: "payid", name: "PayID: waits for a transfer", amount: ANY_AMOUNT, kind: "payid" },
  { id: "payid-automatic", name: "PayID: paid automatically", amount: PAID_AUTOMATICALLY, kind: "payid" },
];

/** Every scenario of the sandbox's tables, the usual ones first. */
export const SCENARIOS: readonly Scenario[] = [
  ...SPECIAL,
  ...[...CARD_SCENARIOS].map(([amount, scenario]) => ({
    id: `card-${amount}`,
    name: wordsOf(scenario),
    amount,
    kind: "card" as const,
  })),
];

function threeDSecureWords(scenario: ThreeDSecureScenario): string {
  if (scenario.does === "challenge") return "the bank challenges the payer";
  if (scenario.does === "lookAtBrowser")
    return `the bank looks at the payer's browser for ${scenario.seconds} seconds`;
  return ANSWERS[scenario.status];
}

function wordsOf(scenario: CardScenario): string {
  switch (scenario.does) {
    case "approve":
      return `Approved: ${messagePhrase(scenario.code)}`;
    case "approvePart":
      return `Approved for ${moneyText(scenario.amount)} only: declined unless the request accepts a part`;
    case "decline":
      return `Declined: ${messagePhrase(scenario.code)}`;
    case "declineFirst":
      return "Declined at first, then approved";
    case "approveSlowly":
      return `Approved after ${scenario.seconds} seconds`;
    case "approveAndDrop":
      return "Approved, but the answer is lost: pending, then recovered";
    case "approveAndDispute":
      return "Approved, then disputed by the payer";
    case "beAway":
      return "The acquirer is away";
  }
}
