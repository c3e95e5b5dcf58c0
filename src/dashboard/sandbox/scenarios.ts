import { moneyText } from "../../../browser/ui/money-text.ts";
import {
  AUTHENTICATION_CHALLENGES,
  AUTHENTICATION_FAILS,
  CARD_SCENARIOS,
  type CardScenario,
} from "../../connectors/sandbox/card-scenarios.ts";
import { PAID_AUTOMATICALLY } from "../../connectors/sandbox/payid-scenarios.ts";
import { messageWords } from "../shell/words.ts";

/** A test payment that can be chosen by name. */
export type Scenario = {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly kind: "card" | "3d_secure" | "payid";
};

const ANY_AMOUNT = 3_000;

const SPECIAL: readonly Scenario[] = [
  { id: "approved", name: "Approved", amount: ANY_AMOUNT, kind: "card" },
  {
    id: "3ds-challenge",
    name: "3D Secure: the bank challenges the payer",
    amount: AUTHENTICATION_CHALLENGES,
    kind: "3d_secure",
  },
  {
    id: "3ds-fails",
    name: "3D Secure: authentication fails",
    amount: AUTHENTICATION_FAILS,
    kind: "3d_secure",
  },
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

function wordsOf(scenario: CardScenario): string {
  switch (scenario.does) {
    case "approve":
      return `Approved: ${messageWords(scenario.code).toLowerCase()}`;
    case "approvePart":
      return `Approved for ${moneyText(scenario.amount)} only: declined unless the request accepts a part`;
    case "decline":
      return `Declined: ${messageWords(scenario.code).toLowerCase()}`;
    case "declineFirst":
      return "Declined at first, then approved";
    case "approveSlowly":
      return `Approved after ${scenario.seconds} seconds`;
    case "approveAndDrop":
      return "Approved, but the answer is lost: pending, then recovered";
    case "beAway":
      return "The acquirer is away";
  }
}
