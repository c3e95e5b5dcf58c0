import {
  type ApprovalName,
  type DeclineName,
  isApproval,
  OUTCOMES,
  type OutcomeName,
  OWN_OUTCOMES,
} from "../../kernel/codes/outcomes.ts";
import { type Cents, cents } from "../../kernel/money.ts";
import { DISPUTED } from "./dispute-scenarios.ts";

/** What the sandbox acquirer does with an amount. Any amount that is not listed is approved. */
export type CardScenario =
  | { readonly does: "approve"; readonly code: ApprovalName }
  | { readonly does: "approvePart"; readonly code: ApprovalName; readonly amount: Cents }
  | { readonly does: "decline"; readonly code: DeclineName }
  | { readonly does: "declineFirst"; readonly code: DeclineName }
  | { readonly does: "approveSlowly"; readonly seconds: number }
  | { readonly does: "approveAndDrop" }
  | { readonly does: "approveAndDispute" }
  | { readonly does: "beAway" };

const FIRST = 14_400;

const isCardOutcome = (id: string) => id.startsWith("A020") || id.startsWith("D044");

/** 14400 and the last two digits of the code: 14451 is D04451. */
const BY_CODE = new Map<number, CardScenario>(
  Object.entries(OUTCOMES)
    .filter(([name, id]) => isCardOutcome(id) && !OWN_OUTCOMES.includes(name as OutcomeName))
    .map(([name, id]) => [FIRST + Number(id.slice(-2)), scenarioOf(name as OutcomeName)]),
);

function scenarioOf(code: OutcomeName): CardScenario {
  if (code === "approved_for_partial_amount") return { does: "approvePart", code, amount: cents(7_205) };
  return isApproval(code) ? { does: "approve", code } : { does: "decline", code };
}

const SPECIAL: readonly (readonly [number, CardScenario])[] = [
  [14_419, { does: "declineFirst", code: "do_not_honour" }],
  [14_480, { does: "approveSlowly", seconds: 8 }],
  [14_481, { does: "approveAndDrop" }],
  [14_482, { does: "beAway" }],
  [DISPUTED, { does: "approveAndDispute" }],
];

/** Every amount with a scenario. The docs page of scenarios is generated from this table. */
export const CARD_SCENARIOS: ReadonlyMap<number, CardScenario> = new Map([...BY_CODE, ...SPECIAL]);

export function cardScenario(amount: number): CardScenario {
  return CARD_SCENARIOS.get(amount) ?? { does: "approve", code: "approved" };
}
